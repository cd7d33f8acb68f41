import { disableAccount, enableAccount } from '../../identity/accounts/accounts.ts';
import type { Act } from '../../identity/accounts/audit.ts';
import type { Db } from '../../platform/storage/database.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import { findMembership } from './companies/companies.ts';
import { countIn, countOut } from './fleet/counters.ts';
import { lockAllPlants } from './lock.ts';

/** Disables an account; its plants are also hidden from those with whom they are shared. */
export async function disableOwner(trx: Db, act: Act, accountId: string): Promise<void> {
  await lockAllPlants(trx);
  await countOut(trx, { ownerId: accountId });
  await disableAccount(trx, act, accountId);
}

/** Enables an account again, and its plants for everybody who could see them. */
export async function enableOwner(trx: Db, act: Act, accountId: string): Promise<void> {
  await lockAllPlants(trx);
  // Normally, the account is disabled, and this removes nothing. If it is not, this removes everything first, so that nothing is counted twice.
  await countOut(trx, { ownerId: accountId });
  await enableAccount(trx, act, accountId);
  await countIn(trx, { ownerId: accountId });
}

/** Refuses an account that owns a plant, archived ones included, has a share of one or belongs to a company; it can get neither until the transaction ends. Throws invalidValue. */
export async function requireNoPlants(trx: Db, accountId: string): Promise<void> {
  await lockAllPlants(trx);
  // An owner has access too, also to an archived plant.
  const access = await trx
    .selectFrom('plantAccess')
    .select('plantId')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (access)
    throw refusedNow('role', 'an account without plants and shares: operators see no plants');
  if (await findMembership(trx, accountId))
    throw refusedNow('role', 'an account that belongs to no company: operators see no plants');
}

/** Whether there are plants of several accounts, archived ones included. */
export const haveSeveralOwners = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('plant').select('ownerId').distinct().limit(2).execute()).length > 1;
