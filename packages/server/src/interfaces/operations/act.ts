import type { Act } from '../../identity/accounts/audit.ts';
import type { Caller } from '../../identity/accounts/caller.ts';
import type { Once } from '../../identity/accounts/once.ts';
import { stillStanding } from '../../identity/oauth/caller-check.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import { requireLocked, waitForLockOfAll } from '../../fleet/plants/lock.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { OperationDependencies } from './dependencies.ts';
import type { Right } from './rights/right.ts';
import { inTurn } from './account-turns.ts';

/**
 * Carries out a change completely or not at all, and only once per request. The right that it rests on is read again once its locks are held, for the
 * caller as it may act by then: both may have ended while others held them.
 */
export const change = <T, R>(
  { db, clock, ids }: OperationDependencies,
  caller: Caller,
  once: Once | undefined,
  right: Right<R>,
  write: (trx: Db, act: Act, held: R, caller: Caller) => Promise<T>,
): Promise<T> =>
  inTurn(db, caller, () =>
    inTransaction(db, async (trx) => {
      await once?.(trx);
      const act = actOf({ clock, ids }, caller);
      // A writer that disables an account or changes its role has locked all plants.
      if (!right.ofAll) await waitForLockOfAll(trx);
      const locked = new Set(right.locks(await right.take(trx, caller, act)));
      const present = await stillStanding(trx, caller, act.at);
      const held = await right.take(trx, present, act);
      requireLocked(locked, right.locks(held));
      return write(trx, act, held, present);
    }),
  );

/** When, by whom and from where something is done. */
export const actOf = (
  { clock, ids }: Pick<OperationDependencies, 'clock' | 'ids'>,
  caller: Caller,
): Act => ({
  at: clock.now(),
  newId: ids,
  ...circumstancesOf(caller),
});

function circumstancesOf(caller: Caller): Pick<Act, 'actor' | 'address'> {
  if (caller.kind === 'operator') return { actor: 'operator', address: null };
  if (caller.kind === 'application' || caller.kind === 'client')
    return { actor: `application:${caller.applicationId}`, address: null };
  if (caller.kind === 'console')
    return { actor: `account:${caller.operatorId}`, address: caller.address };
  return {
    actor: caller.keyId === null ? `account:${caller.accountId}` : `key:${caller.keyId}`,
    address: caller.address ?? null,
  };
}
