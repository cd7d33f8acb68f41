import { getPlant } from '../../../fleet/plants/access.ts';
import { plantPerformanceDay } from '../../../measurements/figures/performance/performance-day.ts';
import { performanceRows } from '../../../measurements/figures/performance/performance-rows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** What plants produced beside what the sun allowed. */
export const createPerformanceOperations = (
  deps: OperationDependencies,
): HandlersOf<'performance/day' | 'performance/energy'> => ({
  'performance/day': async (caller, { plantId, day }) =>
    plantPerformanceDay(deps, await getPlant(deps.db, caller, plantId, 'read'), day),

  'performance/energy': async (caller, { plantId, each, month, year }) =>
    performanceRows(
      deps,
      await getPlant(deps.db, caller, plantId, 'read'),
      each === 'day' ? { each, month } : { each, year },
    ),
});
