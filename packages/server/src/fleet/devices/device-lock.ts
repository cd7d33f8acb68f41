import { lockPlants } from '../plants/lock.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, DeviceTable, Flag, Instant } from '../../platform/storage/database.ts';
import { forChange } from '../../platform/storage/lock.ts';

/** The columns of a device that determine its state, read under the lock. */
export interface LockedDevice {
  readonly id: string;
  readonly sn: string;
  readonly kind: DeviceTable['kind'];
  readonly plantId: string | null;
  readonly state: number;
  readonly stateSince: Instant;
  readonly offlineAbnormal: Flag;
  readonly openAlarms: number;
  readonly expectedSeconds: number;
  readonly checkAt: Instant | null;
}

/**
 * Locks the plants of devices and then the devices, each in id order. A device that was moved in between is left out: the one who
 * moved it has set its state, and the next report or check will find it. The plants in `plantIds` are locked as well. Of the
 * devices in `besides`, only the rows are locked, for writes that do not concern their plants.
 */
export async function lockDevices(
  trx: Db,
  deviceIds: readonly string[],
  {
    plantIds = [],
    besides = [],
  }: { plantIds?: readonly string[]; besides?: readonly string[] } = {},
): Promise<LockedDevice[]> {
  const ids = listParameter(trx, deviceIds);
  const places = await trx
    .selectFrom('device')
    .select('plantId')
    .distinct()
    .where(anyOf(trx, 'id', ids))
    .execute();
  const locked = new Set<string | null>([...places.map(({ plantId }) => plantId), ...plantIds]);
  await lockPlants(trx, [...locked].filter((id) => id !== null).toSorted());
  const devices = trx
    .selectFrom('device')
    .select([
      'id',
      'sn',
      'kind',
      'plantId',
      'state',
      'stateSince',
      'offlineAbnormal',
      'openAlarms',
      'expectedSeconds',
      'checkAt',
    ])
    .where(anyOf(trx, 'id', listParameter(trx, [...deviceIds, ...besides])))
    .orderBy('id');
  const rows = await forChange(trx, devices).execute();
  const wanted = new Set(deviceIds);
  return rows.filter(
    ({ id, plantId }) => wanted.has(id) && (plantId === null || locked.has(plantId)),
  );
}
