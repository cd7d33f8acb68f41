import { findAccount, type Account } from '../accounts/accounts.ts';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { dropMailTokens } from '../accounts/mail-tokens/tokens.ts';
import { endSessions } from '../accounts/sessions.ts';
import { endSupport, supportOf } from '../accounts/support.ts';
import { cancelUnsent } from '../commands/cancel.ts';
import { cancelExport, listExports } from '../exports/rows.ts';
import { invalidValue } from '../kernel/failure.ts';
import type { Letter } from '../mail/letter.ts';
import type { Outbox } from '../mail/outbox.ts';
import { endAllAccess } from '../oauth/all-access.ts';
import { disableApplication, listApplications } from '../oauth/applications.ts';
import { lockAllPlants } from '../plants/lock.ts';
import { disableOwner } from '../plants/owners.ts';
import type { Db, Instant } from '../storage/database.ts';
import { endInPlant } from '../strategies/end.ts';
import { closedLetter, unsharedLetter } from './letters.ts';
import { endShares, type EndedShare } from './shares.ts';

export interface ClosingDeps {
  /** null = no e-mails are sent. */
  readonly outbox: Outbox | null;
  /** In days. */
  readonly closedRetention: number;
}

const DAY_MS = 86_400_000;

/**
 * Closes an account: from the next request on, nothing and nobody has access by it. Its plants keep their devices, hidden from everybody, until its
 * data is removed, so that settings are restored and the account can be taken back. Returns when it is removed. Throws invalidValue.
 */
export async function closeAccount(trx: Db, act: Act, { outbox, closedRetention }: ClosingDeps, account: Account): Promise<Instant> {
  const { id, email, closedAt } = account;
  if (closedAt !== null) throw invalidValue('email', 'an account that is not closed');
  await lockAllPlants(trx);
  const ended = await endShares(trx, act, id);
  await endInvitationsOf(trx, act, account);
  await endControl(trx, act, id);
  await endAllAccess(trx, act, id);
  for (const application of await listApplications(trx, id)) if (application.disabledAt === null) await disableApplication(trx, act, application.id);
  for (const one of await listExports(trx, id)) await cancelExport(trx, act, id, one.id);
  const support = await supportOf(trx, act.at, id);
  if (support) await endSupport(trx, act, support.id, id);
  await endSessions(trx, id);
  await dropMailTokens(trx, id);
  for (const table of ['mail', 'newsItem', 'newsMessage'] as const) await trx.deleteFrom(table).where('accountId', '=', id).execute();
  await disableOwner(trx, act, id);
  const removeAt = act.at + closedRetention * DAY_MS;
  await trx.updateTable('account').set({ closedAt: act.at, removeAt }).where('id', '=', id).execute();
  await recordAudit(trx, act, { kind: 'account.closed', accountId: id, data: { removeAt } });
  if (outbox) {
    const post = (letter: Letter, address: string, accountId: string | null): Promise<void> =>
      outbox.post(trx, act.at, { accountId, address, letter, expiresAt: act.at + DAY_MS });
    // Not as the account's, since a disabled account gets no e-mails.
    await post(closedLetter(account, removeAt), email, null);
    for (const [reader, plants] of await readersOf(trx, ended)) await post(unsharedLetter(reader, plants), reader.email, reader.id);
  }
  return removeAt;
}

/** Ends the strategies in the plants of an account, whose devices get their former settings back, and cancels its commands that were not sent yet. */
async function endControl(trx: Db, act: Act, accountId: string): Promise<void> {
  const plants = await trx.selectFrom('plant').select('id').where('ownerId', '=', accountId).where('archivedAt', 'is', null).orderBy('id').execute();
  for (const { id } of plants) await endInPlant(trx, act, id, 'the owner of the plant closed the account');
  const open = await trx.selectFrom('command').select(['id', 'deviceId']).where('endedAt', 'is', null).where('accountId', '=', accountId).execute();
  await cancelUnsent(trx, act, open, 'the account was closed');
}

async function endInvitationsOf(trx: Db, act: Act, { id, email }: Account): Promise<void> {
  const open = trx.updateTable('invitation').where('state', '=', 'open');
  await open.set({ state: 'withdrawn', answeredAt: act.at }).where('fromAccountId', '=', id).execute();
  await open
    .set({ state: 'declined', answeredAt: act.at })
    .where((eb) => eb.or([eb('accountId', '=', id), eb('email', '=', email)]))
    .execute();
}

/** Those who had a share, each with the names of the plants. */
async function readersOf(trx: Db, ended: readonly EndedShare[]): Promise<Map<Account, string[]>> {
  const named = Map.groupBy(ended, ({ accountId }) => accountId);
  const readers = new Map<Account, string[]>();
  for (const [id, shares] of named)
    readers.set(
      (await findAccount(trx, id))!,
      shares.map(({ plantName }) => plantName),
    );
  return readers;
}
