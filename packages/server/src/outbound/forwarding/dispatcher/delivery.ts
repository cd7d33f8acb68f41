import type { Position } from '../../../platform/events/position.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { Destination } from '../destinations/destinations.ts';
import type { Attempted } from './attempts.ts';
import { catchUp } from './catch-up.ts';
import { sendLive } from './live.ts';
import type { Pending } from './outgoing.ts';
import { createPages } from './pages.ts';
import type { Changes, Progress, WaitingDevice } from './progress.ts';
import { createSending, type DeliveryDeps, type SendOptions } from './sending.ts';
import { createStream, type Stream } from './stream.ts';

/** What a round has come to. `until`: when there is something to do again, unless the log grows; null = not before it does. */
export type Round = 'more' | 'ended' | { readonly until: Instant | null };

/** The delivery of events to one destination, by the process that holds the lease of its part. */
export interface Delivery {
  readonly destination: Destination;
  /** Up to where the live stream has come. */
  readonly position: Position;
  /** Does a limited amount of work. */
  round(): Promise<Round>;
  /** Sends events beside the stream; what fails is the caller's affair. */
  again(
    events: readonly Pending[],
    options?: Omit<SendOptions, 'isBeside' | 'isProbe' | 'permission'>,
  ): Promise<Attempted>;
  /** Whether nothing is to be sent for now. */
  isHeld(): boolean;
  /** Until when, if it is. */
  readonly heldUntil: Instant;
  /** Since when every attempt has failed; null = the last one was a success. */
  readonly failingSince: Instant | null;
  /** Whether the stream waits for a snapshot. */
  readonly awaitsSnapshot: boolean;
  /** Ends that. */
  goOnWithStream(): void;
  /** What has to be stored; undefined if nothing has changed that matters. `all`: also how far it has read in vain. */
  takeChanges(all: boolean): Changes | undefined;
  /** Why the destination is to be switched off, if it is. */
  readonly disabledFor: string | undefined;
}

const WAITING_AT_ONCE = 8;
const REPLAY_LANES = 2;

const NOTHING_SENT: Attempted = { failed: new Map(), untried: [], delivered: [], withheld: [] };

/** Devices that are to be tried now, those first that have been due for longest. A probe is of any. */
function dueDevices({ state: { health, waiting } }: Stream, now: Instant): WaitingDevice[] {
  const isProbing = health.probes > 0;
  return [...waiting.values()]
    .filter(({ nextAt }) => isProbing || nextAt <= now)
    .toSorted((a, b) => a.nextAt - b.nextAt);
}

const nextDueAt = ({ state: { waiting } }: Stream): Instant | null =>
  waiting.size === 0 ? null : Math.min(...Array.from(waiting.values(), ({ nextAt }) => nextAt));

export function createDelivery(
  deps: DeliveryDeps,
  destination: Destination,
  progress: Progress,
): Delivery {
  const { feed, signal, now } = deps;
  const stream = createStream(deps, destination, progress);
  const sending = createSending(deps, stream);
  const pages = createPages(feed);
  const health = () => stream.state.health;
  let turn = 0;

  /** Devices that wait, or the live stream: in turns, so that neither delays the other. Of probes, each may be of another run. */
  async function round(): Promise<Round> {
    if (health().endedFor !== null || signal.aborted) return 'ended';
    if (health().nextAt > now()) return { until: health().nextAt };
    if (stream.awaitsSnapshot) return { until: null };
    const { probes } = health();
    const due = dueDevices(stream, now());
    const catchUpWith = async (devices: readonly WaitingDevice[]): Promise<Round> =>
      (await Promise.all(devices.map((device) => catchUp(sending, device)))).every(Boolean)
        ? 'more'
        : 'ended';
    if (due.length > 0 && (probes > 0 ? probes : ++turn) % 2 === 1)
      return catchUpWith(due.slice(0, probes > 0 ? 1 : WAITING_AT_ONCE));
    const entries = await pages.after(stream.position);
    if (entries.length > 0)
      return (await sendLive(sending, entries, () => pages.readAhead(entries))) ? 'more' : 'ended';
    if (due.length === 0) return { until: nextDueAt(stream) };
    return probes > 0 ? catchUpWith(due.slice(0, 1)) : 'more';
  }

  return {
    destination,
    get position() {
      return stream.position;
    },
    get disabledFor() {
      return health().endedFor ?? undefined;
    },
    isHeld: () => stream.isHeld(),
    get heldUntil() {
      return health().nextAt;
    },
    get failingSince() {
      return health().failingSince;
    },
    get awaitsSnapshot() {
      return stream.awaitsSnapshot;
    },
    goOnWithStream() {
      stream.awaitsSnapshot = false;
    },
    round,
    again: async (events, options = { lanes: REPLAY_LANES }) =>
      events.length === 0 ? NOTHING_SENT : sending.attempt(events, { ...options, isBeside: true }),
    takeChanges: (all) => stream.takeChanges(all),
  };
}
