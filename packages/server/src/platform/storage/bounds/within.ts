import { sql, type DialectAdapter } from 'kysely';
import type { SettingValues } from '../../config/schema.ts';
import {
  bounds,
  kept,
  type Bound,
  type BoundName,
  type BoundedRows,
  type KeptName,
} from './bounds.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Db, Instant } from '../database.ts';
import { locksRows } from '../lock.ts';

/** Whose rows are counted. */
export type OwnerOf<Name extends BoundName> = {
  readonly [Column in (typeof bounds)[Name]['per'][number]]: string;
};

interface Adding {
  readonly at: Instant;
  /** How many rows are about to be added. */
  readonly adding?: number;
}

/**
 * Makes sure that there is room for rows that the transaction is about to add. Others that add to the same wait until it ends, so that many at once
 * do not overrun the bound. Throws the bound's refusal.
 */
export async function withinBounds<Name extends BoundName>(
  trx: Db,
  name: Name,
  owner: OwnerOf<Name>,
  { at, adding = 1 }: Adding,
): Promise<void> {
  if ((await roomWithin(trx, name, owner, at)) < adding) throw refusalOf(trx, name);
}

/** The refusal of what finds no room. */
export const refusalOf = (db: Db, name: BoundName): Failure =>
  bounds[name].refusal(mostOf(db, name));

/** How many rows the transaction may add, where those that find no room are refused one by one. Others wait as for `withinBounds`. */
export async function roomWithin<Name extends BoundName>(
  trx: Db,
  name: Name,
  owner: OwnerOf<Name>,
  at: Instant,
): Promise<number> {
  await lockBound(trx, name, owner);
  const { table, counted }: Bound = bounds[name];
  const most = mostOf(trx, name);
  const ofOwner = Object.entries<string>(owner).map(
    ([column, value]) => sql<boolean>`${sql.ref(column)} = ${value}`,
  );
  const which = counted ? [...ofOwner, sql`(${counted(at)})`] : ofOwner;
  const { rows } = await sql<{ number: number | string }>`
    select count(*) as number
    from (select 1 as one from ${sql.table(table)} where ${sql.join(which, sql` and `)} limit ${most}) as counted
  `.execute(trx);
  return most - Number(rows[0]!.number);
}

/** How many rows more than may be kept are deleted at once. */
const DROPPED_AT_ONCE = 100;

/** Deletes the oldest of some rows, once one more has been added than are kept. */
export async function keepNewest<Name extends KeptName>(
  trx: Db,
  name: Name,
  owner: { readonly [Column in (typeof kept)[Name]['per'][number]]: string | Uint8Array },
): Promise<void> {
  const { table, key, newest, most: usual }: BoundedRows = kept[name];
  const most = configured.get(trx.getExecutor().adapter)?.[name] ?? usual;
  const which = sql.join(
    Object.entries<string | Uint8Array>(owner).map(
      ([column, value]) => sql<boolean>`${sql.ref(column)} = ${value}`,
    ),
    sql` and `,
  );
  await sql`
    delete from ${sql.table(table)} where ${which} and ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where ${which}
      order by ${sql.ref(newest)} desc limit ${DROPPED_AT_ONCE} offset ${most}
    )
  `.execute(trx);
}

/** Has others that add to the same wait until the transaction ends, where rows make room for others before they are counted. */
export async function lockBound<Name extends BoundName>(
  trx: Db,
  name: Name,
  owner: OwnerOf<Name>,
): Promise<void> {
  if (!trx.isTransaction) throw new Error(`${name} must be counted in a transaction`);
  // On SQLite, write transactions are exclusive anyway.
  if (!locksRows(trx)) return;
  const key = JSON.stringify([name, ...Object.values(owner)]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
}

type BoundSettings = Pick<SettingValues, 'accountPlants' | 'accountKeys' | 'deviceCommands'>;

type ChosenBounds = { readonly [Name in BoundName | KeptName]?: number };

const configured = new WeakMap<DialectAdapter, ChosenBounds>();

/** Sets bounds that differ from the usual ones, for everything that uses this database. */
export const setBounds = (db: Db, values: ChosenBounds): void =>
  void configured.set(db.getExecutor().adapter, values);

/** So many plants an account may have, archived ones included, for each that is not archived. */
const KEPT_PER_PLANT = 3;

/** The bounds that the settings say. */
export const tableBoundsOf = ({
  accountPlants: plants,
  accountKeys: keyPairs,
  deviceCommands: openCommands,
}: BoundSettings): ChosenBounds => ({
  plants,
  keptPlants: plants * KEPT_PER_PLANT,
  keyPairs,
  openCommands,
});

/** How many there may be. */
export const mostOf = (db: Db, name: BoundName): number =>
  configured.get(db.getExecutor().adapter)?.[name] ?? bounds[name].most;
