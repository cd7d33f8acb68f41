import { sql } from 'kysely';
import { quantities, type QuantityName } from '@helioport/contract';
import type { Db } from '../../platform/storage/database.ts';
import { locksRows } from '../../platform/storage/lock.ts';
import { transactionsOf } from '../../platform/storage/transactions/transact.ts';
import { createFieldList, type FieldList } from '../energy/field-list.ts';
import type { DbHandle } from './db-handle.ts';

/** The field lists of a database, kept in memory once seen; they are never changed or removed. */
export interface FieldLists {
  /**
   * The lists for these sets of names (in stored order), created if they are new, for an owner of plants. Never called inside a
   * transaction: a list that was rolled back must not stay in memory. If no more can be created, a new set gets the narrowest list that contains it.
   */
  ensure(sets: readonly (readonly QuantityName[])[], ownerId?: string): Promise<FieldList[]>;
  /** The list of exactly these names (in stored order), if it is in memory. */
  exact(names: readonly QuantityName[]): FieldList | undefined;
  /** Like `exact`; if no more can be created for an owner, the narrowest list that contains the names. */
  find(names: readonly QuantityName[], ownerId?: string): FieldList | undefined;
  /** Calls `read` with a function that finds lists by number; if it meets an unknown number, loads the lists and calls `read` again. */
  resolving<T>(db: DbHandle, read: (listOf: (id: number) => FieldList) => T): Promise<T>;
}

/** How many lists there may be, beside the one of all quantities. */
export interface FieldListBounds {
  readonly all: number;
  /** Of those that were created for one owner, until half of all exist; a tenth of it afterwards, so that few owners leave room for many. */
  readonly ofOwner: number;
}

/** A fleet has a few dozen lists, and the devices of one owner a handful. Each stays in memory; their numbers have 15 bits. */
const BOUNDS: FieldListBounds = { all: 10_000, ofOwner: 50 };

class UnknownFieldList extends Error {}

interface Row {
  readonly id: number;
  readonly names: string;
  readonly ownerId: string | null;
}

/** Creates the field lists of a database. `db` is the database itself, never a transaction. */
export function createFieldLists(db: Db, most = BOUNDS): FieldLists {
  const byId = new Map<number, FieldList>();
  const byNames = new Map<string, FieldList>();
  const madeFor = new Map<string | null, number>();
  let byLength: readonly FieldList[] | undefined;

  const keep = ({ id, names, ownerId }: Row): void => {
    if (byId.has(id)) return;
    const list = createFieldList(id, names.split(',') as QuantityName[]);
    byId.set(id, list);
    byLength = undefined;
    byNames.set(names, list);
    madeFor.set(ownerId, (madeFor.get(ownerId) ?? 0) + 1);
  };

  const load = async (from: Db): Promise<void> => {
    for (const row of await from
      .selectFrom('fieldList')
      .select(['id', 'names', 'ownerId'])
      .execute())
      keep(row);
  };

  const listOf = (id: number): FieldList => {
    const list = byId.get(id);
    if (!list) throw new UnknownFieldList(`field list ${id} is not in the database`);
    return list;
  };

  const roomFor = (ownerId: string | undefined): number => {
    const room = most.all - byId.size;
    if (ownerId === undefined) return Math.max(0, room);
    const ofOwner = byId.size * 2 < most.all ? most.ofOwner : Math.ceil(most.ofOwner / 10);
    return Math.max(0, Math.min(room, ofOwner - (madeFor.get(ownerId) ?? 0)));
  };

  const narrowest = (names: readonly QuantityName[]): FieldList => {
    byLength ??= [...byId.values()].toSorted((a, b) => a.names.length - b.names.length);
    return byLength.find(
      (list) => list.names.length >= names.length && names.every((name) => list.indexOf.has(name)),
    )!;
  };

  const missingOf = (sets: readonly string[]): string[] =>
    [...new Set(sets.filter((names) => !byNames.has(names)))].toSorted();

  /** Creates as many as there is room for. One after the other, so that many at once do not overrun it. */
  const create = async (trx: Db, wanted: readonly string[], ownerId?: string): Promise<void> => {
    if (locksRows(trx)) await sql`lock table "fieldList" in share row exclusive mode`.execute(trx);
    await load(trx);
    const missing = missingOf(wanted);
    const room = roomFor(ownerId);
    const made =
      missing.length <= room
        ? missing
        : [...missing.slice(0, room), EVERYTHING].filter((names) => !byNames.has(names));
    if (made.length === 0) return;
    await trx
      .insertInto('fieldList')
      .values(
        made.map((names) => ({
          names,
          ownerId: names === EVERYTHING ? null : (ownerId ?? null),
        })),
      )
      .execute();
  };

  return {
    async ensure(sets, ownerId) {
      if (byId.size === 0) await load(db);
      const wanted = sets.map((names) => names.join(','));
      if (missingOf(wanted).length > 0 && !(byNames.has(EVERYTHING) && roomFor(ownerId) === 0)) {
        await transactionsOf(db)((trx) => create(trx, wanted, ownerId));
        await load(db);
      }
      return sets.map((names, i) => byNames.get(wanted[i]!) ?? narrowest(names));
    },
    exact: (names) => byNames.get(names.join(',')),
    find: (names, ownerId) =>
      byNames.get(names.join(',')) ??
      (byNames.has(EVERYTHING) && roomFor(ownerId) === 0 ? narrowest(names) : undefined),
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
