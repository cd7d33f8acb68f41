import { listWaiting } from '../../../fleet/devices/discoveries.ts';
import { placeDevices } from '../../../fleet/devices/placement.ts';
import { getPlant, narrow, reachOf } from '../../../fleet/plants/access.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { discoveryOf } from '../rights/plants.ts';

const LISTED = 100;

/** Serial numbers that wait to be bound by the owner of the collector that reported them. */
export function createDiscoveryOperations(
  deps: OperationDependencies,
): HandlersOf<'discovery/list' | 'discovery/bind'> {
  const { db } = deps;
  return {
    async 'discovery/list'(caller, { plantId, limit = LISTED }) {
      const reach = reachOf(caller, 'install');
      if (plantId !== undefined) await getPlant(db, caller, plantId, 'install');
      return listWaiting(db, {
        reach: narrow(reach, plantId === undefined ? undefined : [plantId]),
        limit,
      });
    },

    'discovery/bind': async (caller, { sn, kind, plantId }, once) =>
      change(deps, caller, once, discoveryOf(sn, plantId), async (trx, act, home) => {
        await placeDevices(trx, act, home, [sn], { kind });
        return { sn, plantId: home.id };
      }),
  };
}
