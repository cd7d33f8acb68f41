import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import { createBell } from '../../../platform/work/bell.ts';
import type { Again, Handler, Run } from '../../../platform/work/lane.ts';
import type { UseCounts } from '../../../identity/oauth/uses/count-uses.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import {
  disableDestination,
  getDestination,
  type Destination,
} from '../destinations/destinations.ts';
import {
  openDestination,
  optionsOf,
  unsealSecrets,
  type DestinationSecrets,
} from '../destinations/settings.ts';
import { shardOf } from '../destinations/shards.ts';
import type { OpenDestination, Sink } from '../../sinks/sink.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createLogFeed, type LogFeed } from './feed.ts';
import { loadProgress, putOff, saveChanges, type Changes } from './progress.ts';
import { listSnapshots } from '../snapshots/snapshots.ts';
import { serveSnapshot } from '../snapshots/send.ts';
import type { Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { Pending } from './outgoing.ts';
import { listReplays, serveReplay, type ReplayDeps } from './replaying.ts';
import type { Random } from './schedule.ts';

export interface DispatcherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Pick<Logger, 'warn'>;
  readonly secretBox: SecretBox;
  readonly telemetry: Pick<Telemetry, 'latestOf'>;
  /** Opens the sink of a destination. */
  openSink(destination: OpenDestination): Promise<Sink>;
  /** What owners are shown of what their applications were sent. */
  readonly uses?: Pick<UseCounts, 'forwarded'>;
  readonly random?: Random;
  /** How long a run goes on after the last event, before it gives its lease back. */
  readonly idleMs?: number;
}

/** A run gives way to another instance after this time, long before the limit of its lane. */
const RUN_MS = 40_000;
const IDLE_MS = 5_000;
/** How often progress is stored, and things are looked at that nobody tells of. */
const SAVE_MS = 200;
/** Less often where that takes long: a fortieth of the time, so that the parts of a database together hold up deliveries for a tenth of it at most. */
const SAVING_SHARE = 40;
const SAVE_AT_MOST_MS = 5_000;
/** How often destinations that were added or changed are looked for. What was paused is noticed before each attempt. */
const LOOK_MS = 1_000;

/** Destinations that may be served, by whoever holds the lease of their part. */
export const listServable = (db: Db): Promise<Pick<Destination, 'id' | 'revision'>[]> =>
  db
    .selectFrom('destination')
    .innerJoin('application', 'application.id', 'destination.applicationId')
    .select(['destination.id', 'destination.revision'])
    .where('destination.state', '=', 'active')
    .where('application.status', '=', 'approved')
    .where('application.disabledAt', 'is', null)
    .orderBy('destination.id')
    .execute();

class SecretsLost extends Error {}

/** A destination that is being served. */
interface Served {
  readonly destination: Destination;
  readonly delivery: Delivery;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** When there is something to do again without news; undefined while it works. */
  idleUntil(): Instant | null | undefined;
  /** Replays and snapshots that are being sent, by their ids. */
  readonly beside: Set<string>;
}

export interface Dispatcher extends Handler {
  /** Ends all runs soon. What is under way is sent again by whoever goes on. */
  close(): void;
}

/** Delivers events to a part of the destinations, each on its own, until none has anything to do for a while. */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const feed = createLogFeed(deps.db);
  const closing = new AbortController();
  return {
    run: (run) => dispatch(deps, feed, closing.signal, run),
    close() {
      closing.abort();
      feed.close();
    },
  };
}

