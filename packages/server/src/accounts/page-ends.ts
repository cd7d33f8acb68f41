import { hash } from 'node:crypto';
import type { OperationId } from '@helioport/contract';
import type { Db, Instant } from '../storage/database.ts';
import type { Caller } from './caller.ts';

/** A list as one caller reads it: which list, and all that was asked for beside the page. */
export interface ReadList {
  readonly caller: Caller;
  readonly id: OperationId;
  readonly filter: readonly unknown[];
}

/** Where a page ended. */
export interface PageEnd {
  readonly lastId: string;
  /** Rows of all pages when the first was read, in lists that keep it; else null. */
  readonly total: number | null;
  /** There were more than were counted. */
  readonly atLeast: boolean;
}

/** How long a reader may take from one page to the next. */
const HELD_MS = 3_600_000;
/** What stands unchanged is written again after so long. */
const REWRITTEN_AFTER_MS = HELD_MS / 2;
/** Beyond so many the oldest are forgotten early: their readers are served by the page's number. */
const KEPT_AT_MOST = 100_000;

function readerOf(caller: Caller): string {
  if (caller.kind === 'application') return `grant:${caller.grantId}`;
  if (caller.kind === 'operator') return `operator:${caller.accountId ?? ''}`;
  return caller.keyId === null ? `account:${caller.accountId}` : `key:${caller.keyId}`;
}

const keyOf = ({ caller, id, filter }: ReadList): string => hash('sha256', JSON.stringify([readerOf(caller), id, filter]), 'base64');

const find = (db: Db, list: ReadList, pageNo: number, since: Instant) =>
  db
    .selectFrom('pageEnd')
    .select(['lastId', 'total', 'atLeast'])
    .where('list', '=', keyOf(list))
    .where('pageNo', '=', pageNo)
    .where('at', '>', since)
    .executeTakeFirst();

/** Where a page of a list ended, if its reader read it within the hour, on whichever instance. */
export async function findPageEnd(db: Db, list: ReadList, pageNo: number, now: Instant): Promise<PageEnd | undefined> {
  const end = pageNo < 1 ? undefined : await find(db, list, pageNo, now - HELD_MS);
  return end && { ...end, atLeast: end.atLeast === 1 };
}

/** Keeps where a page ended. Who reads the same page again and again causes no writes while it ends in the same place. */
export async function keepPageEnd(db: Db, list: ReadList, pageNo: number, { lastId, total, atLeast }: PageEnd, at: Instant): Promise<void> {
  const known = await find(db, list, pageNo, at - REWRITTEN_AFTER_MS);
  const end = { lastId, total, atLeast: atLeast ? (1 as const) : (0 as const) };
  if (known && known.lastId === end.lastId && known.total === end.total && known.atLeast === end.atLeast) return;
  await db
    .insertInto('pageEnd')
    .values({ list: keyOf(list), pageNo, ...end, at })
    .onConflict((conflict) => conflict.columns(['list', 'pageNo']).doUpdateSet({ ...end, at }))
    .execute();
}

/** Forgets at most `limit` pages of which nobody asked for the next in time, or of which there are too many; says how many. */
export async function sweepPageEnds(db: Db, now: Instant, limit: number, keptAtMost = KEPT_AT_MOST): Promise<number> {
  const excess = await db.selectFrom('pageEnd').select('at').orderBy('at', 'desc').offset(keptAtMost).limit(1).executeTakeFirst();
  const old = db
    .selectFrom('pageEnd')
    .select(['list', 'pageNo'])
    .where('at', '<=', Math.max(now - HELD_MS, excess?.at ?? 0))
    .orderBy('at')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('pageEnd')
    .where((eb) => eb(eb.refTuple('list', 'pageNo'), 'in', old.$asTuple('list', 'pageNo')))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
