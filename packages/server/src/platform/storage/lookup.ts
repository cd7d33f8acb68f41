import { setImmediate } from 'node:timers/promises';
import { sql, type Compilable, type SqlBool, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';
import { engineOf } from './engine.ts';
import { prepareQuery } from './prepare.ts';

/** A row with the key by which it was looked up. */
interface Keyed {
  readonly lookupKey: Uint8Array | null;
}

/** Builds the query of a lookup: `found` is its condition, `lookupKey` the column that the condition is about. */
export type BuildLookup<R extends Keyed> = (db: Db, found: RawBuilder<SqlBool>) => Compilable<R>;

/**
 * Finds rows by a unique hash, reading the database each time. On PostgreSQL, where a round trip costs more
 * than the query, lookups that arrive in the same turn of the event loop become one query. That query starts
 * only after all of them have arrived, so that a lookup never misses a revocation that was complete before it.
 */
export function prepareLookup<R extends Keyed>(
  column: string,
  build: BuildLookup<R>,
): (db: Db, key: Uint8Array) => Promise<R | undefined> {
  const one = prepareQuery<{ key: Uint8Array }, R>((db, p) =>
    build(db, sql<SqlBool>`${sql.ref(column)} = ${p('key')}`),
  );
  const many = prepareQuery<{ keys: readonly Uint8Array[] }, R>((db, p) =>
    build(db, sql<SqlBool>`${sql.ref(column)} = any(${p('keys')})`),
  );
  const waiting = new WeakMap<Db, { readonly keys: Uint8Array[]; readonly rows: Promise<R[]> }>();

  async function together(db: Db, keys: readonly Uint8Array[]): Promise<R[]> {
    await setImmediate();
    waiting.delete(db);
    return many(db, { keys });
  }

  return async (db, key) => {
    if (db.isTransaction || engineOf(db) === 'sqlite') return (await one(db, { key }))[0];
    let batch = waiting.get(db);
    if (!batch) {
      const keys: Uint8Array[] = [];
      waiting.set(db, (batch = { keys, rows: together(db, keys) }));
    }
    batch.keys.push(key);
    return (await batch.rows).find(
      ({ lookupKey }) => lookupKey !== null && Buffer.compare(lookupKey, key) === 0,
    );
  };
}
