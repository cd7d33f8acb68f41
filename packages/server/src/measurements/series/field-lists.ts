import { quantities, type QuantityName } from '@helioport/contract';
import type { Db } from '../../platform/storage/database.ts';
import { createFieldList, type FieldList } from '../energy/field-list.ts';
import type { DbHandle } from './db-handle.ts';

/** The field lists of a database, kept in memory once seen; they are never changed or removed. */
export interface FieldLists {
  /**
   * The lists for these sets of names (in stored order), created if they are new. Never called inside a
   * transaction: a list that was rolled back must not stay in memory. Once the maximum is reached, a new
   * set gets the list of all quantities.
   */
  ensure(sets: readonly (readonly QuantityName[])[]): Promise<FieldList[]>;
  /** The list for a set of names (in stored order), if it is in memory. */
  find(names: readonly QuantityName[]): FieldList | undefined;
  /** Calls `read` with a function that finds lists by number; if it meets an unknown number, loads the lists and calls `read` again. */
  resolving<T>(db: DbHandle, read: (listOf: (id: number) => FieldList) => T): Promise<T>;
}

/** A fleet has a few dozen lists; the maximum keeps a hostile collector from filling the memory. List numbers have 15 bits. */
const LISTS_AT_MOST = 1_000;

class UnknownFieldList extends Error {}

/** Creates the field lists of a database. `db` is the database itself, never a transaction. */
export function createFieldLists(db: Db, listsAtMost = LISTS_AT_MOST): FieldLists {
  const byId = new Map<number, FieldList>();
  const byNames = new Map<string, FieldList>();

  const keep = ({ id, names }: { id: number; names: string }): void => {
    if (byId.has(id)) return;
    const list = createFieldList(id, names.split(',') as QuantityName[]);
    byId.set(id, list);
    byNames.set(names, list);
  };

  const load = async (from: Db): Promise<void> => {
    for (const row of await from.selectFrom('fieldList').select(['id', 'names']).execute())
      keep(row);
  };

  const listOf = (id: number): FieldList => {
    const list = byId.get(id);
    if (!list) throw new UnknownFieldList(`field list ${id} is not in the database`);
    return list;
  };

  return {
    async ensure(sets) {
      if (byId.size === 0) await load(db);
      const wanted = sets.map((names) => names.join(','));
      const missing = [...new Set(wanted.filter((names) => !byNames.has(names)))].toSorted();
      const room = Math.max(0, listsAtMost - byId.size);
      const made =
        missing.length <= room
          ? missing
          : [...missing.slice(0, room), EVERYTHING].filter((names) => !byNames.has(names));
      if (made.length > 0) {
        await db
          .insertInto('fieldList')
          .values(made.map((names) => ({ names })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await load(db);
      }
      return wanted.map((names) => byNames.get(names) ?? byNames.get(EVERYTHING)!);
    },
    find: (names) =>
      byNames.get(names.join(',')) ??
      (byId.size >= listsAtMost ? byNames.get(EVERYTHING) : undefined),
    async resolving(from: Db, read) {
      try {
        return read(listOf);
      } catch (error) {
        if (!(error instanceof UnknownFieldList)) throw error;
        await load(from);
        return read(listOf);
      }
    },
  };
}

const EVERYTHING = [...quantities.keys()].join(',');
