import type { Db, Instant } from '../../../platform/storage/database.ts';
import { armTasks } from '../../../platform/work/arm.ts';

/** The lane in which events are delivered. Its tasks are parts of the destinations, so that instances share them. */
export const FORWARD = 'forward';

/** How many instances can share the destinations. */
const SHARDS = 4;

/** The part of the destinations that one belongs to. */
export const shardOf = (destinationId: string): string =>
  String(BigInt(destinationId) % BigInt(SHARDS));

/** Has a destination looked at now: there is something for it, or it may be tried again. */
export const armDestination = (trx: Db, destinationId: string, now: Instant): Promise<void> =>
  armTasks(trx, FORWARD, [shardOf(destinationId)], now);
