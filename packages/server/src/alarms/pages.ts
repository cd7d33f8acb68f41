import type { Caller } from '../accounts/caller.ts';
import type { Db, Instant } from '../storage/database.ts';

/** Whose reading of which list: pages of different readers have nothing to do with each other. */
export interface Reading {
  readonly reader: string;
  readonly filter: string;
}

/** Where a page ended. */
export interface PageEnd {
  readonly lastId: string;
  /** Alarms of all pages when the first was read. */
  readonly total: number;
  /** There were more than were counted. */
  readonly atLeast: boolean;
}

/** How long a reader may take from one page to the next. */
const HELD_MS = 3_600_000;

export function readerOf(caller: Caller): string {
  if (caller.kind === 'application') return `grant:${caller.grantId}`;
  if (caller.kind === 'operator') return `operator:${caller.accountId ?? ''}`;
  return caller.keyId === null ? `account:${caller.accountId}` : `key:${caller.keyId}`;
}

export async function findPageEnd(db: Db, { reader, filter }: Reading, pageNo: number, now: Instant): Promise<PageEnd | undefined> {
  const end = await db
    .selectFrom('alarmPage')
    .select(['lastId', 'total', 'atLeast'])
    .where('reader', '=', reader)
    .where('filter', '=', filter)
    .where('pageNo', '=', pageNo)
    .where('at', '>', now - HELD_MS)
    .executeTakeFirst();
  return end && { ...end, atLeast: end.atLeast === 1 };
}

export async function keepPageEnd(db: Db, { reader, filter }: Reading, pageNo: number, end: PageEnd, at: Instant): Promise<void> {
  const place = { lastId: end.lastId, total: end.total, atLeast: end.atLeast ? (1 as const) : (0 as const), at };
  await db
    .insertInto('alarmPage')
    .values({ reader, filter, pageNo, ...place })
    .onConflict((conflict) => conflict.columns(['reader', 'filter', 'pageNo']).doUpdateSet(place))
    .execute();
}

/** Forgets at most `limit` pages of which nobody asked for the next in time; says how many. */
export async function sweepPageEnds(db: Db, now: Instant, limit: number): Promise<number> {
  const old = db
    .selectFrom('alarmPage')
    .select(['reader', 'filter', 'pageNo'])
    .where('at', '<=', now - HELD_MS)
    .orderBy('at')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('alarmPage')
    .where((eb) => eb(eb.refTuple('reader', 'filter', 'pageNo'), 'in', old.$asTuple('reader', 'filter', 'pageNo')))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
