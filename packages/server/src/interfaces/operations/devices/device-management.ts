import { findCollectorOfToken } from '../../../fleet/collectors/authenticate.ts';
import { placeDevices, removeCollectors, removeDevices } from '../../../fleet/devices/placement.ts';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import { reachOf } from '../../../fleet/plants/access.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { lockManagedPlant } from '../plants/managed-plant.ts';

/** Binding and unbinding of devices by the owners of plants. */
export function createDeviceManagement(
  deps: OperationDependencies,
): HandlersOf<'addDevice' | 'delCollector' | 'unbindDevice'> {
  return {
    addDevice: async (
      caller,
      { serialNumbers, collectorTokens = [], ratedPowerKw, ...named },
      once,
    ) => {
      reachOf(caller, 'manage');
      return change(deps, caller, once, async (trx, act) => {
        const home = await lockManagedPlant(trx, caller, named);
        const shown = await collectorsOfTokens(trx, collectorTokens, act.at);
        return placeDevices(trx, act, home, serialNumbers, {
          shown,
          ...(ratedPowerKw !== undefined && { ratedPowerW: ratedPowerKw * 1000 }),
        });
      });
    },

    delCollector: async (caller, { serialNumbers, withInverters = false }, once) => {
      const reach = reachOf(caller, 'manage');
      return change(deps, caller, once, (trx, act) =>
        removeCollectors(trx, act, reach, serialNumbers, withInverters),
      );
    },

    unbindDevice: async (caller, { serialNumbers }, once) => {
      const reach = reachOf(caller, 'manage');
      return change(deps, caller, once, (trx, act) =>
        removeDevices(trx, act, reach, serialNumbers),
      );
    },
  };
}

/** The ids of the collectors to which the tokens belong. Throws invalidValue for a token that belongs to none. */
async function collectorsOfTokens(
  trx: Db,
  tokens: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const token of tokens) {
    const id = await findCollectorOfToken(trx, token, now);
    if (id === undefined) throw invalidValue('collectorToken', 'tokens of collectors');
    found.add(id);
  }
  return found;
}
