import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Bell } from '../../../platform/work/bell.ts';
import type { UseCounts } from '../../../identity/oauth/uses/count-uses.ts';
import type { Random } from '../../delivery/schedule.ts';
import type { OpenDestination, Sink } from '../../sinks/sink.ts';
import type { Destination } from '../destinations/destinations.ts';
import {
  openDestination,
  optionsOf,
  unsealSecrets,
  type DestinationSecrets,
} from '../destinations/settings.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import type { LogFeed } from './feed.ts';
import type { Pending } from './outgoing.ts';
import { loadProgress } from './progress.ts';

export class SecretsLost extends Error {}

/** A destination that is being served. */
export interface Served {
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** When there is something to do again without a new entry; undefined while it works. */
  idleUntil(): Instant | null | undefined;
  /** Replays and snapshots that are being sent, by their ids. */
  readonly beside: Set<string>;
}

export interface ServingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly secretBox: SecretBox;
  readonly feed: LogFeed;
  readonly random: Random;
  /** What owners are shown of what their applications were sent. */
  readonly uses?: Pick<UseCounts, 'forwarded'>;
  /** Opens the sink of a destination. */
  openSink(destination: OpenDestination): Promise<Sink>;
}

/** How a run follows its destinations. */
interface Follower {
  readonly signal: AbortSignal;
  /** Rings when one rests or has ended. */
  readonly bell: Bell;
  /** Called when something was done. */
  onActive(): void;
}

/** How long the log is waited for at once. */
const LISTEN_MS = 5_000;
/** How often things are looked at that nobody tells of. */
const LOOK_MS = 200;

/** Begins to serve a destination. Throws SecretsLost. */
export async function serve(
  deps: ServingDeps,
  { signal: until, bell, onActive }: Follower,
  destination: Destination,
): Promise<Served> {
  const { db, logger, random, uses, feed } = deps;
  const now = (): Instant => deps.clock.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, until]);
  const secrets = secretsOf(deps.secretBox, destination);
  const options = optionsOf(destination.options);
  const progress = await loadProgress(db, destination.id, now());
  const sink = await deps.openSink(openDestination({ ...destination, options }, secrets, now()));
  const onDelivered = (events: readonly Pending[]): void => {
    for (const { entry } of events) uses?.forwarded(destination.applicationId, entry.accountId);
  };
  const delivery = createDelivery(
    { db, feed, sink, signal, random, onDelivered, now },
    destination,
    progress,
  );
  /** What the rest began with; undefined while it works. */
  let resting: { readonly until: Instant | null; readonly forSnapshot: boolean } | undefined;

  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      const round = await delivery.round();
      if (round === 'ended') break;
      if (round === 'more') {
        onActive();
        continue;
      }
      resting = { until: round.until, forSnapshot: delivery.awaitsSnapshot };
      bell.ring();
      await rest(feed, delivery, round.until, now, signal);
      resting = undefined;
    }
    resting = { until: null, forSnapshot: false };
    bell.ring();
  }

  const ended = goOn()
    .catch((err: unknown) =>
      logger.warn({ err, destination: destination.id }, 'a destination could not be served'),
    )
    .finally(() => {
      stop.abort();
      return sink.close();
    });
  // A snapshot that has ended wakes the stream in a moment.
  const idleUntil = () =>
    resting?.forSnapshot && !delivery.awaitsSnapshot ? undefined : resting?.until;
  return { destination, delivery, stop, ended, idleUntil, beside: new Set() };
}

function secretsOf(box: SecretBox, { id, secrets }: Destination): DestinationSecrets {
  try {
    return unsealSecrets(box, id, secrets);
  } catch (cause) {
    throw new SecretsLost(
      'its secrets cannot be opened: they were encrypted with another master key, or are damaged',
      { cause },
    );
  }
}

/** Waits until there is something to do: more entries, unless nothing may be sent, or at a time. */
async function rest(
  feed: LogFeed,
  delivery: Delivery,
  until: Instant | null,
  now: () => Instant,
  signal: AbortSignal,
): Promise<void> {
  const isDue = (): boolean => until !== null && until <= now();
  while (!signal.aborted && !isDue()) {
    const awaitedSnapshot = delivery.awaitsSnapshot;
    if (awaitedSnapshot || delivery.isHeld())
      await pause(LOOK_MS, undefined, { signal }).catch(() => {});
    if (awaitedSnapshot && !delivery.awaitsSnapshot) return;
    if (awaitedSnapshot || delivery.isHeld()) continue;
    if (await feed.waitForNew(delivery.position, until === null ? LISTEN_MS : LOOK_MS, signal))
      return;
  }
}
