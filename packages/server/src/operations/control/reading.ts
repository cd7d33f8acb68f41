import { awaitOutcome, findCommands } from '../../commands/await-outcome.ts';
import type { Command } from '../../commands/life-cycle.ts';
import { findParameter } from '../../commands/parameters.ts';
import { EXPIRY_MS, queueCommands } from '../../commands/queue.ts';
import { Failure, invalidValue } from '../../kernel/failure.ts';
import { findPlant, reachOf } from '../../plants/access.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { getControlled, isOutOfReach } from './named-inverters.ts';
import { commandOfOrder, controlItem, orderOf, readValueOf } from './orders.ts';

/** Reads parameters from inverters, and returns the outcome of an order. */
export function createReading(deps: OperationDependencies): HandlersOf<'atRead' | 'atReadBatch' | 'result'> {
  const { db, clock, patience } = deps;
  return {
    async atRead(caller, { sn, id, parameter }) {
      const inverter = await getControlled(db, caller, { sn, id });
      if (isOutOfReach(inverter)) throw new Failure('deviceOffline');
      const queued = await change(deps, caller, undefined, (trx, act) =>
        queueCommands(trx, act, caller, [{ deviceId: inverter.id, plantId: inverter.plantId, parameter, expiresAt: act.at + EXPIRY_MS }]),
      );
      const [command] = await awaitOutcome(db, patience, queued, hasEnded);
      return { at: clock.now(), order: orderOf(command!), read: readValueOf(command!) };
    },

    async atReadBatch(caller, { sn, id, parameters }) {
      const inverter = await getControlled(db, caller, { sn, id });
      if (isOutOfReach(inverter)) throw new Failure('deviceOffline');
      // A parameter that the model does not have becomes an item without a value.
      const known = parameters.filter((parameter) => findParameter(inverter, parameter));
      const queued = await change(deps, caller, undefined, (trx, act) => {
        const about = { deviceId: inverter.id, plantId: inverter.plantId, expiresAt: act.at + EXPIRY_MS };
        return queueCommands(
          trx,
          act,
          caller,
          known.map((parameter) => ({ ...about, parameter })),
        );
      });
      const commands = await awaitOutcome(db, patience, queued, hasEnded);
      const byParameter = new Map(commands.map((command) => [command.parameter, command]));
      const items = parameters.map((parameter) => {
        const command = byParameter.get(parameter);
        return { parameter, read: command?.state === 'verified' ? readValueOf(command) : null };
      });
      return { at: clock.now(), items };
    },

    async result(caller, { order }) {
      reachOf(caller, 'control');
      const id = commandOfOrder(order);
      if (id === undefined) throw invalidValue('orderId', 'an order that control or atRead has returned');
      const [command] = await findCommands(db, [id]);
      if (!command || !(await findPlant(db, caller, command.plantId, 'control'))) throw new Failure('deviceUnknown');
      const { sn } = await db.selectFrom('device').select('sn').where('id', '=', command.deviceId).executeTakeFirstOrThrow();
      const told = { at: clock.now(), order: orderOf(command) };
      if (command.action === 'write') return { ...told, outcome: command.endedAt === null && command.state !== 'confirmed' ? null : controlItem(sn, command) };
      return { ...told, outcome: readValueOf(command) };
    },
  };
}

const hasEnded = ({ endedAt }: Command): boolean => endedAt !== null;
