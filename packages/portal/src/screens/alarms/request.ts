import type { WireRequest } from '@helioport/contract';
import type { AlarmSearch } from './search.ts';

export const alarmCodes = { open: 0, processed: 1, ended: 2 } as const;

/** What is asked for, but of whatever state: alarms that were under way between two days, of a level and a plant. */
export const requestOf = ({ level, plant, from, to }: AlarmSearch): WireRequest<'alarmList'> => ({
  ...(level !== undefined && { minLevel: level }),
  ...(plant !== undefined && { stationId: plant }),
  ...(from !== undefined && { underWayFrom: from }),
  ...(to !== undefined && { alarmEndTime: to }),
});
