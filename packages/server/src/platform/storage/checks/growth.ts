import { DAY_MS } from '@helioport/contract/durations';
import { sql } from 'kysely';
import type { Db, Instant } from '../database.ts';
import { onEngine } from '../engine.ts';
import { findValue, setValue } from '../installation/values.ts';
import { databaseBytes } from './size.ts';

const NAME = 'databaseSizes';

/** Days that growth is judged by. */
const DAYS_KEPT = 31;

/** Size of the database on a day, counted from 1970, in bytes. */
type DaySize = readonly [day: number, bytes: number];

/** Notes the size of the database for its day; the last note of a day counts. */
export async function noteSize(db: Db, now: Instant): Promise<void> {
  const today = Math.floor(now / DAY_MS);
  const noted: DaySize[] = [
    ...(await readSizes(db)).filter(([day]) => day < today && day > today - DAYS_KEPT),
    [today, await databaseBytes(db)],
  ];
  await setValue(db, NAME, Buffer.from(JSON.stringify(noted)));
}

async function readSizes(db: Db): Promise<readonly DaySize[]> {
  const value = await findValue(db, NAME);
  return value ? (JSON.parse(Buffer.from(value).toString()) as DaySize[]) : [];
}

/** By how many bytes the database grows a day, over the last month; undefined if it is known for less than a day. */
export async function dailyGrowth(db: Db): Promise<number | undefined> {
  const sizes = await readSizes(db);
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last || first[0] === last[0]) return undefined;
  return (last[1] - first[1]) / (last[0] - first[0]);
}

/** When a disk is full that has so many bytes left; undefined if the database does not grow. */
export const fullAt = (freeBytes: number, growth: number, now: Instant): Instant | undefined =>
  growth > 0 ? now + (freeBytes / growth) * DAY_MS : undefined;

export interface TableSize {
  readonly table: string;
  /** With its indexes. */
  readonly bytes: number;
}

/** The tables, the largest first. Reads the whole file of an embedded database: not for a process that serves. */
export async function tableSizes(db: Db): Promise<TableSize[]> {
  const sizes = onEngine(db, {
    postgres: () =>
      sql<TableSize>`select relname as "table", pg_total_relation_size(relid) as bytes from pg_stat_user_tables order by 2 desc, 1`,
    sqlite: () =>
      sql<TableSize>`select tbl_name as "table", sum(pgsize) as bytes from dbstat join sqlite_schema using (name) where aggregate = 1 group by tbl_name order by 2 desc, 1`,
  });
  const { rows } = await sizes.execute(db);
  return rows.map(({ table, bytes }) => ({ table, bytes }));
}
