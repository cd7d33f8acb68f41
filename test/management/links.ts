import type { Db } from '../../packages/server/src/platform/storage/database.ts';

/** Devices that a collector of another owner reports for. */
export const linksAcrossOwners = (db: Db): Promise<{ sn: string }[]> =>
  db
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .innerJoin('device as collector', 'collector.id', 'device.collectorId')
    .innerJoin('plant as place', 'place.id', 'collector.plantId')
    .select('device.sn')
    .whereRef('plant.ownerId', '!=', 'place.ownerId')
    .execute();
