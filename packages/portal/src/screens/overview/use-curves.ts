import { useMemo } from 'react';
import { useOperation } from '../../wire/queries.ts';
import type { PowerCurve } from './curve.ts';
import type { OverviewSearch } from './search.ts';
import { RANKING_PAGE_SIZE, useRanking } from './use-ranking.ts';

/** The curves of the last 24 hours, by plant: of all plants if they are few, else of those on the page that an address asks for. */
export function useCurves(search: OverviewSearch, plants: number): ReadonlyMap<string, PowerCurve> {
  const { data: page } = useRanking(
    plants <= RANKING_PAGE_SIZE ? {} : search,
    plants <= RANKING_PAGE_SIZE || !search.map,
  );
  // In an order of its own, so that another order of the list asks nothing anew.
  const ids = (page?.records ?? [])
    .flatMap(({ id, lastReportAt }) => (id !== undefined && lastReportAt !== undefined ? [id] : []))
    .toSorted();
  const { data } = useOperation(
    'plant/curves',
    { plantIds: ids },
    { enabled: ids.length > 0, keepPrevious: true },
  );
  return useMemo(
    () =>
      new Map(
        (data ?? []).flatMap(({ id, startAt, powerW }) =>
          id === undefined || startAt === undefined || !powerW ? [] : [[id, { startAt, powerW }]],
        ),
      ),
    [data],
  );
}
