import type { Db, Instant } from '../storage/database.ts';
import { logBounds } from './read.ts';
import { unreadEntries } from './readers.ts';

/** How much of the log is kept. */
export interface Retention {
  /** Entries that were recorded before may go. */
  readonly before: Instant;
  /** The number of entries that are kept at most. */
  readonly entries: number;
}

/**
 * Deletes at most `limit` of the oldest entries that are too old or too many; returns how many. Each call is a short transaction that no writer waits
 * for on PostgreSQL. The newest entry stays, so that numbers are never given out again, and so does what a reader of ours has not read.
 */
export async function pruneLog(
  db: Db,
  { before, entries }: Retention,
  limit: number,
): Promise<number> {
  const bounds = await logBounds(db);
  if (!bounds) return 0;
  const unread = await unreadEntries(db);
  const oldest = await db
    .selectFrom('event')
    .select(['no', 'recordedAt'])
    .where('no', '<', bounds.last)
    .where(({ not }) => not(unread))
    .orderBy('no')
    .limit(limit)
    .execute();
  const surplus = bounds.last - entries;
  const staying = oldest.findIndex(({ no, recordedAt }) => recordedAt >= before && no > surplus);
  const last = oldest[(staying < 0 ? oldest.length : staying) - 1];
  if (!last) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('event')
    .where('no', '<=', last.no)
    .where(({ not }) => not(unread))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
