import type { IsolationLevel } from 'kysely';
import type { Db } from './database.ts';

/** Runs something in a transaction of its own. */
export type Transact = <T>(body: (trx: Db) => Promise<T>, isolation?: IsolationLevel) => Promise<T>;

export const transactionsOf =
  (db: Db): Transact =>
  (body, isolation) => {
    const transaction = db.transaction();
    return (isolation ? transaction.setIsolationLevel(isolation) : transaction).execute(body);
  };
