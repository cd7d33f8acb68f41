import type { Selectable } from 'kysely';
import { appendInternal } from '../../platform/events/internal.ts';
import { tellOfDevices } from '../../platform/events/tell.ts';
import { lockDeviceRows } from '../../fleet/plants/lock.ts';
import type { Db, DeviceTable, Instant } from '../../platform/storage/database.ts';
import { wakeUp } from '../../platform/storage/wake-ups/wake-up.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { passTime, timeOf, type Command, type CommandProgress } from './life-cycle.ts';

/** Topic of the wake-ups for collectors that wait for instructions, and callers that wait for outcomes. */
export const COMMANDS = 'commands';

/** The lane that ends commands whose time is up; its tasks are device.id. */
export const COMMAND_TIME = 'commandTime';

/** The lane of strategies, which learns when a command that one waits for has ended; its tasks are device.id. */
export const STRATEGY_DEVICE = 'strategyDevice';

/** A locked device with its open commands, oldest first. */
export interface CommandedDevice {
  readonly device: Pick<
    Selectable<DeviceTable>,
    'id' | 'sn' | 'kind' | 'model' | 'facts' | 'plantId' | 'collectorId'
  >;
  readonly commands: readonly Command[];
}

/**
 * Locks a device until the transaction ends, so that its commands advance one step at a time, and applies what has changed by time
 * alone.
 */
export async function lockCommands(
  trx: Db,
  deviceId: string,
  now: Instant,
): Promise<CommandedDevice> {
  await lockDeviceRows(trx, [deviceId]);
  const device = await trx
    .selectFrom('device')
    .select(['id', 'sn', 'kind', 'model', 'facts', 'plantId', 'collectorId'])
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();
  const open = await trx
    .selectFrom('command')
    .selectAll()
    .where('deviceId', '=', deviceId)
    .where('endedAt', 'is', null)
    .orderBy('id')
    .execute();
  const commands: Command[] = [];
  for (const command of open)
    commands.push(await advance(trx, command, passTime(command, now), now));
  return { device, commands: commands.filter(({ endedAt }) => endedAt === null) };
}

/** Stores a change of a command of a locked device, and schedules its end by time. Returns the changed command. */
export async function advance(
  trx: Db,
  command: Command,
  progress: CommandProgress | undefined,
  now: Instant,
): Promise<Command> {
  if (!progress) return command;
  await trx.updateTable('command').set(progress).where('id', '=', command.id).execute();
  const changed = { ...command, ...progress };
  if (changed.endedAt === null && timeOf(changed) !== timeOf(command))
    await armTasks(trx, COMMAND_TIME, [command.deviceId], now, timeOf(changed));
  if (changed.endedAt !== null && changed.strategyId !== null)
    await armTasks(trx, STRATEGY_DEVICE, [command.deviceId], now);
  if (changed.action === 'write' && command.endedAt === null && changed.endedAt !== null)
    await tellResult(trx, changed, changed.endedAt);
  else if (changed.state !== command.state) await tellStates(trx, [changed], now);
  await wakeUp(trx, COMMANDS);
  return changed;
}

/** Records states of commands, which are locked with their devices. */
export const tellStates = (
  trx: Db,
  commands: readonly Pick<Command, 'id' | 'plantId' | 'state'>[],
  now: Instant,
): Promise<void> =>
  appendInternal(
    trx,
    'command.state',
    commands.map(({ id, plantId, state }) => ({
      subject: id,
      plantId,
      data: { commandId: id, state },
    })),
    now,
  );

async function tellResult(trx: Db, command: Command, endedAt: Instant): Promise<void> {
  const {
    id: commandId,
    deviceId,
    plantId,
    parameter,
    state,
    reason,
    oldValue,
    value: newValue,
    readValue,
  } = command;
  const data = { commandId, parameter, state, reason, oldValue, newValue, readValue, endedAt };
  await tellOfDevices(
    trx,
    'control.result',
    [{ deviceId, plantId, occurredAt: endedAt, data }],
    endedAt,
  );
}
