import { hash } from 'node:crypto';
import type { OperationId } from '@helioport/contract';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import type { Caller } from './caller.ts';

/** A list as one caller reads it: which list, and all request parameters except the page. */
export interface ReadList {
  readonly caller: Caller;
  readonly id: OperationId;
  readonly filter: readonly unknown[];
}

/** Where a page ended. */
export interface PageEnd {
  readonly lastId: string;
  /** Number of rows on all pages when the first page was read; null for lists that do not record it. */
  readonly total: number | null;
  /** Whether `total` is only a lower bound, because counting stopped there. */
  readonly atLeast: boolean;
}

/** How long a reader may take to ask for the next page. */
const HELD_MS = 3_600_000;
/** After this time, an entry is written again even if it has not changed, so that it does not expire. */
const REWRITTEN_AFTER_MS = HELD_MS / 2;
/** If there are more entries than this, the oldest are deleted early; their readers get the next page by its number. */
const KEPT_AT_MOST = 100_000;

function readerOf(caller: Caller): string {
  if (caller.kind === 'application') return `grant:${caller.grantId}`;
  if (caller.kind === 'operator') return `operator:${caller.accountId ?? ''}`;
  if (caller.kind === 'console') return `console:${caller.operatorId}`;
  if (caller.kind === 'client') return `client:${caller.applicationId}`;
  if (caller.supporterId !== undefined) return `support:${caller.supporterId}:${caller.accountId}`;
  return caller.keyId === null ? `account:${caller.accountId}` : `key:${caller.keyId}`;
}

const keyOf = ({ caller, id, filter }: ReadList): string =>
  hash('sha256', JSON.stringify([readerOf(caller), id, filter]), 'base64');

const ends = prepareQuery((db, p: ParameterOf<{ list: string; pageNo: number; since: Instant }>) =>
  db
    .selectFrom('pageEnd')
    .select(['lastId', 'total', 'atLeast'])
    .where('list', '=', p('list'))
    .where('pageNo', '=', p('pageNo'))
    .where('at', '>', p('since')),
);

const find = async (db: Db, list: ReadList, pageNo: number, since: Instant) =>
  (await ends(db, { list: keyOf(list), pageNo, since }))[0];

/** Where a page of a list ended, if its reader read it within the last hour, on any instance. */
export async function findPageEnd(
  db: Db,
  list: ReadList,
  pageNo: number,
  now: Instant,
): Promise<PageEnd | undefined> {
  const end = pageNo < 1 ? undefined : await find(db, list, pageNo, now - HELD_MS);
  return end && { ...end, atLeast: end.atLeast === 1 };
}

/** Records where a page ended. Reading the same page repeatedly causes no writes while it ends in the same place. */
export async function keepPageEnd(
  db: Db,
  list: ReadList,
  pageNo: number,
  { lastId, total, atLeast }: PageEnd,
  at: Instant,
): Promise<void> {
  const known = await find(db, list, pageNo, at - REWRITTEN_AFTER_MS);
  const end = { lastId, total, atLeast: atLeast ? (1 as const) : (0 as const) };
  if (
    known &&
    known.lastId === end.lastId &&
    known.total === end.total &&
    known.atLeast === end.atLeast
  )
    return;
  await db
    .insertInto('pageEnd')
    .values({ list: keyOf(list), pageNo, ...end, at })
    .onConflict((conflict) => conflict.columns(['list', 'pageNo']).doUpdateSet({ ...end, at }))
    .execute();
}

/** Forgets at most `limit` pages that have expired or exceed the maximum number; returns how many. */
export async function sweepPageEnds(
  db: Db,
  now: Instant,
  limit: number,
  keptAtMost = KEPT_AT_MOST,
): Promise<number> {
  const excess = await db
    .selectFrom('pageEnd')
    .select('at')
    .orderBy('at', 'desc')
    .offset(keptAtMost)
    .limit(1)
    .executeTakeFirst();
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
