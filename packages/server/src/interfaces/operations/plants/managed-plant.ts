import type { Caller } from '../../../identity/accounts/caller.ts';
import { getPlant, type VisiblePlant } from '../../../fleet/plants/access.ts';
import { lockPlant } from '../../../fleet/plants/lock.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { getNamedPlant } from './plants.ts';

/** A plant that the caller owns, locked until the transaction ends. Throws noPermission, both for unknown plants and for those of others. */
export async function lockManagedPlant(
  trx: Db,
  caller: Caller,
  named: { readonly id?: string | undefined; readonly nmiCode?: string | undefined },
): Promise<VisiblePlant> {
  const { id } = await getNamedPlant({ db: trx }, caller, named, 'manage');
  await lockPlant(trx, id);
  // The plant may have been transferred while we waited for the lock.
  return getPlant(trx, caller, id, 'manage');
}
