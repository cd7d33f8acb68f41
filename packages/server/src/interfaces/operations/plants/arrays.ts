import { getPlant } from '../../../fleet/plants/access.ts';
import { arraysOf, readArrays, setArrays } from '../../../fleet/plants/arrays.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf } from '../rights/plants.ts';

/** How the modules of plants are mounted. */
export const createArrayOperations = (
  deps: OperationDependencies,
): HandlersOf<'plant/arrays' | 'plant/setArrays'> => ({
  'plant/arrays': async (caller, { plantId }) =>
    arraysOf(await getPlant(deps.db, caller, plantId, 'read')),

  'plant/setArrays': async (caller, { plantId, arrays }, once) => {
    const read = readArrays(arrays);
    return change(deps, caller, once, plantOf({ id: plantId }, 'install'), (trx, act) =>
      setArrays(trx, act, plantId, read),
    );
  },
});
