import type { PlantOrder } from '@helioport/contract';
import { useOperation } from '../../wire/queries.ts';
import type { OverviewSearch } from './search.ts';

/** Plants on a page. */
export const RANKING_PAGE_SIZE = 20;

/** What needs looking at comes first. */
export const USUAL: PlantOrder = 'state';

/** Whether the list that an address asks for goes up. */
export const isUp = ({ sort = USUAL, up }: OverviewSearch): boolean =>
  up ?? (sort === 'name' || sort === 'state');

/** The page of plants that an address asks for. */
export function useRanking(search: OverviewSearch, enabled: boolean) {
  const { sort = USUAL, page = 1, q, state } = search;
  const request = {
    pageNo: page,
    pageSize: RANKING_PAGE_SIZE,
    sort,
    direction: isUp(search) ? 'up' : 'down',
    ...(q !== undefined && { search: q }),
    ...(state && { states: [state] }),
  };
  return useOperation('plant/ranking', request, { enabled, keepPrevious: true, kept: true });
}
