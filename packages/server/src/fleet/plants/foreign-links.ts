import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { Overtaken } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';
import { lockDeviceRows } from './lock.ts';

/** The links between devices and the collectors that report for them, if one of the two is in the plant. */
const linksOf = (trx: Db, plantId: string, arrivals: readonly string[] = []) =>
  trx
    .selectFrom('device')
    .innerJoin('device as collector', 'collector.id', 'device.collectorId')
    .where((eb) =>
      eb.or([
        eb('device.plantId', '=', plantId),
        eb('collector.plantId', '=', plantId),
        ...(['device.id', 'collector.id'] as const).map((id) =>
          anyOf(trx, id, listParameter(trx, arrivals)),
        ),
      ]),
    );

/**
 * Locks the devices of a plant that the caller has locked, `arrivals` that are about to be moved there, and the devices linked to any of them, in
 * any plant. Throws Overtaken if there are more of them by then.
 */
export async function lockBoundAndLinked(
  trx: Db,
  plantId: string,
  arrivals: readonly string[] = [],
): Promise<void> {
  const find = async () => {
    const bound = await trx
      .selectFrom('device')
      .select('id')
      .where('plantId', '=', plantId)
      .execute();
    const links = await linksOf(trx, plantId, arrivals)
      .select(['device.id', 'collector.id as collectorId'])
      .execute();
    return new Set([
      ...arrivals,
      ...bound.map(({ id }) => id),
      ...links.flatMap(({ id, collectorId }) => [id, collectorId]),
    ]);
  };
  const locked = await find();
  await lockDeviceRows(trx, [...locked]);
  if (!(await find()).isSubsetOf(locked)) throw new Overtaken();
}

/** Ends the links between the devices of a transferred plant and those of other owners. Both sides must be locked. */
export async function endForeignLinks(trx: Db, plantId: string): Promise<void> {
  const links = await linksOf(trx, plantId)
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .innerJoin('plant as place', 'place.id', 'collector.plantId')
    .select('device.id')
    .whereRef('plant.ownerId', '!=', 'place.ownerId')
    .execute();
  if (links.length === 0) return;
  const ids = links.map(({ id }) => id);
  await trx
    .updateTable('device')
    .set({ collectorId: null })
    .where(anyOf(trx, 'id', listParameter(trx, ids)))
    .execute();
}
