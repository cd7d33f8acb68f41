import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { IdSource } from '../../kernel/ids.ts';
import type { Db } from '../../storage/database.ts';
import { changePassword, findAccountByEmail, type Account } from '../accounts.ts';
import { recordAudit, type Act } from '../audit.ts';
import type { FactorSources } from '../factors/factor-sources.ts';
import { admitFactor, consumeFactor, factorRequest, methodsOf } from '../factors/second-factor.ts';
import { checkPassword, makeVerifiers } from '../passwords.ts';
import { forgetMailTokens } from './answer.ts';
import { consumeMailToken, readMailToken, uselessMailToken } from './tokens.ts';

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
 * Replaces the password of whoever followed the link in an e-mail, and ends all sessions. The link stands for the password alone: a second factor is
 * asked for as at a log-in. `also` is done in the same transaction. Throws invalidValue, secondFactorRequired, wrongFactor, tooManyRequests.
 */
export async function resetPassword(
  { db, clock, ids: newId, factors, legacyLogin }: ResetDeps,
  address: string,
  { token, newPassword, secondFactor }: Reset,
  also: (trx: Db, act: Act, accountId: string) => Promise<void>,
): Promise<void> {
  const at = clock.now();
  const { id: accountId } = await getAccount(db, await readMailToken(db, at, 'reset', token));
  const act: Act = { at, actor: `account:${accountId}`, address, newId };
  // Before a code is used up.
  await checkPassword(newPassword);
  const methods = await methodsOf(db, accountId);
  if (methods.length > 0 && secondFactor === undefined)
    throw new Failure('secondFactorRequired', { data: { ...(await factorRequest(db, factors, at, accountId, methods)) } });
  const counted = secondFactor === undefined ? undefined : await admitFactor(db, at, accountId, secondFactor, { known: undefined });
  const verifiers = await makeVerifiers(newPassword, legacyLogin);
  await db
    .transaction()
    .execute(async (trx) => {
      const email = await consumeMailToken(trx, at, 'reset', token);
      await getAccount(trx, email);
      if ((await methodsOf(trx, accountId)).length > 0) await consumeFactor(trx, factors, act, accountId, secondFactor ?? '');
      await changePassword(trx, act, accountId, verifiers, 'account.passwordReset');
      await also(trx, act, accountId);
      await forgetMailTokens(trx, 'reset', email);
    })
    .catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === 'wrongFactor')
        await recordAudit(db, { ...act, actor: 'service' }, { kind: 'logIn.refused', accountId, data: { operation: 'reset', step: 'second factor' } });
      throw error;
    });
  await counted?.succeeded();
}

async function getAccount(db: Db, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  if (!account || account.disabledAt !== null) throw uselessMailToken();
  return account;
}
