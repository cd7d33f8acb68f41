import { placeDevices, removeCollectors, removeDevices } from '../../devices/placement.ts';
import { reachOf } from '../../plants/access.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { lockManagedPlant } from '../plants/managed-plant.ts';

/** Devices are bound to plants and unbound from them by the plants' owners. */
export function createDeviceManagement(deps: OperationDependencies): HandlersOf<'addDevice' | 'delCollector' | 'unbindDevice'> {
  return {
    addDevice: async (caller, { serialNumbers, ...named }, once) => {
      reachOf(caller, 'manage');
      return change(deps, caller, once, async (trx, act) => placeDevices(trx, act, await lockManagedPlant(trx, caller, named), serialNumbers));
    },

    delCollector: async (caller, { serialNumbers, withInverters = false }, once) => {
      const reach = reachOf(caller, 'manage');
      return change(deps, caller, once, (trx, act) => removeCollectors(trx, act, reach, serialNumbers, withInverters));
    },

    unbindDevice: async (caller, { serialNumbers }, once) => {
      const reach = reachOf(caller, 'manage');
      return change(deps, caller, once, (trx, act) => removeDevices(trx, act, reach, serialNumbers));
    },
  };
}
