import type { CommandRecord } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { findCommands } from '../../../control/commands/await-outcome.ts';
import { listByOthers, markSeen } from '../../../control/commands/by-others.ts';
import { cancelCommand, endUnallowed } from '../../../control/commands/cancel.ts';
import {
  requesterEmailsOf,
  findLastChange,
  listCommands,
  recordOfCommand,
} from '../../../control/commands/history.ts';
import { EXPIRY_MS, queueCommands, type NewCommand } from '../../../control/commands/queue.ts';
import { releaseControl, stopControl } from '../../../control/commands/stop.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { getPlant, narrow, reachOf } from '../../../fleet/plants/access.ts';
import { getDevice, type VisibleDevice } from '../../../fleet/plants/device-access.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { endInPlants } from '../../../control/strategies/end.ts';
import { pauseForManualWrite } from '../../../control/strategies/pause-for-manual-write.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { commandOf, controlledInverter, plantOf } from '../rights/plants.ts';

type CommandOperation =
  | `command/${'send' | 'list' | 'show' | 'cancel' | 'undo' | 'byOthers' | 'seen'}`
  | `control/${'stop' | 'release'}`;

const LISTED = 100;

/** Operations of our own to send, follow, cancel and undo commands, and to stop those of others. */
export function createCommandOperations(deps: OperationDependencies): HandlersOf<CommandOperation> {
  const { db } = deps;

  const queue = async (
    trx: Db,
    act: Act,
    caller: Caller,
    inverter: VisibleDevice,
    what: Omit<NewCommand, 'deviceId' | 'plantId'>,
  ): Promise<CommandRecord> => {
    const { id: deviceId, plantId } = inverter;
    const ids = await queueCommands(trx, act, caller, [{ deviceId, plantId, ...what }]);
    await pauseForManualWrite(trx, act, caller, ids);
    const [command] = await findCommands(trx, ids);
    return recordOfCommand(inverter, command!);
  };

  return {
    async 'command/send'(caller, { sn, parameter, value, oldValue, expirySeconds }, once) {
      return change(
        deps,
        caller,
        once,
        controlledInverter({ sn }),
        (trx, act, [inverter], present) => {
          const expiresAt =
            act.at + (expirySeconds === undefined ? EXPIRY_MS : expirySeconds * 1000);
          return queue(trx, act, present, inverter!, { parameter, value, oldValue, expiresAt });
        },
      );
    },

    async 'command/list'(caller, { sn, before, limit = LISTED, reads = false }) {
      return listCommands(db, caller, await getDevice(db, caller, 'inverter', { sn }, 'read'), {
        before,
        limit,
        reads,
      });
    },

    async 'command/show'(caller, { id }) {
      reachOf(caller, 'read');
      const [command] = await findCommands(db, [id]);
      if (!command) throw new Failure('noPermission');
      await getPlant(db, caller, command.plantId, 'read');
      const device = await db
        .selectFrom('device')
        .select(['id', 'sn', 'kind', 'model', 'facts'])
        .where('id', '=', command.deviceId)
        .executeTakeFirstOrThrow();
      const emailOf = await requesterEmailsOf(db, caller, [command]);
      return {
        ...recordOfCommand({ ...device, plantId: command.plantId }, command),
        byEmail: emailOf(command),
      };
    },

    'command/cancel': async (caller, { id }, once) => {
      return change(deps, caller, once, commandOf(id, 'control'), (trx, act, _, present) =>
        cancelCommand(trx, act, present, id),
      );
    },

    async 'command/undo'(caller, { sn, parameter: ofParameter }, once) {
      return change(
        deps,
        caller,
        once,
        controlledInverter({ sn }),
        async (trx, act, [inverter], present) => {
          const last = await findLastChange(trx, inverter!, ofParameter);
          if (!last) throw new Failure('noPermission', { message: 'there is no change to undo' });
          const { id: undoes, parameter, value, oldValue } = last;
          return queue(trx, act, present, inverter!, {
            parameter,
            value: oldValue!,
            oldValue: value!,
            undoes,
            expiresAt: act.at + EXPIRY_MS,
          });
        },
      );
    },

    async 'command/byOthers'(caller, { plantId, unseen = false, before, limit = LISTED }) {
      const reach = reachOf(caller, 'manage');
      if (plantId !== undefined) await getPlant(db, caller, plantId, 'manage');
      return listByOthers(db, caller, {
        reach: narrow(reach, plantId === undefined ? undefined : [plantId]),
        unseen,
        before,
        limit,
      });
    },

    'command/seen': async (caller, { id }, once) =>
      change(deps, caller, once, commandOf(id, 'manage'), (trx, _, plant) =>
        markSeen(trx, plant.id, id),
      ),

    'control/stop': async (caller, { plantId }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act) => {
        if (!(await stopControl(trx, act, plantId))) return;
        await endInPlants(
          trx,
          act,
          [plantId],
          'the owner of the plant has stopped the writes of others',
        );
        await endUnallowed(trx, act, plantId, 'refused');
      }),

    'control/release': async (caller, { plantId }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act) => {
        await releaseControl(trx, act, plantId);
      }),
  };
}
