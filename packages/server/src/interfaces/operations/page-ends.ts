import type { Clock } from '../../platform/kernel/clock.ts';
import { findPageEnd, keepPageEnd, type ReadList } from '../../identity/accounts/page-ends.ts';
import type { PageOf } from '../../fleet/plants/fleet/plant-list.ts';
import type { Db } from '../../platform/storage/database.ts';

/** A list in order of id, starting at `fromId` if given. */
export interface ReadListById extends ReadList {
  readonly fromId: string | undefined;
}

/**
 * Reads a page with `find`. If the reader read the page before it within the last hour, the page starts where that one
 * ended, so that no row is repeated or missed when rows before it come or go. Otherwise the page is found by its number.
 */
export async function readPage<R extends { readonly id: string }>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { caller, id, filter, fromId }: ReadListById,
  { pageNo, pageSize }: PageOf,
  find: (page: PageOf, fromId: string | undefined) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const list = { caller, id, filter: [pageSize, fromId, ...filter] };
  const before = await findPageEnd(db, list, pageNo - 1, clock.now());
  const rows = await (before
    ? find({ pageNo: 1, pageSize }, idAfter(before.lastId))
    : find({ pageNo, pageSize }, fromId));
  // If the end cannot be stored, the page is served all the same, and the next one is found by its number.
  if (rows.length === pageSize)
    await keepPageEnd(
      db,
      list,
      pageNo,
      { lastId: rows.at(-1)!.id, total: null, atLeast: false },
      clock.now(),
    ).catch(() => undefined);
  return rows;
}

const idAfter = (id: string): string => String(BigInt(id) + 1n);
