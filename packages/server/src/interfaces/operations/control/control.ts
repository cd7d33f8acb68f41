import type { ControlItem } from '@helioport/contract';
import { awaitOutcome } from '../../../control/commands/await-outcome.ts';
import { cancelUnsent } from '../../../control/commands/cancel.ts';
import type { Command } from '../../../control/commands/life-cycle.ts';
import { EXPIRY_MS, queueCommands } from '../../../control/commands/queue.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { inTransaction } from '../../../platform/storage/transactions/transaction.ts';
import { pauseForManualWrite } from '../../../control/strategies/pause-for-manual-write.ts';
import { actOf, change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { controlled } from '../rights/plants.ts';
import { isOutOfReach, listControlled } from './named-inverters.ts';
import { controlItem } from './orders.ts';

/** A write to several inverters that waits for its outcome. */
export function createControlOperations(deps: OperationDependencies): HandlersOf<'control'> {
  const { db, clock, patience } = deps;
  return {
    async control(caller, { serialNumbers, ids, parameter, value, oldValue }, once) {
      const named = controlled((from, by) => listControlled(from, by, { serialNumbers, ids }));
      const { queued, inverters } = await change(
        deps,
        caller,
        once,
        named,
        async (trx, act, found, present) => {
          const reached = found.filter((one) => !isOutOfReach(one));
          if (reached.length === 0) throw new Failure('deviceOffline');
          const about = { parameter, value, oldValue, expiresAt: act.at + EXPIRY_MS };
          const commandIds = await queueCommands(
            trx,
            act,
            present,
            reached.map(({ id: deviceId, plantId }) => ({ deviceId, plantId, ...about })),
          );
          await pauseForManualWrite(trx, act, present, commandIds);
          return { queued: commandIds, inverters: found };
        },
      );
      let commands = await awaitOutcome(db, patience, queued, isConfirmed);
      if (!commands.every(isConfirmed)) {
        // Clients give up soon, and nothing must happen after that.
        await inTransaction(db, (trx) =>
          cancelUnsent(trx, actOf(deps, caller), commands, 'it could not be sent in time'),
        );
        commands = await awaitOutcome(db, undefined, queued, isConfirmed);
      }
      const byDevice = new Map(commands.map((command) => [command.deviceId, command]));
      const items = inverters.map(({ id, sn }): ControlItem => {
        const command = byDevice.get(id);
        return command
          ? controlItem(sn, command)
          : { sn, order: null, state: 'offline', reason: null };
      });
      return { at: clock.now(), items };
    },
  };
}

const isConfirmed = ({ state, endedAt }: Command): boolean =>
  endedAt !== null || state === 'confirmed';
