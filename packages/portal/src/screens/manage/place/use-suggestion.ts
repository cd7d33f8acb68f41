import type { Position } from '../../../parts/map/view.ts';
import { useOperation } from '../../../wire/queries.ts';

/** What fits a position; neither is known at sea, nor before the server has answered. */
export interface Suggestion {
  readonly timeZone: string | undefined;
  readonly currency: string | undefined;
  readonly isAtSea: boolean;
}

/** The time zone and the currency at a position. */
export function useSuggestion(position: Position | undefined): Suggestion {
  const { data } = useOperation('plant/zone', position ?? { latitude: 0, longitude: 0 }, {
    enabled: position !== undefined,
  });
  const found = position && data;
  return {
    timeZone: found?.timeZone,
    currency: found?.currency,
    isAtSea: found !== undefined && found.timeZone === undefined,
  };
}
