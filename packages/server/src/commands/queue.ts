import type { Caller } from '../accounts/caller.ts';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { checkValue, type ValueFault } from '../devices/profiles/check-value.ts';
import { Failure, invalidValue } from '../kernel/failure.ts';
import type { Db, Instant } from '../storage/database.ts';
import { wakeUp } from '../storage/wake-ups/wake-up.ts';
import { armTasks } from '../work/arm.ts';
import { askerOf, type Asker } from './asker.ts';
import { countWrites, writtenTooOften } from './budget.ts';
import { endUnsent, type Command } from './life-cycle.ts';
import { advance, COMMANDS, COMMAND_TIME, lockCommands, type CommandedDevice } from './open-commands.ts';
import { displayVersionOf, findParameter } from './parameters.ts';
import { isStoppedFor } from './stop.ts';

/** How long a command may wait for its collector, unless its asker says otherwise. interface C17 */
export const EXPIRY_MS = 5 * 60_000;

/** Open commands of one device: beyond that, whoever asks has to wait. interface C21 */
const OPEN_AT_MOST = 100;

export interface NewCommand {
  readonly deviceId: string;
  /** The plant in which its asker may control it. */
  readonly plantId: string;
  readonly parameter: string;
  /** undefined = it is read. */
  readonly value?: string | undefined;
  /** What its asker says that it was before. */
  readonly oldValue?: string | undefined;
  readonly expiresAt: Instant;
  /** The command whose effect it takes back. */
  readonly undoes?: string;
  /** The strategy that waits for its end, and what it is to it. */
  readonly strategy?: { readonly id: string; readonly part: NonNullable<Command['strategyPart']> };
}

/**
 * Queues commands, all or none; a write supersedes those of the same parameter that were not sent yet. Returns their ids
 * in that order. Throws deviceUnknown, invalidValue, oldValueMissing, controlStopped, tooManyWrites, tooManyRequests.
 */
export const queueCommands = (trx: Db, act: Act, caller: Caller, wanted: readonly NewCommand[]): Promise<string[]> =>
  queueFor(trx, act, askerOf(caller, act), wanted);

/** Queues commands as `queueCommands` does, for somebody who need not be there any more. */
export async function queueFor(trx: Db, act: Act, asker: Asker, wanted: readonly NewCommand[]): Promise<string[]> {
  const ids = new Map<NewCommand, string>();
  const byDevice = Map.groupBy(wanted, ({ deviceId }) => deviceId);
  for (const deviceId of [...byDevice.keys()].toSorted()) {
    const commanded = await lockCommands(trx, deviceId, act.at);
    const its = byDevice.get(deviceId)!;
    // Moved since its asker was let in.
    if (commanded?.device.plantId !== its[0]!.plantId) throw new Failure('deviceUnknown');
    for (const one of its) ids.set(one, await queue(trx, act, asker, commanded, one, await check(trx, act, asker, commanded, one)));
    if (commanded.commands.length + its.length > OPEN_AT_MOST)
      throw new Failure('tooManyRequests', { data: { retryAfterSeconds: 10 }, message: `${OPEN_AT_MOST} commands are waiting for this device already` });
    await armTasks(trx, COMMAND_TIME, [deviceId], act.at, Math.min(...its.map(({ expiresAt }) => expiresAt)));
  }
  await wakeUp(trx, COMMANDS);
  return wanted.map((one) => ids.get(one)!);
}

/** What a command is to do, after everything that could be wrong with it. */
interface Checked {
  readonly value: string | null;
  readonly cell: string | null;
}

async function check(trx: Db, act: Act, asker: Asker, { device }: CommandedDevice, wanted: NewCommand): Promise<Checked> {
  const { parameter: id, value, oldValue, plantId } = wanted;
  const parameter = findParameter(device, id);
  if (!parameter) throw invalidValue('cid', 'a parameter that devices of this model have');
  if (value === undefined) return { value: null, cell: null };
  const checked = checkValue(parameter, value, { oldValue, displayVersion: displayVersionOf(device) });
  if ('fault' in checked) throw faultOf(checked.fault);
  if (await isStoppedFor(trx, asker, plantId)) throw new Failure('controlStopped');
  if ((await countWrites(trx, device.id, parameter.cell, act.at)) >= parameter.writesPerDay)
    throw new Failure('tooManyWrites', { message: writtenTooOften(parameter) });
  return { value: checked.value, cell: parameter.cell };
}

function faultOf({ reason, expected }: ValueFault): Failure {
  if (reason === 'missingOldValue') return new Failure('oldValueMissing', { message: `expected ${expected}` });
  const isAboutValue = reason === 'malformed' || reason === 'outOfRange' || reason === 'offStep';
  return invalidValue(isAboutValue ? 'value' : 'cid', expected);
}

async function queue(
  trx: Db,
  act: Act,
  asker: Asker,
  { device, commands }: CommandedDevice,
  { parameter, plantId, expiresAt, undoes, strategy }: NewCommand,
  { value, cell }: Checked,
): Promise<string> {
  const id = act.newId();
  if (value !== null) {
    for (const earlier of commands) {
      if (earlier.parameter !== parameter || earlier.action !== 'write') continue;
      await advance(trx, earlier, endUnsent(earlier, 'superseded', act.at, `a later command writes ${parameter}`), act.at);
    }
    const data = { plantId, deviceId: device.id, sn: device.sn, commandId: id, parameter, value };
    await recordAudit(trx, act, { kind: 'device.commanded', accountId: await ownerOf(trx, plantId), data });
  }
  const action = value === null ? 'read' : 'write';
  const step = value === null ? 'read' : 'check';
  const about = { id, deviceId: device.id, plantId, action, parameter, value, cell, state: 'queued', step, undoes: undoes ?? null } as const;
  await trx
    .insertInto('command')
    .values({ ...asker, ...about, strategyId: strategy?.id ?? null, strategyPart: strategy?.part ?? null, nextAt: act.at, queuedAt: act.at, expiresAt })
    .execute();
  return id;
}

const ownerOf = async (db: Db, plantId: string): Promise<string> =>
  (await db.selectFrom('plant').select('ownerId').where('id', '=', plantId).executeTakeFirstOrThrow()).ownerId;
