import type { MeterReadItem, ReadValue } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { awaitOutcome, findCommands } from '../../../control/commands/await-outcome.ts';
import type { Command } from '../../../control/commands/life-cycle.ts';
import { findParameter } from '../../../control/commands/parameters.ts';
import { EXPIRY_MS, queueCommands } from '../../../control/commands/queue.ts';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import { findPlant, reachOf } from '../../../fleet/plants/access.ts';
import type { VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { controlled } from '../rights/plants.ts';
import { getControlled, isOutOfReach, listControlled, listOfMeter } from './named-inverters.ts';
import { commandOfOrder, controlItem, orderOf, readValueOf } from './orders.ts';

/** Reads parameters from inverters, and returns the outcome of an order. */
export function createReading(
  deps: OperationDependencies,
): HandlersOf<'atRead' | 'atReadBatch' | 'atReadSAPN' | 'result'> {
  const { db, clock, patience } = deps;

  /** Has parameters of inverters read, and waits for the outcome. Returns the command of one of them; undefined for others. */
  async function read(
    caller: Caller,
    wanted: readonly Wanted[],
  ): Promise<(...one: Wanted) => Command | undefined> {
    const named = controlled(async (from, by) => {
      const ids = [...new Set(wanted.map(([{ id }]) => id))];
      return listControlled(from, by, { ids });
    });
    const queued = await change(deps, caller, undefined, named, (trx, act, _, present) =>
      queueCommands(
        trx,
        act,
        present,
        wanted.map(([{ id: deviceId, plantId }, parameter]) => ({
          deviceId,
          plantId,
          parameter,
          expiresAt: act.at + EXPIRY_MS,
        })),
      ),
    );
    const commands = await awaitOutcome(db, patience, queued, hasEnded);
    return ({ id }, parameter) =>
      commands.find((one) => one.deviceId === id && one.parameter === parameter);
  }

  return {
    async atRead(caller, { sn, id, parameter }) {
      const inverter = await getControlled(db, caller, { sn, id });
      if (isOutOfReach(inverter)) throw new Failure('deviceOffline');
      const command = (await read(caller, [[inverter, parameter]]))(inverter, parameter)!;
      return { at: clock.now(), order: orderOf(command), read: readValueOf(command) };
    },

    async atReadBatch(caller, { sn, id, parameters }) {
      const inverter = await getControlled(db, caller, { sn, id });
      if (isOutOfReach(inverter)) throw new Failure('deviceOffline');
      const outcomeOf = await read(caller, wantedOf([inverter], parameters));
      return {
        at: clock.now(),
        items: parameters.map((parameter) => ({
          parameter,
          read: valueIn(outcomeOf(inverter, parameter)),
        })),
      };
    },

    async atReadSAPN(caller, { nmiCode, serialNumbers, ids, parameters }) {
      const inverters = await listOfMeter(db, caller, { nmiCode, serialNumbers, ids });
      const reached = inverters.filter((one) => !isOutOfReach(one));
      if (reached.length === 0) throw new Failure('deviceOffline');
      const outcomeOf = await read(caller, wantedOf(reached, parameters));
      const items = inverters.flatMap((inverter) =>
        parameters.map((parameter): MeterReadItem => {
          const command = outcomeOf(inverter, parameter);
          const { sn, nmiCode: meter } = inverter;
          return {
            nmiCode: meter,
            sn,
            parameter,
            read: valueIn(command),
            offline: isOutOfReach(inverter),
            sentAt: command?.sentAt ?? null,
          };
        }),
      );
      return { at: clock.now(), items };
    },

    async result(caller, { order }) {
      reachOf(caller, 'control');
      const id = commandOfOrder(order);
      if (id === undefined)
        throw invalidValue('orderId', 'an order that control or atRead has returned');
      const [command] = await findCommands(db, [id]);
      if (!command || !(await findPlant(db, caller, command.plantId, 'control')))
        throw new Failure('deviceUnknown');
      const { sn } = await db
        .selectFrom('device')
        .select('sn')
        .where('id', '=', command.deviceId)
        .executeTakeFirstOrThrow();
      const answer = { at: clock.now(), order: orderOf(command) };
      if (command.action === 'write')
        return {
          ...answer,
          outcome:
            command.endedAt === null && command.state !== 'confirmed'
              ? null
              : controlItem(sn, command),
        };
      return { ...answer, outcome: readValueOf(command) };
    },
  };
}

/** A parameter of an inverter. */
type Wanted = readonly [inverter: VisibleDevice, parameter: string];

// A parameter that the model does not have becomes an item without a value.
const wantedOf = (inverters: readonly VisibleDevice[], parameters: readonly string[]): Wanted[] =>
  inverters.flatMap((inverter) =>
    parameters
      .filter((parameter) => findParameter(inverter, parameter))
      .map((parameter): Wanted => [inverter, parameter]),
  );

const hasEnded = ({ endedAt }: Command): boolean => endedAt !== null;

const valueIn = (command: Command | undefined): ReadValue | null =>
  command?.state === 'verified' ? readValueOf(command) : null;
