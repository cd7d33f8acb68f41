import { getPlant, reachOf } from '../../../fleet/plants/access.ts';
import { lossRows } from '../../../outbound/performance/losses.ts';
import { listVisits } from '../../../outbound/performance/visits.ts';
import { plantPerformanceDay } from '../../../measurements/figures/performance/performance-day.ts';
import { performanceRows } from '../../../measurements/figures/performance/performance-rows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** So many are listed if nobody says how many. */
const VISITS = 50;

/** What plants produced beside what the sun allowed, what they lost and why. */
export const createPerformanceOperations = (
  deps: OperationDependencies,
): HandlersOf<
  'performance/day' | 'performance/energy' | 'performance/losses' | 'performance/visits'
> => ({
  'performance/day': async (caller, { plantId, day }) =>
    plantPerformanceDay(deps, await getPlant(deps.db, caller, plantId, 'read'), day),

  'performance/energy': async (caller, { plantId, each, month, year }) =>
    performanceRows(
      deps,
      await getPlant(deps.db, caller, plantId, 'read'),
      each === 'day' ? { each, month } : { each, year },
    ),

  'performance/losses': async (caller, { plantId, each, month, year }) =>
    lossRows(
      deps,
      await getPlant(deps.db, caller, plantId, 'read'),
      each === 'day' ? { each, month } : { each, year },
    ),

  'performance/visits': async (caller, { limit = VISITS }) =>
    (await listVisits(deps, reachOf(caller, 'read'))).slice(0, limit),
});
