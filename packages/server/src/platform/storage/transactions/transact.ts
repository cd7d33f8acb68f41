import type { Db } from '../database.ts';

/** Runs something in a transaction of its own. */
export type Transact = <T>(body: (trx: Db) => Promise<T>) => Promise<T>;

export const transactionsOf =
  (db: Db): Transact =>
  (body) =>
    db.transaction().execute(body);
