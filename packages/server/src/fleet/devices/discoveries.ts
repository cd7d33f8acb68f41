import type { DiscoveryRecord } from '@helioport/contract';
import { sql } from 'kysely';
import { readDescription } from './description.ts';
import { reachParameters, visible, type Reach, type ReachParameters } from '../plants/access.ts';
import { waitingReadings } from './waiting-readings.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** A serial number that a collector in a plant has reported without a device of that number being bound there. */
export interface Discovery {
  readonly sn: string;
  readonly collectorId: string;
  readonly plantId: string | null;
  readonly ownerId: string;
  /** The time since which the collector has been reporting it without a break of a day. */
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** How it described itself, as JSON; null if it has not. */
  readonly described: string | null;
}

/** Refused reports of certain serial numbers, the latest last. */
export const listDiscoveries = (trx: Db, serialNumbers: readonly string[]): Promise<Discovery[]> =>
  trx
    .selectFrom('collectorRefusal as refusal')
    .innerJoin('device as collector', 'collector.id', 'refusal.collectorId')
    .innerJoin('plant', 'plant.id', 'collector.plantId')
    .select([
      'refusal.sn',
      'refusal.collectorId',
      'refusal.firstAt',
      'refusal.lastAt',
      'refusal.described',
      'collector.plantId',
      'plant.ownerId',
    ])
    .where(anyOf(trx, 'refusal.sn', listParameter(trx, serialNumbers)))
    .orderBy('refusal.lastAt')
    .execute();

const waiting = prepareQuery(
  (db, p: ParameterOf<ReachParameters & { named: number; sn: string; limit: number }>) => {
    const refused = visible(db, p)
      .innerJoin('device as collector', 'collector.plantId', 'plant.id')
      .innerJoin('collectorRefusal as refusal', 'refusal.collectorId', 'collector.id')
      .leftJoin('device as known', 'known.sn', 'refusal.sn')
      .select([
        'refusal.sn',
        'collector.sn as collectorSn',
        'plant.id as plantId',
        'known.kind',
        'known.model',
      ])
      .select([
        sql<Instant>`min(refusal."firstAt")`.as('firstAt'),
        sql<Instant>`max(refusal."lastAt")`.as('lastAt'),
        sql<number>`cast(sum(refusal."count") as bigint)`.as('count'),
        sql<string | null>`max(refusal.described)`.as('described'),
        sql<number>`cast(max(${waitingReadings}) as bigint)`.as('kept'),
      ])
      .where('known.plantId', 'is', null)
      // What has no serial number cannot be bound.
      .where('refusal.sn', '!=', '')
      .groupBy(['refusal.sn', 'collector.sn', 'plant.id', 'known.kind', 'known.model'])
      .orderBy('lastAt', 'desc')
      .orderBy('refusal.sn')
      .limit(p('limit'));
    return p.has('named') ? refused.where('refusal.sn', '=', p('sn')) : refused;
  },
);

/** Serial numbers, or the given one, that collectors in plants of a reach have reported and that nobody has bound; latest first. */
export async function listWaiting(
  db: Db,
  { reach, limit, sn }: { readonly reach: Reach; readonly limit: number; readonly sn?: string },
): Promise<DiscoveryRecord[]> {
  const rows = await waiting(db, {
    ...reachParameters(db, reach),
    named: sn === undefined ? 0 : 1,
    sn: sn ?? '',
    limit,
  });
  return rows.map(({ described, kind, model, ...row }) => {
    const description = readDescription(described);
    return {
      ...row,
      kind: kind ?? description.kind,
      model: model ?? description.model,
      link: description.link,
    };
  });
}
