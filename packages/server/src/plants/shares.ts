import { getAccountByEmail } from '../accounts/accounts.ts';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { Failure, invalidValue } from '../kernel/failure.ts';
import type { Db } from '../storage/database.ts';
import { grantAccess, withdrawAccess } from './access.ts';
import { countIn, countOut } from './counters.ts';
import { lockPlant } from './lock.ts';

/** What a share allows. */
export type ShareLevel = 'read' | 'control';

/** Shares a plant with the account of an e-mail address, or changes what its share allows. Throws noPermission, accountUnknown, invalidValue for the owner's own. */
export async function sharePlant(trx: Db, act: Act, plantId: string, email: string, level: ShareLevel): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const account = await getAccountByEmail(trx, email);
  if (account.id === plant.ownerId) throw invalidValue('email', 'somebody else than the owner');
  const isNew = await grantAccess(trx, { plantId, accountId: account.id, level, at: act.at });
  if (isNew) await countIn(trx, { plantId, accountId: account.id });
  await record(trx, act, 'plant.shared', [plant.ownerId, account.id], { plantId, with: account.id, level });
}

/** Withdraws a share with effect on the next request. Throws noPermission, accountUnknown when it is not shared with that address. */
export async function unsharePlant(trx: Db, act: Act, plantId: string, email: string): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const account = await getAccountByEmail(trx, email);
  await countOut(trx, { plantId, accountId: account.id });
  if (!(await withdrawAccess(trx, plantId, account.id))) throw new Failure('accountUnknown', { message: 'the plant is not shared with this user' });
  await record(trx, act, 'plant.unshared', [plant.ownerId, account.id], { plantId, with: account.id });
}

// Both sides may read what happened.
async function record(trx: Db, act: Act, kind: 'plant.shared' | 'plant.unshared', accountIds: string[], data: Record<string, string>): Promise<void> {
  for (const accountId of accountIds) await recordAudit(trx, act, { kind, accountId, data });
}
