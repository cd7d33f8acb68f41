import { createCollectorOfOwner, getCollectorIn } from '../../../fleet/collectors/collectors.ts';
import { findCollectorOfToken } from '../../../fleet/collectors/authenticate.ts';
import { rotateToken } from '../../../fleet/collectors/tokens.ts';
import { placeDevices, removeCollectors, removeDevices } from '../../../fleet/devices/placement.ts';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf, within } from '../rights/plants.ts';

/** Binding and unbinding of devices by the owners of plants. */
export function createDeviceManagement(
  deps: OperationDependencies,
): HandlersOf<
  'addDevice' | 'collector/create' | 'collector/replaceToken' | 'delCollector' | 'unbindDevice'
> {
  return {
    addDevice: async (
      caller,
      { serialNumbers, collectorTokens = [], ratedPowerKw, ...named },
      once,
    ) => {
      return change(deps, caller, once, plantOf(named), async (trx, act, home) => {
        const shown = await collectorsOfTokens(trx, collectorTokens, act.at);
        return placeDevices(trx, act, home, serialNumbers, {
          shown,
          ...(ratedPowerKw !== undefined && { ratedPowerW: ratedPowerKw * 1000 }),
        });
      });
    },

    'collector/create': async (caller, { plantId }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act, home) => ({
        ...(await createCollectorOfOwner(trx, act, home)),
        gateway: deps.gatewayUrl,
      })),

    'collector/replaceToken': async (caller, { plantId, sn }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act, home) =>
        rotateToken(trx, act, await getCollectorIn(trx, home.id, sn), 0),
      ),

    delCollector: async (caller, { serialNumbers, withInverters = false }, once) =>
      change(deps, caller, once, within('manage'), (trx, act, reach) =>
        removeCollectors(trx, act, reach, serialNumbers, withInverters),
      ),

    unbindDevice: async (caller, { serialNumbers }, once) =>
      change(deps, caller, once, within('manage'), (trx, act, reach) =>
        removeDevices(trx, act, reach, serialNumbers),
      ),
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
