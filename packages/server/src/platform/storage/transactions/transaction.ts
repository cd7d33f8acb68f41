import { isOvertaken } from '../away.ts';
import type { Db } from '../database.ts';

const ATTEMPTS = 5;

/** Runs work in a transaction, and starts over if another transaction overtook it. If `db` is a transaction already, runs the work as part of it. */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let left = ATTEMPTS - 1; left > 0; left--) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  return db.transaction().execute(work);
}
