import type { Permission } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { listParameters } from '../../../control/commands/list-parameters.ts';
import { listPowerLimits } from '../../../control/commands/power-limits.ts';
import { requesterOf } from '../../../control/commands/requester.ts';
import { isStoppedFor } from '../../../control/commands/stop.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { findPlant, getPlant } from '../../../fleet/plants/access.ts';
import { getDevice } from '../../../fleet/plants/device-access.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { actOf } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** What can be read and written, and by whom. */
export function createParameterOperations(
  deps: OperationDependencies,
): HandlersOf<'command/parameters' | 'control/powerLimits' | 'control/state'> {
  const { db } = deps;
  return {
    'command/parameters': async (caller, { sn }) =>
      listParameters(db, await getDevice(db, caller, 'inverter', { sn }, 'read')),

    async 'control/powerLimits'(caller, { plantId }) {
      await getPlant(db, caller, plantId, 'read');
      return listPowerLimits(db, caller, plantId);
    },

    async 'control/state'(caller, { plantId }) {
      const { controlStoppedAt } = await getPlant(db, caller, plantId, 'read');
      const mayRead = await may(db, caller, plantId, 'control');
      const isStopped = await isStoppedFor(db, requesterOf(caller, actOf(deps, caller)), plantId);
      return {
        mayRead,
        mayWrite: mayRead && !isStopped,
        mayManage: await may(db, caller, plantId, 'manage'),
        stoppedAt: controlStoppedAt,
      };
    },
  };
}

async function may(
  db: Db,
  caller: Caller,
  plantId: string,
  permission: Permission,
): Promise<boolean> {
  try {
    return (await findPlant(db, caller, plantId, permission)) !== undefined;
  } catch (error) {
    // Some callers have a permission for no plant at all.
    if (error instanceof Failure) return false;
    throw error;
  }
}
