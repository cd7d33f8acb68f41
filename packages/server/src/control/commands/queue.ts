import { checkValue, type ValueFault } from '@helioport/devices';
import type { Caller } from '../../identity/accounts/caller.ts';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { Failure, invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { wakeUp } from '../../platform/storage/wake-ups/wake-up.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { requesterOf, type Requester } from './requester.ts';
import { countWrites, writtenTooOften } from './budget.ts';
import { endUnsent, type Command } from './life-cycle.ts';
import {
  advance,
  COMMANDS,
  COMMAND_TIME,
  lockCommands,
  tellStates,
  type CommandedDevice,
} from './open-commands.ts';
import { knownDisplayVersionOf, findParameter } from './parameters.ts';
import { isStoppedFor } from './stop.ts';

/** How long a command may wait for its collector, unless the request says otherwise. interface C17 */
export const EXPIRY_MS = 5 * 60_000;

export interface NewCommand {
  readonly deviceId: string;
  /** The plant in which the requester may control the device. */
  readonly plantId: string;
  readonly parameter: string;
  /** undefined = the parameter is read. */
  readonly value?: string | undefined;
  /** The old value, as the request states it. */
  readonly oldValue?: string | undefined;
  readonly expiresAt: Instant;
  /** The command that it undoes. */
  readonly undoes?: string;
  /** The strategy that waits for its end, its part in it, and the authorization on which the strategy rests or rested. */
  readonly strategy?: {
    readonly id: string;
    readonly part: NonNullable<Command['strategyPart']>;
    readonly grantId: string;
  };
}

/**
 * Queues commands, all or none; a write supersedes unsent ones of the same parameter. Returns their ids in the given
 * order. Throws deviceUnknown, invalidValue, oldValueMissing, controlStopped, tooManyWrites, tooManyRequests.
 */
export const queueCommands = (
  trx: Db,
  act: Act,
  caller: Caller,
  wanted: readonly NewCommand[],
): Promise<string[]> => queueFor(trx, act, requesterOf(caller, act), wanted);

/** Queues commands as `queueCommands` does, for a requester that need not be the present caller. */
export async function queueFor(
  trx: Db,
  act: Act,
  requester: Requester,
  wanted: readonly NewCommand[],
): Promise<string[]> {
  const ids = new Map<NewCommand, string>();
  const byDevice = Map.groupBy(wanted, ({ deviceId }) => deviceId);
  for (const deviceId of [...byDevice.keys()].toSorted()) {
    const commanded = await lockCommands(trx, deviceId, act.at);
    const its = byDevice.get(deviceId)!;
    // The device has moved since the request was authorized.
    if (commanded.device.plantId !== its[0]!.plantId) throw new Failure('deviceUnknown');
    // interface C21
    await withinBounds(trx, 'openCommands', { deviceId }, { at: act.at, adding: its.length });
    for (const one of its)
      ids.set(
        one,
        await queue(
          trx,
          act,
          requester,
          commanded,
          one,
          await check(trx, act, requester, commanded, one),
        ),
      );
    await armTasks(
      trx,
      COMMAND_TIME,
      [deviceId],
      act.at,
      Math.min(...its.map(({ expiresAt }) => expiresAt)),
    );
  }
  const queued = Array.from(
    ids,
    ([{ plantId }, id]) => ({ id, plantId, state: 'queued' }) as const,
  );
  await tellStates(trx, queued, act.at);
  await wakeUp(trx, COMMANDS);
  return wanted.map((one) => ids.get(one)!);
}

/** A request that has passed all checks. */
interface Checked {
  readonly value: string | null;
  readonly cell: string | null;
}

async function check(
  trx: Db,
  act: Act,
  requester: Requester,
  { device }: CommandedDevice,
  wanted: NewCommand,
): Promise<Checked> {
  const { parameter: id, value, oldValue, plantId } = wanted;
  const parameter = findParameter(device, id);
  if (!parameter) throw refusedNow('cid', 'a parameter that devices of this model have');
  if (value === undefined) return { value: null, cell: null };
  const checked = checkValue(parameter, value, {
    oldValue,
    displayVersion: knownDisplayVersionOf(device),
  });
  if ('fault' in checked) throw faultOf(checked.fault);
  if (await isStoppedFor(trx, requester, plantId)) throw new Failure('controlStopped');
  if ((await countWrites(trx, device.id, parameter.cell, act.at)) >= parameter.writesPerDay)
    throw new Failure('tooManyWrites', { message: writtenTooOften(parameter) });
  return { value: checked.value, cell: parameter.cell };
}

function faultOf({ reason, expected }: ValueFault): Failure {
  if (reason === 'missingOldValue')
    return new Failure('oldValueMissing', { message: `expected ${expected}` });
  const isAboutValue = reason === 'malformed' || reason === 'outOfRange' || reason === 'offStep';
  return invalidValue(isAboutValue ? 'value' : 'cid', expected);
}

async function queue(
  trx: Db,
  act: Act,
  requester: Requester,
  { device, commands }: CommandedDevice,
  { parameter, plantId, expiresAt, undoes, strategy }: NewCommand,
  { value, cell }: Checked,
): Promise<string> {
  const id = act.newId();
  if (value !== null) {
    for (const earlier of commands) {
      if (earlier.parameter !== parameter || earlier.action !== 'write') continue;
      await advance(
        trx,
        earlier,
        endUnsent(earlier, 'superseded', act.at, `a later command writes ${parameter}`),
        act.at,
      );
    }
    const restoresAfter = strategy?.part === 'restore' && { restoresAfter: strategy.grantId };
    const data = {
      plantId,
      deviceId: device.id,
      sn: device.sn,
      commandId: id,
      parameter,
      value,
      ...restoresAfter,
    };
    await recordAudit(trx, act, {
      kind: 'device.commanded',
      accountId: await ownerOf(trx, plantId),
      data,
    });
  }
  const action = value === null ? 'read' : 'write';
  const step = value === null ? 'read' : 'check';
  const about = {
    id,
    deviceId: device.id,
    plantId,
    action,
    parameter,
    value,
    cell,
    state: 'queued',
    step,
    undoes: undoes ?? null,
  } as const;
  await trx
    .insertInto('command')
    .values({
      ...requester,
      ...about,
      strategyId: strategy?.id ?? null,
      strategyPart: strategy?.part ?? null,
      nextAt: act.at,
      queuedAt: act.at,
      expiresAt,
    })
    .execute();
  return id;
}

const ownerOf = async (db: Db, plantId: string): Promise<string> =>
  (
    await db
      .selectFrom('plant')
      .select('ownerId')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow()
  ).ownerId;
