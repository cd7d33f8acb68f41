import { sql, type AliasedRawBuilder, type Compilable, type RawBuilder } from 'kysely';
import { endedWith, gather, type Gathered } from '../../kernel/gather.ts';
import { isStorageAway } from '../away.ts';
import type { Db } from '../database.ts';
import { engineOf } from '../engine.ts';
import { prepareQuery, type ParameterOf } from '../prepare.ts';

/** A change that several callers want at the same time, each with values of its own. */
export interface Gathering<P> {
  /** The values of one call, as in a prepared query. */
  readonly p: ParameterOf<P>;
  /** The table of all calls whose row is there and was not locked by anybody else, for the statement's `from`. */
  readonly calls: AliasedRawBuilder<object, 'calls'>;
  /** A column of the call's row as it was found; by its primary key, the statement has to change that row and no other. */
  readonly held: (column: string) => RawBuilder<never>;
  /** The number of the call; the statement returns it with each row. */
  readonly call: RawBuilder<number>;
}

/** The row that a call is about. */
interface Held<P> {
  readonly table: string;
  /** A column that no two rows share, and the value of the call that it has to be equal to. */
  readonly by: string;
  readonly value: keyof P & string;
  /** Columns that the statement asks for. */
  readonly columns: readonly string[];
}

/** A row that a call changed. */
interface Changed {
  readonly call: number;
}

type TypeName = 'bytea' | 'int4' | 'int8' | 'text';

/** Whether changes are gathered: not in a transaction, and not on SQLite, where requests share a commit instead (commit-group.ts). */
export const gathers = (db: Db): boolean => engineOf(db) === 'postgres' && !db.isTransaction;

/**
 * A change of one row, for PostgreSQL: those that have arrived when a statement may begin become one, with one commit (ADR 0069). Returns
 * the changed row, or undefined if the call has to be carried out alone: it changes nothing, or what it changes is locked, or the statement of all failed.
 * Only if the database `gathers`. Throws if it is unavailable.
 */
export function prepareGathered<P extends object, R extends Changed>(
  types: Readonly<Record<keyof P & string, TypeName>>,
  row: Held<P>,
  build: (db: Db, gathering: Gathering<P>) => Compilable<R>,
): (db: Db, values: P) => Promise<R | undefined> {
  const names = Object.keys(types) as (keyof P & string)[];
  // Columns have names of their own, so that the names of the changed table stay unambiguous.
  const columnOf = (name: string): string => `call ${name}`;
  const column = Object.assign((name: string) => sql.ref(`calls.${columnOf(name)}`) as never, {
    has: () => true,
  });
  const heldOf = (name: string): string => `held ${name}`;
  const held = (name: string): RawBuilder<never> => sql.ref(`calls.${heldOf(name)}`);
  const heldColumns = row.columns.map(
    (name) => sql`${sql.ref(`held.${name}`)} as ${sql.ref(heldOf(name))}`,
  );

  const run = prepareQuery<Record<string, unknown[]>, R>((db, p) => {
    const lists = names.map((name) => sql`${p(name)}::${sql.raw(types[name])}[]`);
    const columns = [...names.map((name) => sql.ref(columnOf(name))), sql.ref('call')];
    // PostgreSQL plans a query that locks rows by itself, so these are the only rows that are locked, whatever it does with the rest of the statement.
    const calls = sql<object>`(
      select calls.*, ${sql.join(heldColumns)}
      from unnest(${sql.join(lists)}) with ordinality as calls (${sql.join(columns)})
      inner join ${sql.table(row.table)} as held on ${sql.ref(`held.${row.by}`)} = ${column(row.value)}
      for no key update of held skip locked
    )`.as<'calls'>(sql`calls`);
    return build(db, { p: column, calls, held, call: sql.ref('calls.call') });
  });

  const carryOut = async (db: Db, group: readonly P[]): Promise<readonly (R | undefined)[]> => {
    const lists = Object.fromEntries(
      names.map((name) => [name, group.map((values) => values[name])]),
    );
    try {
      const rows = new Map((await run(db, lists)).map((changed) => [changed.call, changed]));
      return group.map((_, i) => rows.get(i + 1));
    } catch (error) {
      // Whether the statement was carried out may be unknown, and those behind it would not fare better.
      if (isStorageAway(error)) throw error;
      return group.map(() => undefined);
    }
  };

  // One statement at a time: of two, each has fewer calls, and the database has more to do.
  const queues = new WeakMap<Db, Gathered<P, R | undefined>>();
  return (db, values) => {
    let queue = queues.get(db);
    if (!queue) {
      queue = gather({ run: async (group) => (await carryOut(db, group)).map(endedWith) });
      queues.set(db, queue);
    }
    return queue(values);
  };
}
