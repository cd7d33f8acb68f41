import { checkValue } from '@helioport/devices';
import { SERVICE, type Requester } from '../../commands/requester.ts';
import { countWrites } from '../../commands/budget.ts';
import type { Command } from '../../commands/life-cycle.ts';
import { knownDisplayVersionOf, findParameter } from '../../commands/parameters.ts';
import { queueFor, type NewCommand } from '../../commands/queue.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { Course, Scene } from './course.ts';
import type { StrategySetting } from './settings.ts';

/** A value that a device is to get. */
export interface Write {
  readonly parameter: string;
  readonly value: string;
  /** What it has, as far as is known. */
  readonly held: string | null;
}

/** Writes that a strategy leaves to the owner of a device: of each cell, so many a day. */
const LEFT_TO_OWNER = 4;

/** The application, resting on its authorization rather than on one of its tokens. */
const requesterOf = ({ strategy: { applicationId, accountId, grantId } }: Course): Requester => ({
  actor: `application:${applicationId}`,
  door: 'oauth',
  address: null,
  accountId,
  keyId: null,
  grantId,
  tokenFamily: null,
});

/** Has the settings read that a strategy is going to change. */
export async function queueKeeping(
  scene: Scene,
  course: Course,
  parameters: readonly string[],
  expiresAt: Instant,
): Promise<void> {
  const { trx } = scene;
  const { strategyId, deviceId } = course;
  await trx
    .insertInto('strategySetting')
    .values(parameters.map((parameter) => ({ strategyId, deviceId, parameter })))
    .onConflict((conflict) => conflict.columns(['strategyId', 'deviceId', 'parameter']).doNothing())
    .execute();
  await queue(
    scene,
    course,
    'keep',
    parameters.map((parameter) => ({ parameter })),
    expiresAt,
  );
}

/** Why a device cannot be set as a strategy asks. */
export interface SettingRefusal {
  readonly reason: string;
  /** Whether it could be tomorrow. */
  readonly isForToday: boolean;
}

/** Has a device set as a strategy asks, in this order. Returns why it cannot be; nothing is queued then. */
export async function queueApplying(
  scene: Scene,
  course: Course,
  writes: readonly Write[],
  known: readonly StrategySetting[],
  expiresAt: Instant,
): Promise<SettingRefusal | undefined> {
  const { trx, act } = scene;
  const { target, strategyId, deviceId } = course;
  const needed = new Map<string, number>();
  for (const { parameter: id, value, held } of writes) {
    const parameter = findParameter(target, id);
    const checked = checkValue(parameter, value, {
      oldValue: held ?? value,
      displayVersion: knownDisplayVersionOf(target),
    });
    if ('fault' in checked)
      return { reason: `expected ${checked.fault.expected}`, isForToday: false };
    needed.set(parameter!.cell, (needed.get(parameter!.cell) ?? 0) + 1);
  }
  for (const [cell, amount] of needed) {
    // As many writes as it takes to restore them all, and some for the owner.
    const toRestore = new Set(
      [...writes, ...known.filter(({ changed }) => changed === 1)]
        .map(({ parameter }) => parameter)
        .filter((id) => findParameter(target, id)?.cell === cell),
    );
    const { writesPerDay } = findParameter(target, [...toRestore][0]!)!;
    const left =
      writesPerDay -
      (await countWrites(trx, deviceId, cell, act.at)) -
      toRestore.size -
      LEFT_TO_OWNER;
    if (amount > left)
      return {
        reason: `its memory may not be written more often today (${cell})`,
        isForToday: true,
      };
  }
  const isKnown = new Set(known.map(({ parameter }) => parameter));
  const unknown = writes.filter(({ parameter }) => !isKnown.has(parameter));
  if (unknown.length > 0)
    await trx
      .insertInto('strategySetting')
      .values(
        unknown.map(({ parameter }) => ({
          strategyId,
          deviceId,
          parameter,
          // What a device forgets by itself has nothing else to be restored to.
          former: findParameter(target, parameter)?.hold?.none ?? null,
        })),
      )
      .execute();
  await queue(scene, course, 'apply', writes, expiresAt);
  return undefined;
}

/** Has as many settings restored as the budgets of their memory allow now; returns how many. */
export async function queueRestoring(
  scene: Scene,
  course: Course,
  writes: readonly Write[],
  expiresAt: Instant,
): Promise<number> {
  const { trx, act } = scene;
  const { target, deviceId } = course;
  const queued = new Map<string, number>();
  const affordable: Write[] = [];
  for (const write of writes) {
    const { cell, writesPerDay } = findParameter(target, write.parameter)!;
    const amount = (queued.get(cell) ?? 0) + 1;
    if ((await countWrites(trx, deviceId, cell, act.at)) + amount > writesPerDay) continue;
    queued.set(cell, amount);
    affordable.push(write);
  }
  await queue(scene, course, 'restore', affordable, expiresAt);
  return affordable.length;
}

/** Whether a device may be given a value at all: what it had may be nothing that can be written. */
export function isSettingWritable({ target }: Course, { parameter, value, held }: Write): boolean {
  return (
    'value' in
    checkValue(findParameter(target, parameter), value, {
      oldValue: held ?? value,
      displayVersion: knownDisplayVersionOf(target),
    })
  );
}

type Part = NonNullable<Command['strategyPart']>;

async function queue(
  scene: Scene,
  course: Course,
  part: Part,
  wanted: readonly (Omit<Write, 'value' | 'held'> & Partial<Write>)[],
  expiresAt: Instant,
): Promise<void> {
  const { trx, act } = scene;
  const { strategyId, deviceId, plantId, strategy } = course;
  const requester = part === 'restore' ? SERVICE : requesterOf(course);
  const commands = wanted.map(({ parameter, value, held }): NewCommand => ({
    deviceId,
    plantId,
    parameter,
    value,
    oldValue: held ?? value,
    expiresAt,
    strategy: { id: strategyId, part, grantId: strategy.grantId },
  }));
  const ids = await queueFor(
    trx,
    { ...act, actor: requester.actor as typeof act.actor },
    requester,
    commands,
  );
  for (const [i, { parameter }] of wanted.entries()) {
    await trx
      .updateTable('strategySetting')
      .set({ commandId: ids[i]!, ...(part === 'apply' && { place: i }) })
      .where('strategyId', '=', strategyId)
      .where('deviceId', '=', deviceId)
      .where('parameter', '=', parameter)
      .execute();
  }
}
