import { hash } from 'node:crypto';
import type { OperationId } from '@helioport/contract';
import type { Caller } from '../accounts/caller.ts';
import { readerOf } from '../alarms/pages.ts';
import type { Clock } from '../kernel/clock.ts';
import type { PageOf } from '../plants/fleet/plant-list.ts';
import { createCache } from '../kernel/cache.ts';

/** A list by id as one caller reads it: which list, and all that was asked for beside the page. */
export interface ReadList {
  readonly caller: Caller;
  readonly id: OperationId;
  readonly filter: readonly unknown[];
  readonly fromId: string | undefined;
}

/** Where readers of lists are. */
export interface PageEnds {
  /**
   * Reads a page with `find`: from where the reader's page before it ended, if that was read here within the hour, so that nobody
   * sees a row twice or misses one when others come or go before it. Else by the page's number.
   */
  read<R extends { readonly id: string }>(
    list: ReadList,
    page: PageOf,
    find: (page: PageOf, fromId: string | undefined) => Promise<readonly R[]>,
  ): Promise<readonly R[]>;
}

/** How long a reader may take from one page to the next. */
const HELD_MS = 3_600_000;
const KEPT_AT_MOST = 50_000;

/** In memory: a reader who comes to another instance is served by the page's number. */
export function createPageEnds(clock: Clock): PageEnds {
  const ends = createCache<string, { readonly lastId: string; readonly at: number }>(KEPT_AT_MOST);
  return {
    async read({ caller, id, filter, fromId }, { pageNo, pageSize }, find) {
      const listed = JSON.stringify([readerOf(caller), id, pageSize, fromId, filter]);
      const keyOf = (page: number): string => hash('sha256', `${page} ${listed}`, 'base64');
      const before = pageNo > 1 ? ends.get(keyOf(pageNo - 1)) : undefined;
      const rows =
        before && before.at > clock.now() - HELD_MS ? await find({ pageNo: 1, pageSize }, idAfter(before.lastId)) : await find({ pageNo, pageSize }, fromId);
      if (rows.length === pageSize) ends.set(keyOf(pageNo), { lastId: rows.at(-1)!.id, at: clock.now() });
      return rows;
    },
  };
}

const idAfter = (id: string): string => String(BigInt(id) + 1n);
