import type { Permission } from '@helioport/contract';
import type { Caller } from '../../identity/accounts/caller.ts';
import type { Db } from '../../platform/storage/database.ts';
import { getPlant, type VisiblePlant } from './access.ts';
import { lockPlant } from './lock.ts';

/** Locks a plant until the transaction ends, if the caller has the permission for it before and after waiting for the lock. Throws noPermission. */
export async function lockVisible(
  trx: Db,
  caller: Caller,
  plantId: string,
  permission: Permission,
): Promise<VisiblePlant> {
  // Strangers do not keep others from a plant.
  await getPlant(trx, caller, plantId, permission);
  await lockPlant(trx, plantId);
  return getPlant(trx, caller, plantId, permission);
}
