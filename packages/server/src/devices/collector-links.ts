import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db } from '../storage/database.ts';

/** A plant that the caller holds locked. */
export interface Home {
  readonly id: string;
  readonly ownerId: string;
}

/**
 * Says which collectors report for the devices of a plant after some came to it: a collector and what it reports for never stand
 * with two owners, or one could make up readings of the other.
 */
export async function linkArrivals(trx: Db, home: Home, deviceIds: readonly string[]): Promise<void> {
  await releaseStrangers(trx, home, deviceIds);
  const orphans = await findOrphans(trx, home);
  if (orphans.length === 0) return;
  const remembered = await findRemembering(trx, home, orphans);
  const only = await findOnlyCollector(trx, home);
  const arrived = new Set(deviceIds);
  const targets = Map.groupBy(orphans, ({ id, sn, collectorId }) => remembered.get(sn) ?? only ?? (arrived.has(id) ? null : collectorId));
  for (const [collectorId, devices] of targets) {
    await trx
      .updateTable('device')
      .set({ collectorId })
      .where(
        anyOf(
          trx,
          'id',
          listParameter(
            trx,
            devices.map(({ id }) => id),
          ),
        ),
      )
      .execute();
  }
}

/** Collectors that came no longer report for what stands with another owner. */
const releaseStrangers = (trx: Db, { ownerId }: Home, collectorIds: readonly string[]): Promise<unknown> =>
  trx
    .updateTable('device')
    .set({ collectorId: null })
    .where(anyOf(trx, 'collectorId', listParameter(trx, collectorIds)))
    .where('plantId', 'in', (eb) => eb.selectFrom('plant').select('id').where('ownerId', '!=', ownerId))
    .execute();

interface Orphan {
  readonly id: string;
  readonly sn: string;
  readonly collectorId: string | null;
}

/** Devices of the plant that no collector of its owner reports for. */
const findOrphans = (trx: Db, { id, ownerId }: Home): Promise<Orphan[]> =>
  trx
    .selectFrom('device')
    .leftJoin('device as collector', 'collector.id', 'device.collectorId')
    .leftJoin('plant as place', 'place.id', 'collector.plantId')
    .select(['device.id', 'device.sn', 'device.collectorId'])
    .where('device.plantId', '=', id)
    .where('device.kind', '!=', 'collector')
    .where((eb) => eb.or([eb('place.ownerId', 'is', null), eb('place.ownerId', '!=', ownerId)]))
    .execute();

/** Serial number -> the collector of the owner that reported it in vain, one in this plant before others, the latest of several. */
async function findRemembering(trx: Db, { id, ownerId }: Home, orphans: readonly Orphan[]): Promise<Map<string, string>> {
  const serialNumbers = orphans.map(({ sn }) => sn);
  const rows = await listRemembering(trx, ownerId, serialNumbers);
  const here = rows.filter(({ plantId }) => plantId === id);
  return new Map([...rows, ...here].map(({ sn, collectorId }) => [sn, collectorId]));
}

/** The collectors in an owner's plants that reported some serial numbers in vain, the latest last. */
export const listRemembering = (
  trx: Db,
  ownerId: string,
  serialNumbers: readonly string[],
): Promise<{ sn: string; collectorId: string; plantId: string | null }[]> =>
  trx
    .selectFrom('collectorRefusal as refusal')
    .innerJoin('device as collector', 'collector.id', 'refusal.collectorId')
    .innerJoin('plant', 'plant.id', 'collector.plantId')
    .select(['refusal.sn', 'refusal.collectorId', 'collector.plantId'])
    .where(anyOf(trx, 'refusal.sn', listParameter(trx, serialNumbers)))
    .where('plant.ownerId', '=', ownerId)
    .orderBy('refusal.lastAt')
    .execute();

/** The plant's collector, where it has one and no more. */
async function findOnlyCollector(trx: Db, { id }: Home): Promise<string | undefined> {
  const [first, second] = await trx.selectFrom('device').select('id').where('plantId', '=', id).where('kind', '=', 'collector').limit(2).execute();
  return second ? undefined : first?.id;
}
