import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import { enableOwner } from '../../fleet/plants/owners.ts';
import type { Db } from '../../platform/storage/database.ts';
import { lockSteps, type Closing } from './step.ts';

/**
 * Takes the closing of an account back, before its data is removed. Its plants are seen by it again, and it can log in; what was ended stays ended. As long as
 * something is still to be ended, it stays disabled: otherwise others would see for a moment what they have lost. An account that the operator had disabled
 * before stays disabled, and one that is open stays as it is. Throws invalidValue for one whose data was removed.
 */
export async function reopenAccount(trx: Db, act: Act, accountId: string): Promise<void> {
  const unfinished = await lockSteps(trx, accountId);
  const closed = await trx
    .selectFrom('account')
    .select(['closedAt', 'disabledAt'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (closed.closedAt === null) return;
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({ closedAt: null, removeAt: null })
    .where('id', '=', accountId)
    .where('removeAt', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw refusedNow('email', 'an account whose data was not removed');
  if (closed.disabledAt === closed.closedAt && !unfinished) await enableOwner(trx, act, accountId);
  await recordAudit(trx, act, { kind: 'account.reopened', accountId });
}

/** Enables an account whose closing was taken back before everything was ended. */
export async function enableReopened(trx: Db, act: Act, { accountId, at }: Closing): Promise<void> {
  const { closedAt, disabledAt } = await trx
    .selectFrom('account')
    .select(['closedAt', 'disabledAt'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (closedAt === null && disabledAt === at)
    await enableOwner(trx, { ...act, actor: 'service', address: null }, accountId);
}
