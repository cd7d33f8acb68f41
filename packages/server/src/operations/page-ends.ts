import type { Clock } from '../kernel/clock.ts';
import { findPageEnd, keepPageEnd, type ReadList } from '../accounts/page-ends.ts';
import type { PageOf } from '../plants/fleet/plant-list.ts';
import type { Db } from '../storage/database.ts';

/** A list by id, from an id on where that was asked for. */
export interface ReadListById extends ReadList {
  readonly fromId: string | undefined;
}

/**
 * Reads a page with `find`: from where the reader's page before it ended, if that was read within the hour, so that nobody sees a row
 * twice or misses one when others come or go before it. Else by the page's number.
 */
export async function readPage<R extends { readonly id: string }>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { caller, id, filter, fromId }: ReadListById,
  { pageNo, pageSize }: PageOf,
  find: (page: PageOf, fromId: string | undefined) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const list = { caller, id, filter: [pageSize, fromId, ...filter] };
  const before = await findPageEnd(db, list, pageNo - 1, clock.now());
  const rows = await (before ? find({ pageNo: 1, pageSize }, idAfter(before.lastId)) : find({ pageNo, pageSize }, fromId));
  // A reading that cannot be noted is answered all the same; the next page then goes by its number.
  if (rows.length === pageSize)
    await keepPageEnd(db, list, pageNo, { lastId: rows.at(-1)!.id, total: null, atLeast: false }, clock.now()).catch(() => undefined);
  return rows;
}

const idAfter = (id: string): string => String(BigInt(id) + 1n);
