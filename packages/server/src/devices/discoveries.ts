import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, Instant } from '../storage/database.ts';

/** A serial number that a collector in a plant has reported without a device of that number being bound there. */
export interface Discovery {
  readonly sn: string;
  readonly collectorId: string;
  readonly plantId: string | null;
  readonly ownerId: string;
  /** The time since which the collector has been reporting it without a break of a day. */
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

/** Refused reports of certain serial numbers, the latest last. */
export const listDiscoveries = (trx: Db, serialNumbers: readonly string[]): Promise<Discovery[]> =>
  trx
    .selectFrom('collectorRefusal as refusal')
    .innerJoin('device as collector', 'collector.id', 'refusal.collectorId')
    .innerJoin('plant', 'plant.id', 'collector.plantId')
    .select(['refusal.sn', 'refusal.collectorId', 'refusal.firstAt', 'refusal.lastAt', 'collector.plantId', 'plant.ownerId'])
    .where(anyOf(trx, 'refusal.sn', listParameter(trx, serialNumbers)))
    .orderBy('refusal.lastAt')
    .execute();
