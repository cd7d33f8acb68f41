import type { OperationId } from '@helioport/contract';
import type { Account } from '../../../identity/accounts/accounts.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import {
  requireStill,
  verifyIdentity,
  type Identity,
} from '../../../identity/accounts/identity.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import { ownAccount as ownAccountOf } from '../../../identity/accounts/subject.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { actOf, change } from '../act.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { factorSourcesOf } from './factor-sources.ts';
import { currentOf } from './sessions.ts';
import { ownAccount } from '../rights/accounts.ts';
import type { Right } from '../rights/right.ts';

/** Somebody who has just proven the identity once more. */
export interface Proven {
  readonly account: Account;
  /** As `change`; what was proven must still hold. Throws wrongLogin, notAuthenticated. */
  change<T>(
    once: Once | undefined,
    write: (trx: Db, act: Act, account: Account) => Promise<T>,
  ): Promise<T>;
}

/** Asks the person who is logged in for password and second factor. Throws noPermission, wrongLogin, secondFactorRequired, wrongFactor, tooManyRequests. */
export async function proveIdentity(
  deps: OperationDependencies,
  caller: Caller,
  proof: Identity,
  operation: OperationId,
  held: Right<Account> = ownAccount,
): Promise<Proven> {
  const account = await ownAccountOf(deps.db, caller);
  const verified = await verifyIdentity(
    deps.db,
    await factorSourcesOf(deps),
    actOf(deps, caller),
    account.id,
    proof,
    operation,
  );
  return {
    account,
    change: (once, write) =>
      change(deps, caller, once, held, async (trx, act, present) => {
        await requireStill(
          trx,
          act.at,
          { accountId: present.id, sessionId: currentOf(caller) },
          verified,
        );
        return write(trx, act, present);
      }),
  };
}

/** As `change`, for the second step of what began with a proof: a person who was logged out meanwhile does not complete it. Throws notAuthenticated, wrongLogin. */
export const changeInSession = <T>(
  deps: OperationDependencies,
  caller: Caller,
  once: Once | undefined,
  write: (trx: Db, act: Act, account: Account) => Promise<T>,
): Promise<T> =>
  change(deps, caller, once, ownAccount, async (trx, act, account) => {
    await requireStill(
      trx,
      act.at,
      { accountId: account.id, sessionId: currentOf(caller) },
      undefined,
    );
    return write(trx, act, account);
  });
