import type { Kysely, SelectQueryBuilder } from 'kysely';
import { engineOf } from './engine.ts';

/** Whether rows have to be locked: SQLite needs no locks, since its write transactions exclude each other. */
export const locksRows = (db: Kysely<any>): boolean => engineOf(db) === 'postgres';

type Lock = <DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
) => SelectQueryBuilder<DB, TB, O>;

const locking =
  (lock: Lock) =>
  <DB, TB extends keyof DB, O>(
    db: Kysely<any>,
    rows: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O> =>
    locksRows(db) ? lock(rows) : rows;

/** The rows of a query, locked until the transaction ends: nobody else changes or removes them, or locks them in one of these ways. */
export const forUpdate = locking((rows) => rows.forUpdate());

/** Those of the rows that nobody else has locked, locked like `forUpdate`. */
export const forUpdateIfFree = locking((rows) => rows.forUpdate().skipLocked());

/** As `forUpdate`, but rows that refer to these may be added meanwhile. */
export const forChange = locking((rows) => rows.forNoKeyUpdate());

/** The rows of a query, which nobody changes or removes until the transaction ends; others may lock them in the same way. */
export const forShare = locking((rows) => rows.forShare());

/** The rows of a query, which nobody removes until the transaction ends; others may change and lock them. */
export const forKeyShare = locking((rows) => rows.forKeyShare());
