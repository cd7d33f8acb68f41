import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { NotDelivered } from '../../delivery/machine.ts';
import type { DeliveryOutcome, Sink } from '../../sinks/sink.ts';
import { outgoingOf, type Pending } from './outgoing.ts';
import {
  plantsOf,
  readPermission,
  type EventPermission,
  type PermissionSubject,
} from './permission.ts';

/** Events that are sent at the same time, each lane for other devices. */
const LANES = 8;

export interface AttemptDeps {
  readonly db: Db;
  readonly sink: Sink;
  readonly destination: PermissionSubject;
  readonly signal: AbortSignal;
  now(): Instant;
  /** Whether to send nothing more for now. */
  isHeld(): boolean;
  /** Called with each outcome, for what it says of the destination. */
  note(outcome: DeliveryOutcome, events: readonly Pending[]): void;
}

/** What became of events that were to be sent. */
export interface DeliveryAttempt {
  /** The first event of each device that could not be delivered, and why; later ones of the device were not tried. */
  readonly failed: ReadonlyMap<
    string,
    { readonly pending: Pending; readonly outcome: NotDelivered }
  >;
  /** Events that were not tried, because everything was held. */
  readonly untried: readonly Pending[];
  readonly delivered: readonly Pending[];
  /** Events that may not be sent any more. */
  readonly withheld: readonly Pending[];
}

export interface AttemptOptions {
  readonly lanes?: number;
  /** Most events that are sent together. */
  readonly atMost?: number;
  /** What was read just now of the plants of all these events: what is sent at once need not ask again. */
  readonly permission?: EventPermission;
}

/** Sends events: those of one device one after the other, those of several at the same time. */
export async function attemptAll(
  deps: AttemptDeps,
  events: readonly Pending[],
  { lanes = LANES, atMost = Infinity, permission }: AttemptOptions = {},
): Promise<DeliveryAttempt> {
  const failed = new Map<string, { pending: Pending; outcome: NotDelivered }>();
  const untried: Pending[] = [];
  const delivered: Pending[] = [];
  const withheld: Pending[] = [];
  let fresh = permission;
  const sent = Promise.all(
    divided(events, lanes).map(async (lane) => {
      for (let next = 0; next < lane.length;) {
        const chunk: Pending[] = [];
        while (next < lane.length && chunk.length < Math.min(atMost, deps.sink.atMost)) {
          const pending = lane[next++]!;
          if (!failed.has(pending.event.subject)) chunk.push(pending);
        }
        if (chunk.length === 0) continue;
        const tried = deps.isHeld() ? undefined : await attempt(deps, chunk, fresh);
        if (!tried) {
          untried.push(
            ...chunk,
            ...lane.slice(next).filter(({ event }) => !failed.has(event.subject)),
          );
          return;
        }
        const { outcome, sent: taken } = tried;
        withheld.push(...tried.withheld);
        if (outcome.kind === 'delivered') delivered.push(...taken);
        else
          for (const pending of taken)
            if (!failed.has(pending.event.subject))
              failed.set(pending.event.subject, { pending, outcome });
      }
    }),
  );
  // All lanes have begun by now.
  fresh = undefined;
  await sent;
  return { failed, untried, delivered, withheld };
}

/** Sends those of the events that may be sent at this moment. Undefined if the destination is not to be served any more. */
async function attempt(
  { db, sink, destination, signal, now, note }: AttemptDeps,
  chunk: readonly Pending[],
  fresh: EventPermission | undefined,
) {
  const permission =
    fresh ??
    (await readPermission(db, destination, plantsOf(chunk.map(({ entry }) => entry)), now()));
  if (!permission || signal.aborted) return undefined;
  const [sent, withheld]: [Pending[], Pending[]] = [[], []];
  const outgoing = chunk.flatMap((pending) => {
    const since = permission.sinceOf(pending.entry);
    if (since === undefined) {
      withheld.push(pending);
      return [];
    }
    sent.push(pending);
    return [outgoingOf(pending, since)];
  });
  if (outgoing.length === 0) return { outcome: { kind: 'delivered' } as const, sent, withheld };
  const outcome = await sink.send(outgoing, signal);
  // Ended by us: it says nothing about the destination.
  if (outcome.kind !== 'delivered' && signal.aborted) return undefined;
  note(outcome, sent);
  return { outcome, sent, withheld };
}

// The last digits will do: they alone are a number that can be divided without rounding.
const laneOf = (subject: string, count: number): number => Number(subject.slice(-9)) % count;

function divided(events: readonly Pending[], count: number): Pending[][] {
  const lanes = new Map<number, Pending[]>();
  for (const pending of events) {
    const lane = laneOf(pending.event.subject, count);
    const others = lanes.get(lane);
    if (others) others.push(pending);
    else lanes.set(lane, [pending]);
  }
  return [...lanes.values()];
}
