import type { Act } from '../../identity/accounts/audit.ts';
import type { Caller } from '../../identity/accounts/caller.ts';
import type { Once } from '../../identity/accounts/once.ts';
import { inTransaction } from '../../platform/storage/transaction.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { OperationDependencies } from './dependencies.ts';

/** Carries out a change completely or not at all, and only once per request. */
export const change = <T>(
  { db, clock, ids }: OperationDependencies,
  caller: Caller,
  once: Once | undefined,
  write: (trx: Db, act: Act) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (trx) => {
    await once?.(trx);
    return write(trx, actOf({ clock, ids }, caller));
  });

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
