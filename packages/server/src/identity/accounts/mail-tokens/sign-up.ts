import type { Language } from '@helioport/contract';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { insertAccount, type Account } from '../accounts.ts';
import { checkPassword, makeVerifiers } from '../passwords.ts';
import { admitFollowed, consumeMailToken, forgetMails, readMailToken } from './tokens.ts';

export interface SignUpDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Whether the password is also kept in the form in which existing control clients send it. */
  readonly legacyLogin: boolean;
}

interface SignUp {
  readonly token: string;
  readonly name?: string | undefined;
  readonly password: string;
  readonly timeZone: string;
  readonly language: Language;
}

/**
 * Makes the account of the person who followed the link in an e-mail: before that there is none, so an address that is not one's own gets nowhere.
 * `also` is done in the same transaction. Throws tooManyRequests; invalidValue, also if the address got an account meanwhile.
 */
export async function signUp(
  { db, clock, ids: newId, legacyLogin }: SignUpDeps,
  address: string,
  { token, name, password, ...chosen }: SignUp,
  also: (trx: Db, account: Account) => Promise<void> = async () => {},
): Promise<Account> {
  const at = clock.now();
  // Hashing is slow: before it comes all that may refuse.
  await readMailToken(db, at, 'signUp', token);
  await checkPassword(password);
  await admitFollowed(db, at, token);
  const verifiers = await makeVerifiers(password, legacyLogin);
  return db.transaction().execute(async (trx) => {
    const email = await consumeMailToken(trx, at, 'signUp', token);
    await forgetMails(trx, 'signUp', email);
    const act = { at, actor: 'service', address, newId } as const;
    const account = await insertAccount(trx, act, {
      email,
      role: 'owner',
      ...(name !== undefined && { name }),
      ...chosen,
      ...verifiers,
    });
    await also(trx, account);
    return account;
  });
}
