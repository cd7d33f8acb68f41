import type { Position } from '../../../platform/events/position.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import { isHeldAt, type Purpose } from '../../delivery/health.ts';
import { next, type DeliveryEvent, type DeliveryState } from '../../delivery/machine.ts';
import type { Random } from '../../delivery/schedule.ts';
import type { Outcome } from '../../sinks/sink.ts';
import type { Destination } from '../destinations/destinations.ts';
import type { Pending } from './outgoing.ts';
import type { Changes, DeadLetter, Progress, StreamHead, WaitingDevice } from './progress.ts';

/** How far a destination is, in memory, and what of that is not stored yet. */
export interface Stream {
  readonly destination: Destination;
  readonly state: DeliveryState<StreamHead>;
  /** Up to where the live stream has come. */
  position: Position;
  /** Whether the live stream waits for a snapshot. */
  awaitsSnapshot: boolean;
  /** Events beyond the position that were taken as probes. */
  readonly probed: Set<string>;
  /** Notes what became of events that were sent. */
  sent(outcome: Outcome, events: readonly Pending[], purpose: Purpose): void;
  /** Notes what became of a queue, or of probes. `pending`: the event that was not taken. */
  happened(event: QueueEvent, pending?: Pending): void;
  /** Whether to send nothing for now. */
  isHeld(): boolean;
  /** What has to be stored; undefined if nothing has changed that matters. `all`: also how far it has read in vain. */
  takeChanges(all: boolean): Changes | undefined;
}

type QueueEvent = Untimed<Exclude<DeliveryEvent<StreamHead>, { is: 'sent' }>>;
type Untimed<E> = E extends unknown ? Omit<E, 'at' | 'chance'> : never;

export interface StreamDeps {
  readonly signal: AbortSignal;
  readonly random: Random;
  /** Called with the events that were taken. */
  onDelivered(events: readonly Pending[]): void;
  now(): Instant;
}

type Counted = Pick<Changes, 'delivered' | 'failures' | 'deliveredAt' | 'failure'>;

const NOTHING: Counted = {
  delivered: 0,
  failures: 0,
  deliveredAt: undefined,
  failure: undefined,
};

export function createStream(
  { signal, random, onDelivered, now }: StreamDeps,
  destination: Destination,
  progress: Progress,
): Stream {
  const { waiting } = progress;
  const state = { health: progress.health, waiting };
  const unsaved = {
    counted: NOTHING,
    hasNewHealth: false,
    waiting: new Map<string, WaitingDevice | null>(),
    deadLetters: [] as DeadLetter[],
  };
  let savedAt = progress.position;

  function take(event: DeliveryEvent<StreamHead>, pending?: Pending): void {
    const change = next(state, event);
    if (change.health) [state.health, unsaved.hasNewHealth] = [change.health, true];
    for (const [subject, device] of change.waiting ?? []) {
      unsaved.waiting.set(subject, device);
      if (device) waiting.set(subject, device);
      else waiting.delete(subject);
    }
    if (change.dead) {
      const { reason, excerpt } = change.dead;
      unsaved.deadLetters.push({ pending: pending!, reason, excerpt, at: now() });
    }
  }

  const stream: Stream = {
    destination,
    state,
    position: progress.position,
    awaitsSnapshot: progress.awaitsSnapshot,
    probed: new Set(),
    isHeld: () => signal.aborted || isHeldAt(state.health, now()),
    sent(outcome, events, purpose) {
      const at = now();
      unsaved.counted = counted(unsaved.counted, outcome, events.length, at);
      if (outcome.kind === 'delivered') onDelivered(events);
      take({ is: 'sent', outcome, purpose, at, chance: random() });
    },
    happened: (event, pending) => take({ ...event, at: now(), chance: random() }, pending),
    takeChanges(all) {
      const hasMoved = all && stream.position !== savedAt;
      if (!unsaved.hasNewHealth && unsaved.waiting.size === 0 && !hasMoved) return undefined;
      const { endedFor: _, ...health } = state.health;
      const { deadLetters } = unsaved;
      const changes: Changes = {
        destinationId: destination.id,
        progress: { position: stream.position, ...health },
        ...unsaved.counted,
        waiting: new Map(unsaved.waiting),
        deadLetters,
      };
      savedAt = stream.position;
      [unsaved.counted, unsaved.hasNewHealth, unsaved.deadLetters] = [NOTHING, false, []];
      unsaved.waiting.clear();
      return changes;
    },
  };
  return stream;
}

/** Counts with one more attempt. A peer that wants nothing more is no failure. */
function counted(counts: Counted, outcome: Outcome, events: number, at: Instant): Counted {
  if (outcome.kind === 'delivered')
    return { ...counts, delivered: counts.delivered + events, deliveredAt: at };
  if (outcome.kind === 'gone') return counts;
  const { reason, excerpt = null } = outcome;
  return { ...counts, failures: counts.failures + 1, failure: { at, reason, excerpt } };
}
