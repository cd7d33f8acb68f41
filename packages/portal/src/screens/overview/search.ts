import type { PlantOrder, PlantState } from '@helioport/contract';

/** What the address says about the list, so that it can be kept, sent and gone back to. */
export interface OverviewSearch {
  readonly q?: string | undefined;
  readonly sort?: PlantOrder | undefined;
  readonly up?: boolean | undefined;
  readonly page?: number | undefined;
  readonly state?: PlantState | undefined;
  readonly map?: boolean | undefined;
}

const ORDERS: readonly PlantOrder[] = [
  'name',
  'state',
  'power',
  'day',
  'yesterday',
  'month',
  'total',
  'capacity',
];
const STATES: readonly PlantState[] = ['online', 'offline', 'alarm', 'building'];

/** Reads an address; what makes no sense there is left out. */
export function overviewSearch({
  q,
  sort,
  up,
  page,
  state,
  map,
}: Readonly<Record<string, unknown>>): OverviewSearch {
  const order = ORDERS.find((one) => one === sort);
  const only = STATES.find((one) => one === state);
  return {
    ...(typeof q === 'string' && q.trim() !== '' && { q: q.slice(0, 100) }),
    ...(order && { sort: order }),
    ...(typeof up === 'boolean' && { up }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
    ...(only && { state: only }),
    ...(map === true && { map }),
  };
}
