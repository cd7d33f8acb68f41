import { getPlant } from '../../../fleet/plants/access.ts';
import { arraysOf, readArrays, setArrays } from '../../../fleet/plants/arrays.ts';
import { estimatedArrays } from '../../../measurements/figures/performance/estimated-arrays.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf } from '../rights/plants.ts';

/** How the modules of plants are mounted. */
export const createArrayOperations = (
  deps: OperationDependencies,
): HandlersOf<'plant/arrays' | 'plant/setArrays'> => ({
  'plant/arrays': async (caller, { plantId }) => {
    const plant = await getPlant(deps.db, caller, plantId, 'read');
    return { ...arraysOf(plant), estimated: await estimatedArrays(deps.db, plant) };
  },

  'plant/setArrays': async (caller, { plantId, arrays }, once) => {
    const read = readArrays(arrays);
    return change(deps, caller, once, plantOf({ id: plantId }, 'install'), (trx, act) =>
      setArrays(trx, act, plantId, read),
    );
  },
});
