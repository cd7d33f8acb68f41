import type { Listing } from '@helioport/contract';
import type { PageOf } from '../plants/plant-list.ts';
import type { Activity } from '../telemetry/activity.ts';

/** A page of records with the counts of all pages. */
export const listing = <R>({ all, online }: Activity, page: PageOf, records: readonly R[]): Listing<R> => ({
  page: { records, total: all, ...page },
  counts: { all, online, offline: all - online, alarm: 0 },
});
