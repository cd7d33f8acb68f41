import type { Act } from '../accounts/audit.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Claim } from '../accounts/replay.ts';
import { inTransaction } from '../plants/attempts.ts';
import type { Db } from '../storage/database.ts';
import type { OperationDependencies } from './dependencies.ts';

/** Carries a change out as a whole or not at all, once for a signed request. */
export const change = <T>(
  { db, clock, ids }: OperationDependencies,
  caller: Caller,
  claim: Claim | undefined,
  write: (trx: Db, act: Act) => Promise<T>,
): Promise<T> =>
  inTransaction(db, async (trx) => {
    await claim?.(trx);
    return write(trx, { at: clock.now(), newId: ids, ...circumstancesOf(caller) });
  });

function circumstancesOf(caller: Caller): Pick<Act, 'actor' | 'address'> {
  if (caller.kind === 'application') return { actor: `application:${caller.applicationId}`, address: null };
  return { actor: caller.keyId === null ? `account:${caller.accountId}` : `key:${caller.keyId}`, address: caller.address ?? null };
}
