import { createCollectorOfOwner, getCollectorIn } from '../../../fleet/collectors/collectors.ts';
import { findCollectorOfToken } from '../../../fleet/collectors/authenticate.ts';
import { rotateToken } from '../../../fleet/collectors/tokens.ts';
import { correctDevice } from '../../../fleet/devices/correction.ts';
import { replaceDevice } from '../../../fleet/devices/replacement.ts';
import { handOnAlarms } from '../../../outbound/alarms/hand-on.ts';
import { placeDevices, removeCollectors, removeDevices } from '../../../fleet/devices/placement.ts';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf, within } from '../rights/plants.ts';

/** Binding, replacing, correcting and unbinding of devices by the owners of plants and those whom they let install them. */
export function createDeviceManagement(
  deps: OperationDependencies,
): HandlersOf<
  | 'addDevice'
  | 'collector/create'
  | 'collector/replaceToken'
  | 'delCollector'
  | 'device/edit'
  | 'device/replace'
  | 'unbindDevice'
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
          ...inWatts(ratedPowerKw),
        });
      });
    },

    'collector/create': async (caller, { plantId }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }, 'install'), async (trx, act, home) => ({
        ...(await createCollectorOfOwner(trx, act, home)),
        gateway: deps.gatewayUrl,
      })),

    'collector/replaceToken': async (caller, { plantId, sn }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }, 'install'), async (trx, act, home) =>
        rotateToken(trx, act, await getCollectorIn(trx, home.id, sn), 0),
      ),

    'device/edit': async (caller, { plantId, sn, ratedPowerKw, ...texts }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }, 'install'), (trx, act, home) =>
        correctDevice(trx, act, home, sn, { ...texts, ...inWatts(ratedPowerKw) }),
      ),

    'device/replace': async (caller, { plantId, sn, by, collectorToken, ratedPowerKw }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }, 'install'), async (trx, act, home) => {
        const tokens = collectorToken ? [collectorToken] : [];
        const shown = await collectorsOfTokens(trx, tokens, act.at);
        const { former, ...came } = await replaceDevice(trx, act, home, {
          sn,
          by,
          shown,
          ...inWatts(ratedPowerKw),
        });
        await handOnAlarms(trx, act, plantId, former.id, came);
        return came;
      }),

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

const inWatts = (ratedPowerKw: number | undefined): { ratedPowerW?: number } =>
  ratedPowerKw === undefined ? {} : { ratedPowerW: ratedPowerKw * 1000 };

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