async function dispatch(
  deps: DispatcherDeps,
  feed: LogFeed,
  closing: AbortSignal,
  run: Run,
): Promise<Again | void> {
  const {
    db,
    clock,
    ids,
    logger,
    secretBox,
    telemetry,
    openSink,
    uses,
    random = Math.random,
    idleMs = IDLE_MS,
  } = deps;
  const now = (): Instant => clock.now();
  const served = new Map<string, Served>();
  const underWay = new Set<Promise<void>>();
  const switchedOff = new Set<string>();
  /** Destinations that could not be tried, and when they are again. */
  const unservable = new Map<string, Instant>();
  const bell = createBell();
  const endsAt = performance.now() + RUN_MS;
  let activeAt = performance.now();
  let lookedAt = -Infinity;
  let saveAt = -Infinity;

  /** Waits until there is something to do: more entries, unless nothing may be sent, or at a time. */
  async function rest(
    delivery: Delivery,
    until: Instant | null,
    signal: AbortSignal,
  ): Promise<void> {
    const isDue = (): boolean => until !== null && until <= now();
    while (!signal.aborted && !isDue()) {
      const awaitedSnapshot = delivery.awaitsSnapshot;
      if (awaitedSnapshot || delivery.isHeld())
        await pause(SAVE_MS, undefined, { signal }).catch(() => {});
      if (awaitedSnapshot && !delivery.awaitsSnapshot) return;
      if (awaitedSnapshot || delivery.isHeld()) continue;
      if (await feed.news(delivery.position, until === null ? IDLE_MS : SAVE_MS, signal)) return;
    }
  }

  function secretsOf({ id, secrets }: Destination): DestinationSecrets {
    try {
      return unsealSecrets(secretBox, id, secrets);
    } catch (cause) {
      throw new SecretsLost(
        'its secrets cannot be opened: they were encrypted with another master key, or are damaged',
        { cause },
      );
    }
  }

  async function serve(destination: Destination): Promise<Served> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, run.signal, closing]);
    const settings = openDestination(
      { ...destination, options: optionsOf(destination.options) },
      secretsOf(destination),
      now(),
    );
    const progress = await loadProgress(db, destination.id, now());
    const sink = await openSink(settings);
    const onDelivered = (events: readonly Pending[]): void => {
      for (const { entry } of events) uses?.forwarded(destination.applicationId, entry.accountId);
    };
    const delivery = createDelivery(
      { db, feed, sink, signal, random, onDelivered, now },
      destination,
      progress,
    );
    let idle: Instant | null | undefined;
    let awaitedSnapshot = false;
    const idleUntil = (): Instant | null | undefined =>
      awaitedSnapshot && !delivery.awaitsSnapshot ? undefined : idle;

    async function goOn(): Promise<void> {
      while (!signal.aborted) {
        const round = await delivery.round();
        if (round === 'ended') break;
        if (round === 'more') {
          activeAt = performance.now();
          continue;
        }
        idle = round.until;
        awaitedSnapshot = delivery.awaitsSnapshot;
        bell.ring();
        await rest(delivery, round.until, signal);
        idle = undefined;
      }
      idle = null;
      awaitedSnapshot = false;
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
    return { destination, delivery, stop, ended, idleUntil, beside: new Set() };
  }

  /** Serves what is to be served, and lets go of what was changed, paused or removed. */
  async function look(): Promise<void> {
    const servable = (await listServable(db)).filter(({ id }) => shardOf(id) === run.key);
    const current = new Map(servable.map((destination) => [destination.id, destination]));
    for (const [id, one] of served) {
      if (current.get(id)?.revision === one.destination.revision && !one.stop.signal.aborted)
        continue;
      await letGo(one);
    }
    for (const { id } of servable) {
      if (served.has(id) || (unservable.get(id) ?? 0) > now()) continue;
      unservable.delete(id);
      try {
        served.set(id, await serve(await getDestination(db, id, null)));
      } catch (err) {
        // Its secrets cannot be opened, or it was removed just now. Others must not suffer from that.
        const until =
          err instanceof SecretsLost
            ? await run.transaction((trx) => putOff(trx, id, err.message, now(), random))
            : Infinity;
        unservable.set(id, until);
        logger.warn({ err, destination: id }, 'a destination could not be served');
      }
    }
    for (const replay of await listReplays(db, [...served.keys()], now()))
      sendBeside(replay.destinationId, replay.id, 'a replay could not go on', (given, delivery) =>
        serveReplay(given, delivery, replay),
      );
    for (const snapshot of await listSnapshots(db, [...served.keys()], now()))
      sendBeside(
        snapshot.destinationId,
        'snapshot',
        'a snapshot could not go on',
        (given, delivery) => serveSnapshot({ ...given, telemetry }, delivery, snapshot),
      );
  }

  /** Sends something beside the stream of a destination, unless that is being done, or nothing is to be sent there for now. */
  function sendBeside(
    destination: string,
    id: string,
    fault: string,
    send: (deps: ReplayDeps, delivery: Delivery) => Promise<void>,
  ): void {
    const one = served.get(destination)!;
    if (one.beside.has(id) || one.delivery.isHeld()) return;
    one.beside.add(id);
    activeAt = performance.now();
    const signal = AbortSignal.any([one.stop.signal, run.signal, closing]);
    const sent = send({ db, transaction: run.transaction, signal, random, now }, one.delivery)
      .catch((err: unknown) => logger.warn({ err, destination }, fault))
      .finally(() => {
        one.beside.delete(id);
        underWay.delete(sent);
        bell.ring();
      });
    underWay.add(sent);
  }

  async function letGo(one: Served): Promise<void> {
    one.stop.abort();
    await one.ended;
    await save([one], true);
    served.delete(one.destination.id);
  }

  /** Stores how far destinations are, all in one transaction: only while this run holds the lease. */
  async function save(some: Iterable<Served>, all: boolean): Promise<void> {
    const changes: { one: Served; changes: Changes | undefined }[] = [...some].map((one) => ({
      one,
      changes: one.delivery.takeChanges(all),
    }));
    const disabled = changes.filter(
      ({ one }) => one.delivery.disabledFor !== undefined && !switchedOff.has(one.destination.id),
    );
    if (disabled.length === 0 && changes.every((each) => !each.changes)) return;
    await run.transaction(async (trx) => {
      const changed = changes.flatMap((each) => each.changes ?? []);
      if (changed.length > 0) await saveChanges(trx, changed);
      for (const { one } of disabled) {
        const act = { at: now(), actor: 'service', address: null, newId: ids } as const;
        await disableDestination(trx, act, one.destination, one.delivery.disabledFor!);
      }
    });
    for (const { one } of disabled) switchedOff.add(one.destination.id);
  }

  /** When the part has to be looked at again, if nothing happens before. */
  async function nextAt(): Promise<Instant | undefined> {
    const times = [...served.values()].flatMap((one) => one.idleUntil() ?? []);
    for (const at of unservable.values()) if (Number.isFinite(at)) times.push(at);
    for (const table of ['replay', 'snapshot'] as const) {
      const rows = await db
        .selectFrom(table)
        .select((eb) => ['destinationId', eb.fn.min('nextAt').as('at')])
        .where('endedAt', 'is', null)
        .where(anyOf(db, 'destinationId', listParameter(db, [...served.keys()])))
        .groupBy('destinationId')
        .execute();
      // Nothing can be sent before the destination may be.
      for (const { destinationId, at } of rows)
        times.push(Math.max(at, served.get(destinationId)!.delivery.heldUntil));
    }
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  try {
    for (;;) {
      if (performance.now() - lookedAt >= LOOK_MS) {
        await look();
        lookedAt = performance.now();
      }
      const savingAt = performance.now();
      if (savingAt >= saveAt) {
        await save(served.values(), false);
        const savedAt = performance.now();
        saveAt =
          savedAt +
          Math.min(SAVE_AT_MOST_MS, Math.max(SAVE_MS, (savedAt - savingAt) * SAVING_SHARE));
      }
      const isBusy =
        underWay.size > 0 ||
        [...served.values()].some(
          ({ idleUntil, stop }) => idleUntil() === undefined && !stop.signal.aborted,
        );
      if (run.signal.aborted || closing.aborted || performance.now() > endsAt) break;
      if (!isBusy && performance.now() - activeAt >= idleMs) break;
      await bell.wait(SAVE_MS);
    }
    const next = await nextAt();
    // Whoever is next goes on at once.
    return closing.aborted || performance.now() > endsAt
      ? { dueAt: now() }
      : next === undefined
        ? undefined
        : { dueAt: next };
  } finally {
    for (const { stop } of served.values()) stop.abort();
    await Promise.all([...underWay, ...[...served.values()].map(({ ended }) => ended)]);
    if (!run.signal.aborted) await save(served.values(), true);
  }
}
