import { dayFrom } from '../../i18n/plant-time.ts';

export const searchedAlarmStates = ['open', 'processed', 'ended', 'all'] as const;
export type SearchedAlarmState = (typeof searchedAlarmStates)[number];

/** What the address says about the inbox, so that it can be kept, sent and gone back to. */
export interface AlarmSearch {
  readonly state?: SearchedAlarmState | undefined;
  readonly level?: 2 | 3 | undefined;
  readonly plant?: string | undefined;
  /** Local days of the plants between which they were under way, as `2026-11-06`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page?: number | undefined;
  /** What has cost most first. */
  readonly sort?: 'lost' | undefined;
}

/** Whether more than the state decides which alarms are shown. */
export const narrowsAlarms = ({ level, plant, from, to }: AlarmSearch): boolean =>
  [level, plant, from, to].some((one) => one !== undefined);

/** What remains of an address without filters: its state. */
export const withoutFilters = ({ state }: AlarmSearch): AlarmSearch => (state ? { state } : {});

/** Reads an address; what makes no sense there is left out. */
export function alarmSearch({
  state,
  level,
  plant,
  from,
  to,
  page,
  sort,
}: Readonly<Record<string, unknown>>): AlarmSearch {
  const only = searchedAlarmStates.find((one) => one === state);
  const id = typeof plant === 'string' || typeof plant === 'number' ? String(plant) : '';
  return {
    ...(only && { state: only }),
    ...((level === 2 || level === 3) && { level }),
    ...(/^\d{1,19}$/.test(id) && { plant: id }),
    ...(dayFrom(from) && { from: dayFrom(from) }),
    ...(dayFrom(to) && { to: dayFrom(to) }),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && { page }),
    ...(sort === 'lost' && { sort }),
  };
}
