import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../storage/database.ts';
import { onEngine } from '../storage/engine.ts';

/**
 * A place in the log. On SQLite, where one transaction follows the other, `no` is the order and `key` is 0. On PostgreSQL, transactions commit in
 * another order than they append in, so `key` comes first: a transaction number that is higher than that of every transaction which had ended when
 * the entry was appended, and than its own. So entries up to the oldest open transaction never change (docs/adr/0030-event-log.md).
 */
export interface Position {
  readonly key: number;
  readonly no: number;
}

/** The beginning of the log. */
export const BEGINNING: Position = { key: 0, no: 0 };

/** Whether a position comes after another. */
export const isAfter = (a: Position, b: Position): boolean =>
  a.key > b.key || (a.key === b.key && a.no > b.no);

const BASE = '(select base from "eventLog")';
const base = sql<number>`${sql.raw(BASE)}`;

/** PostgreSQL: `keyNow` as text. */
export const APPEND_KEY = `${BASE} + greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint, pg_current_xact_id()::text::bigint + 1)`;

/** The key of an entry that is appended now. Later ones of the same device are never below, because a writer that appends holds a lock of the device. */
export const keyNow = (db: Db): RawBuilder<number> =>
  onEngine(db, {
    sqlite: () => sql<number>`0`,
    postgres: () => sql<number>`${sql.raw(APPEND_KEY)}`,
  });

/** The highest key up to which no entry can appear any more. Only for PostgreSQL. */
export const settledKey: RawBuilder<number> = sql<number>`${base} + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

async function newest(db: Db, settled: boolean): Promise<Position> {
  const entries = db.selectFrom('event').select(['key', 'no']).limit(1);
  const ordered = onEngine(db, {
    sqlite: () => entries.orderBy('no', 'desc'),
    postgres: () =>
      (settled ? entries.where('key', '<=', settledKey) : entries)
        .where('key', '>', sql.lit(0))
        .orderBy('key', 'desc')
        .orderBy('no', 'desc'),
  });
  return (await ordered.executeTakeFirst()) ?? BEGINNING;
}

/** The last entry that anybody can see; the position from which a new destination goes on. */
export const headPosition = (db: Db): Promise<Position> => newest(db, false);

/** The last entry before which nothing can appear any more. */
export const settledPosition = (db: Db): Promise<Position> => newest(db, true);

/**
 * Called at the start. The transaction numbers of a cluster into which a dump was read begin anew; without this, entries would be appended in front of
 * those that are there. In one snapshot, no visible key is above its `xmax` unless that has happened.
 */
export async function rebaseLog(db: Db): Promise<void> {
  await onEngine(db, { sqlite: async () => {}, postgres: () => rebase(db) });
}

async function rebase(db: Db): Promise<void> {
  await sql`update "eventLog" set base = seen.top - seen.next
    from (select coalesce(max(key), 0) as top, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next from event where key > 0) as seen
    where seen.top > "eventLog".base + seen.next`.execute(db);
}
