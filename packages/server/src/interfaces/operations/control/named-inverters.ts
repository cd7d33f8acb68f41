import type { Caller } from '../../../identity/accounts/caller.ts';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import { getPlantByNmi, narrow, reachOf } from '../../../fleet/plants/access.ts';
import {
  getDevice,
  listVisibleDevices,
  type VisibleDevice,
} from '../../../fleet/plants/device-access.ts';
import { presence } from '../../../fleet/plants/presence.ts';
import type { Db } from '../../../platform/storage/database.ts';

/**
 * An inverter that the caller may control. Throws deviceUnknown, both for unknown inverters and for those of others; noPermission for a caller who
 * may control nothing at all.
 */
export async function getControlled(
  db: Db,
  caller: Caller,
  named: { readonly sn?: string | undefined; readonly id?: string | undefined },
): Promise<VisibleDevice> {
  reachOf(caller, 'control');
  return unknownAsDevice(() => getDevice(db, caller, 'inverter', named, 'control'));
}

/** In control, whatever somebody does not reach is an unknown device. interface W4 */
async function unknownAsDevice<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Failure && error.code === 'noPermission')
      throw new Failure('deviceUnknown');
    throw error;
  }
}

/**
 * Inverters that the caller may control, in the order in which they are named. If both serial numbers and ids are given, they must name the same
 * inverters. Throws what getControlled throws.
 */
export async function listControlled(
  db: Db,
  caller: Caller,
  {
    serialNumbers,
    ids,
  }: {
    readonly serialNumbers?: readonly string[] | undefined;
    readonly ids?: readonly string[] | undefined;
  },
): Promise<VisibleDevice[]> {
  const found: VisibleDevice[] = [];
  for (const sn of serialNumbers ?? []) found.push(await getControlled(db, caller, { sn }));
  if (!serialNumbers) for (const id of ids!) found.push(await getControlled(db, caller, { id }));
  else if (ids && (ids.length !== found.length || found.some(({ id }) => !ids.includes(id))))
    throw new Failure('deviceUnknown');
  return found;
}

const AT_ONCE = 100;

/**
 * The inverters of the plant with a meter id, or those of them that are named; without a meter id, the named ones. Throws like
 * getControlled, and invalidValue for a plant that has too many.
 */
export async function listOfMeter(
  db: Db,
  caller: Caller,
  {
    nmiCode,
    ...named
  }: Parameters<typeof listControlled>[2] & { readonly nmiCode?: string | undefined },
): Promise<VisibleDevice[]> {
  const reach = reachOf(caller, 'control');
  const ofMeter =
    nmiCode === undefined
      ? undefined
      : await unknownAsDevice(() => getPlantByNmi(db, caller, nmiCode, 'control'));
  if (named.serialNumbers || named.ids) {
    const inverters = await listControlled(db, caller, named);
    if (ofMeter && inverters.some(({ plantId }) => plantId !== ofMeter.id))
      throw new Failure('deviceUnknown');
    return inverters;
  }
  const inverters = await listVisibleDevices(
    db,
    { reach: narrow(reach, [ofMeter!.id]), kind: 'inverter' },
    { pageNo: 1, pageSize: AT_ONCE + 1 },
    AT_ONCE,
  );
  if (inverters.length === 0) throw new Failure('deviceUnknown');
  if (inverters.length > AT_ONCE)
    throw invalidValue('nmiCode', `the meter of a plant of at most ${AT_ONCE} inverters`);
  return inverters;
}

/** Whether the device cannot be reached now. */
export const isOutOfReach = ({ collectorId, collectorState }: VisibleDevice): boolean =>
  collectorId === null || collectorState === presence.offline;
