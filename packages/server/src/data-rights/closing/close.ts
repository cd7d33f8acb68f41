import { DAY_MS } from '@helioport/contract/durations';
import type { Account } from '../../identity/accounts/accounts.ts';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { dropMailTokens } from '../../identity/accounts/mail-tokens/tokens.ts';
import { endSessions } from '../../identity/accounts/sessions.ts';
import { endSupport, supportOf } from '../../identity/accounts/support.ts';
import { cancelExport, listExports } from '../exports/rows.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import type { Outbox } from '../../identity/mail/outbox.ts';
import { endAllAccess } from '../../control/commands/all-access.ts';
import { disableApplication, listApplications } from '../../identity/oauth/applications.ts';
import { forgetInvitations } from '../../fleet/plants/companies/invitations.ts';
import { endMembershipOf } from '../../fleet/plants/companies/members.ts';
import { lockAllPlants } from '../../fleet/plants/lock.ts';
import { disableOwner } from '../../fleet/plants/owners.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { closedLetter } from './letters.ts';
import { beginSteps, lockSteps } from './step.ts';

export interface ClosingDeps {
  /** null = no e-mails are sent. */
  readonly outbox: Outbox | null;
  /** In days. */
  readonly closedRetention: number;
}

/**
 * Closes an account: from the next request on, nothing and nobody has access by it, and nobody sees its plants. What there may be thousands of (shares,
 * strategies, commands) is ended in steps (run.ts), which nobody can see. Its plants keep their devices until its data is removed, so that settings are
 * restored and the account can be taken back. Returns when it is removed. Throws invalidValue.
 */
export async function closeAccount(
  trx: Db,
  act: Act,
  { outbox, closedRetention }: ClosingDeps,
  account: Account,
): Promise<Instant> {
  const { id, email } = account;
  const unfinished = await lockSteps(trx, id);
  // It was closed before and is disabled for that alone, until everything has ended (reopen.ts).
  const again = unfinished?.at === account.disabledAt ? { disabledAt: act.at } : {};
  await beginSteps(trx, act, id, 'close');
  await endAllAccess(trx, act, id);
  for (const application of await listApplications(trx, id))
    if (application.disabledAt === null) await disableApplication(trx, act, application.id);
  for (const one of await listExports(trx, id)) await cancelExport(trx, act, id, one.id);
  const support = await supportOf(trx, act.at, id);
  if (support) await endSupport(trx, act, support.id, id);
  await endSessions(trx, id);
  await dropMailTokens(trx, id);
  await trx.deleteFrom('mail').where('accountId', '=', id).execute();
  // A writer that shares a plant, hands one over or answers an invitation has locked it, and looks at the account only then.
  await lockAllPlants(trx);
  const removeAt = act.at + closedRetention * DAY_MS;
  const closed = await trx
    .updateTable('account')
    .set({ closedAt: act.at, removeAt, ...again })
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
  if (closed.numUpdatedRows === 0n) throw refusedNow('email', 'an account that is not closed');
  await endInvitationsOf(trx, act, account);
  await endMembershipOf(trx, act, id);
  await disableOwner(trx, act, id);
  await recordAudit(trx, act, { kind: 'account.closed', accountId: id, data: { removeAt } });
  // Not as the account's, since a disabled account gets no e-mails.
  await outbox?.post(trx, act.at, {
    accountId: null,
    address: email,
    letter: closedLetter(account, removeAt),
    expiresAt: act.at + DAY_MS,
  });
  return removeAt;
}

async function endInvitationsOf(trx: Db, act: Act, { id, email }: Account): Promise<void> {
  const open = trx.updateTable('invitation').where('state', '=', 'open');
  await open
    .set({ state: 'withdrawn', answeredAt: act.at })
    .where('fromAccountId', '=', id)
    .execute();
  await open
    .set({ state: 'declined', answeredAt: act.at })
    .where((eb) => eb.or([eb('accountId', '=', id), eb('email', '=', email)]))
    .execute();
  await forgetInvitations(trx, { id, email });
}
