import type { Caller } from '../../accounts/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { reachOf } from '../../plants/access.ts';
import { getDevice, type VisibleDevice } from '../../plants/device-access.ts';
import { presence } from '../../plants/presence.ts';
import type { Db } from '../../storage/database.ts';

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
  try {
    return await getDevice(db, caller, 'inverter', named, 'control');
  } catch (error) {
    if (error instanceof Failure && error.code === 'noPermission') throw new Failure('deviceUnknown');
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
  { serialNumbers, ids }: { readonly serialNumbers?: readonly string[] | undefined; readonly ids?: readonly string[] | undefined },
): Promise<VisibleDevice[]> {
  const found: VisibleDevice[] = [];
  for (const sn of serialNumbers ?? []) found.push(await getControlled(db, caller, { sn }));
  if (!serialNumbers) for (const id of ids!) found.push(await getControlled(db, caller, { id }));
  else if (ids && (ids.length !== found.length || found.some(({ id }) => !ids.includes(id)))) throw new Failure('deviceUnknown');
  return found;
}

/** Whether the device cannot be reached now. */
export const isOutOfReach = ({ collectorId, collectorState }: VisibleDevice): boolean => collectorId === null || collectorState === presence.offline;
