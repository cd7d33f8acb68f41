import type { Kysely, SelectQueryBuilder } from 'kysely';
import { engineOf } from './engine.ts';

/** Whether rows have to be locked: SQLite needs no locks, since its write transactions exclude each other. */
export const locksRows = (db: Kysely<any>): boolean => engineOf(db) === 'postgres';

/** The rows of a query, locked until the transaction ends: nobody else changes or removes them, or locks them in one of these ways. */
export const forUpdate = <DB, TB extends keyof DB, O>(
  db: Kysely<any>,
  rows: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (locksRows(db) ? rows.forUpdate() : rows);

/** Those of the rows that nobody else has locked, locked like `forUpdate`. */
export const forUpdateIfFree = <DB, TB extends keyof DB, O>(
  db: Kysely<any>,
  rows: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (locksRows(db) ? rows.forUpdate().skipLocked() : rows);

/** As `forUpdate`, but rows that refer to these may be added meanwhile. */
export const forChange = <DB, TB extends keyof DB, O>(
  db: Kysely<any>,
  rows: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (locksRows(db) ? rows.forNoKeyUpdate() : rows);

/** The rows of a query, which nobody changes or removes until the transaction ends; others may lock them in the same way. */
export const forShare = <DB, TB extends keyof DB, O>(
  db: Kysely<any>,
  rows: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (locksRows(db) ? rows.forShare() : rows);

/** The rows of a query, which nobody removes until the transaction ends; others may change and lock them. */
export const forKeyShare = <DB, TB extends keyof DB, O>(
  db: Kysely<any>,
  rows: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (locksRows(db) ? rows.forKeyShare() : rows);
