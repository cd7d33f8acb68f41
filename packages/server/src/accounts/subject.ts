import { Failure } from '../kernel/failure.ts';
import type { Db } from '../storage/database.ts';
import { findAccount, getAccountByEmail, normalizeEmail } from './accounts.ts';
import type { Caller } from './caller.ts';

/**
 * The account that a request about an account's own things is about, by its id: people's own, or that of the user whom the operator
 * names; null = everybody's, which the operator alone means by naming nobody. Throws noPermission, accountUnknown.
 */
export async function subjectOf(db: Db, caller: Caller, email: string | undefined): Promise<string | null> {
  if (caller.kind === 'application') throw new Failure('noPermission');
  if (caller.accountId === null) return email === undefined ? null : (await getAccountByEmail(db, email)).id;
  const own = await findAccount(db, caller.accountId);
  if (!own || (email !== undefined && normalizeEmail(email) !== own.email)) throw new Failure('noPermission');
  return own.id;
}

/** The account that a call is about, where it has to be one. Throws missingParameter, noPermission, accountUnknown. */
export async function oneSubjectOf(db: Db, caller: Caller, email: string | undefined): Promise<string> {
  const id = await subjectOf(db, caller, email);
  if (id === null) throw new Failure('missingParameter', { data: { field: 'email' } });
  return id;
}
