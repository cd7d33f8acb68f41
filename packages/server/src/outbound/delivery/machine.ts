import type { Instant } from '../../platform/storage/database.ts';
import type { Outcome } from '../sinks/sink.ts';
import { afterAttempt, leftAlone, type Health, type Moment, type Purpose } from './health.ts';
import { EVENTS, pauseAfter, type Schedule } from './schedule.ts';

/** How often the first thing of a queue was tried in vain, and when it is tried again. */
export interface Retry {
  readonly attempts: number;
  readonly nextAt: Instant;
  readonly reason: string;
  readonly excerpt: string | null;
}

/** A queue that waits: the things of one device in their order, or a single message. `Head`: where it begins. */
export type Waiting<Head extends object> = Head & Retry;

/** A receiver (a destination, a webhook, a browser, a mail server) and what waits for it, by the keys of the queues. */
export interface DeliveryState<Head extends object> {
  readonly health: Health;
  readonly waiting: ReadonlyMap<string, Waiting<Head>>;
}

/** Why something did not arrive. */
export type NotDelivered = Exclude<Outcome, { kind: 'delivered' }>;

export type DeliveryEvent<Head extends object> =
  /** Something was sent, of however many queues. */
  | ({ readonly is: 'sent'; readonly outcome: Outcome; readonly purpose: Purpose } & Moment)
  /** Probes were refused one after the other: the peer is there, and took none. */
  | ({ readonly is: 'probesRefused' } & Moment)
  /** The first thing of a queue was not taken. `beyond`: where the queue goes on if it is given up; null = nowhere. `endsAt`: after that, it is of no use. */
  | ({
      readonly is: 'stuck';
      readonly key: string;
      readonly head: Head;
      readonly beyond: Head | null;
      readonly outcome: NotDelivered;
      readonly schedule?: Schedule;
      readonly endsAt?: Instant;
    } & Moment)
  /** The first things of a queue were taken. `head`: where it goes on; null = nothing waits in it any more. */
  | ({ readonly is: 'advanced'; readonly key: string; readonly head: Head | null } & Moment);

/** What an event changes. */
export interface DeliveryChange<Head extends object> {
  readonly health?: Health;
  /** Queues that are to be stored; null = it waits no more. */
  readonly waiting?: ReadonlyMap<string, Waiting<Head> | null>;
  /** The first thing of a queue is given up: a dead letter. */
  readonly dead?: {
    readonly key: string;
    readonly reason: string;
    readonly excerpt: string | null;
  };
}

/** What changes in a delivery when something happens. Given and stored by the sender; nothing here waits, reads a clock or throws dice. */
export function next<Head extends object>(
  state: DeliveryState<Head>,
  event: DeliveryEvent<Head>,
): DeliveryChange<Head> {
  switch (event.is) {
    case 'sent':
      return sent(state, event);
    case 'probesRefused':
      return { health: leftAlone(state.health, event) };
    case 'stuck':
      return stuck(state, event);
    case 'advanced':
      return advanced(state, event);
  }
}

/** A delivery after a change. */
export function after<Head extends object>(
  state: DeliveryState<Head>,
  change: DeliveryChange<Head>,
): DeliveryState<Head> {
  const waiting = new Map(state.waiting);
  for (const [key, queue] of change.waiting ?? [])
    if (queue) waiting.set(key, queue);
    else waiting.delete(key);
  return { health: change.health ?? state.health, waiting };
}

/** What several events change, one after the other. */
export function nextOf<Head extends object>(
  state: DeliveryState<Head>,
  events: readonly DeliveryEvent<Head>[],
): DeliveryChange<Head> {
  const waiting = new Map<string, Waiting<Head> | null>();
  let current = state;
  let dead: DeliveryChange<Head>['dead'];
  for (const event of events) {
    const change = next(current, event);
    current = after(current, change);
    for (const [key, queue] of change.waiting ?? []) waiting.set(key, queue);
    dead = change.dead ?? dead;
  }
  return { health: current.health, waiting, ...(dead && { dead }) };
}

type Event<Head extends object, Is> = Extract<DeliveryEvent<Head>, { is: Is }>;

function sent<Head extends object>(
  { health, waiting }: DeliveryState<Head>,
  { outcome, purpose, at, chance }: Event<Head, 'sent'>,
): DeliveryChange<Head> {
  const changed = afterAttempt(health, outcome, purpose, waiting.size === 0, { at, chance });
  const isBack = health.probes > 0 && changed.probes === 0;
  return isBack ? { health: changed, waiting: dueAtOnce(waiting) } : { health: changed };
}

/** A probe has succeeded: what waits is tried at once, which is no attempt of its schedule: else, a circuit that opens often would use that up. */
const dueAtOnce = <Head extends object>(
  waiting: DeliveryState<Head>['waiting'],
): Map<string, Waiting<Head>> =>
  new Map(
    Array.from(waiting, ([key, queue]) => [
      key,
      { ...queue, attempts: queue.attempts > 1 ? queue.attempts - 1 : queue.attempts, nextAt: 0 },
    ]),
  );

function stuck<Head extends object>(
  { health, waiting }: DeliveryState<Head>,
  event: Event<Head, 'stuck'>,
): DeliveryChange<Head> {
  const { key, head, beyond, outcome, at, chance, schedule = EVENTS, endsAt = Infinity } = event;
  const known = waiting.get(key);
  const why = { reason: outcome.reason, excerpt: excerptOf(outcome) };
  const keep = (queue: Waiting<Head>) => new Map([[key, queue]]);
  // A probe is no attempt of the thing's own schedule.
  if (known && known.nextAt > at)
    return { waiting: keep({ ...head, ...why, attempts: known.attempts, nextAt: known.nextAt }) };
  const attempts = (known?.attempts ?? 0) + 1;
  const pause = pauseAfter(attempts, chance, schedule);
  const nextAt = at + (pause ?? Infinity);
  if (pause !== undefined && Math.max(nextAt, health.nextAt) <= endsAt)
    return { waiting: keep({ ...head, ...why, attempts, nextAt }) };
  const goesOn = beyond && { ...beyond, ...why, attempts: 0, nextAt: 0 };
  return { waiting: new Map([[key, goesOn]]), dead: { key, ...why } };
}

function advanced<Head extends object>(
  { waiting }: DeliveryState<Head>,
  { key, head }: Event<Head, 'advanced'>,
): DeliveryChange<Head> {
  const { reason = '', excerpt = null } = waiting.get(key) ?? {};
  return {
    waiting: new Map([[key, head && { ...head, reason, excerpt, attempts: 0, nextAt: 0 }]]),
  };
}

const excerptOf = (outcome: NotDelivered): string | null =>
  (outcome.kind === 'failed' ? outcome.excerpt : undefined) ?? null;
