import { sql } from 'kysely';
import type { Db, Flag } from '../../../platform/storage/database.ts';
import { transactionsOf } from '../../../platform/storage/transactions/transact.ts';
import type { CountedKind } from './counters.ts';

/**
 * Folds the changes appended to the counters of at most `limit` accounts, and returns the number of these accounts. In one transaction, it deletes
 * rows and inserts others with the same sum. So readers see the same numbers before, during and after, even if several instances fold at the same
 * time.
 */
export async function foldCounts(
  db: Db,
  limit: number,
  transaction = transactionsOf(db),
): Promise<number> {
  // 0 is a literal, so that the partial index is used.
  const accounts = await db
    .selectFrom('visibleCount')
    .select('accountId')
    .distinct()
    .where('folded', '=', sql.lit(0))
    .limit(limit)
    .execute();
  for (const { accountId } of accounts) await transaction((trx) => foldAccount(trx, accountId));
  return accounts.length;
}

async function foldAccount(trx: Db, accountId: string): Promise<void> {
  const rows = await trx
    .deleteFrom('visibleCount')
    .where('accountId', '=', accountId)
    .returning(['owned', 'kind', 'state', 'amount'])
    .execute();
  const sums = new Map<
    string,
    {
      accountId: string;
      owned: Flag;
      kind: CountedKind;
      state: number;
      amount: number;
      folded: Flag;
    }
  >();
  for (const { owned, kind, state, amount } of rows) {
    const key = `${owned} ${kind} ${state}`;
    const sum = sums.get(key);
    if (sum) sum.amount += amount;
    else sums.set(key, { accountId, owned, kind, state, amount, folded: 1 });
  }
  const left = [...sums.values()].filter(({ amount }) => amount !== 0);
  if (left.length > 0) await trx.insertInto('visibleCount').values(left).execute();
}
