import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { changePassword, findAccountByEmail } from '../accounts.ts';
import type { Act } from '../audit.ts';
import type { FactorSources } from '../factors/factor-sources.ts';
import { proveFactor, requireNoFactor } from '../identity.ts';
import { checkPassword, makeVerifiers } from '../passwords.ts';
import { isVerifiedStill } from '../proof.ts';
import { admitFollowed, consumeMailToken, readMailToken, uselessMailToken } from './tokens.ts';

export interface ResetDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly factors: FactorSources;
  /** Whether the password is also kept in the form in which existing control clients send it. */
  readonly legacyLogin: boolean;
}

interface Reset {
  readonly token: string;
  readonly newPassword: string;
  readonly secondFactor?: string | undefined;
}

/**
 * Replaces the password of the person who followed the link in an e-mail, and ends all sessions. The link stands for the password alone: a second factor is
 * asked for as at a log-in. `also` is done in the same transaction. Throws invalidValue, secondFactorRequired, wrongFactor, tooManyRequests.
 */
export async function resetPassword(
  { db, clock, ids: newId, factors, legacyLogin }: ResetDeps,
  address: string,
  { token, newPassword, secondFactor }: Reset,
  also: (trx: Db, act: Act, accountId: string) => Promise<void>,
): Promise<void> {
  const at = clock.now();
  const account = await findAccountByEmail(db, await readMailToken(db, at, 'reset', token));
  if (!account || account.disabledAt !== null) throw uselessMailToken();
  const { id: accountId } = account;
  const act: Act = { at, actor: `account:${accountId}`, address, newId };
  // Hashing is slow: before it comes all that may refuse. A password that is refused costs no code.
  await checkPassword(newPassword);
  await admitFollowed(db, at, token);
  const isProven = await proveFactor(db, factors, act, accountId, secondFactor, {
    operation: 'reset',
    known: undefined,
    refused: { ...act, actor: 'service' },
  });
  const verifiers = await makeVerifiers(newPassword, legacyLogin);
  await db.transaction().execute(async (trx) => {
    await consumeMailToken(trx, at, 'reset', token);
    if (!(await isVerifiedStill(trx, accountId, undefined))) throw uselessMailToken();
    // The first may have been added meanwhile.
    if (!isProven) await requireNoFactor(trx, factors, at, accountId);
    await changePassword(trx, act, accountId, verifiers, 'account.passwordReset');
    await also(trx, act, accountId);
  });
}
