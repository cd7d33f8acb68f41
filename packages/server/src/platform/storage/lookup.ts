import { sql, type Compilable, type SqlBool, type RawBuilder } from 'kysely';
import { gather, type Gathered } from '../kernel/gather.ts';
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
  const gathered = new WeakMap<Db, Gathered<Uint8Array, R | undefined>>();

  const lookUp = (db: Db): Gathered<Uint8Array, R | undefined> =>
    gather({
      // A query never waits for another one, nor fails with it.
      atOnce: () => Infinity,
      itemsAtMost: Infinity,
      async run(keys) {
        const rows = many(db, { keys });
        return keys.map((key) => ({ ended: rows.then((found) => rowOf(found, key)) }));
      },
    });

  return async (db, key) => {
    if (db.isTransaction || engineOf(db) === 'sqlite') return (await one(db, { key }))[0];
    let found = gathered.get(db);
    if (!found) gathered.set(db, (found = lookUp(db)));
    return found(key);
  };
}

const rowOf = <R extends Keyed>(rows: readonly R[], key: Uint8Array): R | undefined =>
  rows.find(({ lookupKey }) => lookupKey !== null && Buffer.compare(lookupKey, key) === 0);
