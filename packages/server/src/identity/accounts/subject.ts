import { Failure } from '../../platform/kernel/failure.ts';
import { isSameMailbox } from '../../platform/kernel/addresses/mailbox.ts';
import type { Db } from '../../platform/storage/database.ts';
import { forChange } from '../../platform/storage/lock.ts';
import { findAccount, getAccountByEmail, type Account } from './accounts.ts';
import type { Caller } from './caller.ts';

/**
 * The account that an operator names. At the console, accounts of operators are out of reach: the person at the command line sees to those.
 * Throws accountUnknown, noPermission.
 */
export async function getNamedAccount(db: Db, caller: Caller, email: string): Promise<Account> {
  const account = await getAccountByEmail(db, email);
  if (caller.kind === 'console' && account.role === 'operator')
    throw new Failure('noPermission', {
      message: 'accounts of operators are managed on the command line',
    });
  return account;
}

/**
 * The id of the account that a request concerns. For a signed-in user, it is the user's own; for the operator, that of the user named in the request,
 * or null (all accounts) if none is named. Throws noPermission, accountUnknown.
 */
export async function subjectOf(
  db: Db,
  caller: Caller,
  email: string | undefined,
): Promise<string | null> {
  if (caller.kind === 'application') throw new Failure('noPermission');
  if (caller.accountId === null)
    return email === undefined ? null : (await getNamedAccount(db, caller, email)).id;
  const own = await findAccount(db, caller.accountId);
  if (!own || (email !== undefined && !isSameMailbox(email, own.email)))
    throw new Failure('noPermission');
  return own.id;
}

/** The account of somebody who is logged in or signs requests. Throws noPermission. */
export async function ownAccount(db: Db, caller: Caller): Promise<Account> {
  const account = caller.kind === 'user' ? await findAccount(db, caller.accountId) : undefined;
  if (!account) throw new Failure('noPermission');
  return account;
}

/** The account of somebody who is logged in, locked until the transaction ends: what it does itself follows one thing after the other. Throws noPermission. */
export async function lockOwnAccount(trx: Db, caller: Caller): Promise<Account> {
  const { id } = await ownAccount(trx, caller);
  const own = trx.selectFrom('account').select('id').where('id', '=', id);
  await forChange(trx, own).execute();
  return ownAccount(trx, caller);
}

/** The account that a call concerns, if it must be a single one. Throws missingParameter, noPermission, accountUnknown. */
export async function oneSubjectOf(
  db: Db,
  caller: Caller,
  email: string | undefined,
): Promise<string> {
  const id = await subjectOf(db, caller, email);
  if (id === null) throw new Failure('missingParameter', { data: { field: 'email' } });
  return id;
}
