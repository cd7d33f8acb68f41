import type { DeviceKind, DeviceOrder, PresenceState } from '@helioport/contract';

/** What the address says about the list, so that it can be kept, sent and gone back to. */
export interface DevicesSearch {
  readonly q?: string | undefined;
  readonly kind?: DeviceKind | undefined;
  readonly state?: PresenceState | undefined;
  readonly sort?: DeviceOrder | undefined;
  readonly up?: boolean | undefined;
  readonly page?: number | undefined;
}

export const KINDS: readonly DeviceKind[] = ['inverter', 'collector', 'epm', 'ammeter', 'weather'];
export const STATES: readonly PresenceState[] = ['online', 'offline', 'alarm'];
const ORDERS: readonly DeviceOrder[] = [
  'kind',
  'name',
  'state',
  'power',
  'day',
  'fullHours',
  'reported',
];

/** Whether what is sorted by goes up unless something else is asked for. */
export const goesUp = (order: DeviceOrder): boolean =>
  order === 'kind' || order === 'name' || order === 'state';

/** Reads an address; what makes no sense there is left out. */
export function devicesSearch({
  q,
  kind,
  state,
  sort,
  up,
  page,
}: Readonly<Record<string, unknown>>): DevicesSearch {
  const [only, inState, order] = [
    KINDS.find((one) => one === kind),
    STATES.find((one) => one === state),
    ORDERS.find((one) => one === sort),
  ];
  return {
    // A serial number of digits comes as a number.
    ...((typeof q === 'string' || typeof q === 'number') &&
      String(q).trim() !== '' && { q: String(q).slice(0, 100) }),
    ...(only && { kind: only }),
    ...(inState && { state: inState }),
    ...(order && { sort: order }),
    ...(typeof up === 'boolean' && { up }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
  };
}
