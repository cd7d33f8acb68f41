import type { WireRequest } from '@helioport/contract';
import type { AlarmSearch } from './search.ts';

export const statesAsked = { open: 'pending', processed: 'processed', ended: 'restored' } as const;

const LEVELS = { 2: 'general', 3: 'emergency' } as const;

/** What is asked for, but of whatever state: alarms that were under way between two days, of a level and a plant. */
export const alarmsRequestOf = ({
  level,
  plant,
  from,
  to,
  sort,
}: AlarmSearch): WireRequest<'alarm/list'> => ({
  ...(level !== undefined && { minLevel: LEVELS[level] }),
  ...(plant !== undefined && { plantId: plant }),
  ...(from !== undefined && { underWayFrom: from }),
  ...(to !== undefined && { toDay: to }),
  ...(sort !== undefined && { sort }),
});
