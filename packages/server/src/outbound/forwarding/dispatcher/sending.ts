import type { Entry } from '../../../platform/events/read.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Purpose } from '../../delivery/health.ts';
import type { Sink } from '../../sinks/sink.ts';
import {
  attemptAll,
  type AttemptDeps,
  type DeliveryAttempt,
  type AttemptOptions,
} from './attempts.ts';
import type { LogFeed } from './feed.ts';
import { createFilter } from './filter.ts';
import type { Pending } from './outgoing.ts';
import { plantsOf, readPermission, type EventPermission } from './permission.ts';
import type { DestinationStream, StreamDeps } from './stream.ts';

export type SendOptions = AttemptOptions & Purpose;

export interface SendingDeps extends StreamDeps {
  readonly db: Db;
  readonly feed: LogFeed;
  readonly sink: Sink;
}

/** How the steps of a delivery read and send. */
export interface EventSending {
  readonly db: Db;
  readonly stream: DestinationStream;
  now(): Instant;
  attempt(events: readonly Pending[], options?: SendOptions): Promise<DeliveryAttempt>;
  /** Those events of entries that the destination has asked for and may have. Undefined if it is not to be served any more. */
  wanted(
    entries: readonly Entry[],
  ): Promise<
    { readonly selected: readonly Pending[]; readonly permission: EventPermission } | undefined
  >;
}

export function createSending(deps: SendingDeps, stream: DestinationStream): EventSending {
  const { db, sink, signal, now } = deps;
  const { destination, isHeld } = stream;
  const select = createFilter(destination);
  return {
    db,
    stream,
    now,
    async attempt(events, options = {}) {
      const note: AttemptDeps['note'] = (outcome, sent) => stream.sent(outcome, sent, options);
      return attemptAll({ db, sink, destination, signal, now, isHeld, note }, events, options);
    },
    async wanted(entries) {
      const selected = select(entries);
      const plants = plantsOf(selected.map(({ entry }) => entry));
      const permission = await readPermission(db, destination, plants, now());
      return (
        permission && {
          selected: selected.filter(({ entry }) => permission.sinceOf(entry) !== undefined),
          permission,
        }
      );
    },
  };
}
