import type { Listing, PageRecord } from '@helioport/contract';
import type { PageOf } from '../../fleet/plants/fleet/plant-list.ts';
import { presence } from '../../fleet/plants/presence.ts';
import { totalOf, type StateNumbers } from '../../fleet/plants/fleet/visible-counts.ts';

/** A page of records, with the total of the whole list. */
export const pageOfRows = <R>(
  counts: StateNumbers,
  { pageNo, pageSize }: PageOf,
  records: readonly R[],
): PageRecord<R> => ({
  records,
  total: totalOf(counts),
  pageNo,
  pageSize,
});

/** A page of records with the counts of the whole list. A plant without devices counts as offline, as in its record. */
export const listingOf = <R>(
  counts: StateNumbers,
  page: PageOf,
  records: readonly R[],
): Listing<R> => ({
  page: pageOfRows(counts, page, records),
  counts: {
    all: totalOf(counts),
    online: counts.get(presence.online) ?? 0,
    offline: (counts.get(presence.offline) ?? 0) + (counts.get(presence.building) ?? 0),
    alarm: counts.get(presence.alarm) ?? 0,
  },
});
