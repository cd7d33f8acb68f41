import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import type { Caller } from '../../identity/accounts/caller.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { appendStrategyEvents } from './append-strategy-events.ts';

/**
 * Makes strategies give way to writes that somebody has just queued: on their devices, they pause, restore what they have changed, and keep what was
 * written. Applications' own writes change nothing.
 */
export async function giveWay(
  trx: Db,
  act: Act,
  caller: Caller,
  commandIds: readonly string[],
): Promise<void> {
  if (caller.kind === 'application' || commandIds.length === 0) return;
  const concerned = await trx
    .selectFrom('command')
    .innerJoin('strategyDevice as sd', 'sd.deviceId', 'command.deviceId')
    .innerJoin('strategy as s', 's.id', 'sd.strategyId')
    .select([
      'command.id as commandId',
      'command.parameter',
      'sd.deviceId',
      'sd.strategyId',
      'sd.plantId',
      'sd.endedAt',
      'sd.state',
      's.accountId',
      's.name',
    ])
    .where(anyOf(trx, 'command.id', listParameter(trx, commandIds)))
    .where('command.action', '=', 'write')
    .where('sd.restoredAt', 'is', null)
    .where('sd.state', '!=', 'draft')
    .where('s.startAt', '<=', act.at)
    .orderBy('s.startAt')
    .execute();
  for (const {
    commandId,
    parameter,
    deviceId,
    strategyId,
    plantId,
    endedAt,
    state,
    accountId,
    name,
  } of concerned) {
    // Of several, the one that began first: the others have changed nothing yet.
    await trx
      .updateTable('command')
      .set({ strategyId, strategyPart: 'override' })
      .where('id', '=', commandId)
      .where('strategyId', 'is', null)
      .execute();
    await armTasks(trx, STRATEGY_DEVICE, [deviceId], act.at);
    if (endedAt !== null || state === 'paused') continue;
    const set = {
      state: 'paused',
      reason: `parameter ${parameter} was written by hand`,
      pausedAt: act.at,
    } as const;
    await trx
      .updateTable('strategyDevice')
      .set(set)
      .where('strategyId', '=', strategyId)
      .where('deviceId', '=', deviceId)
      .execute();
    await appendStrategyEvents(trx, [{ strategyId, deviceId, plantId, ...set }], act.at);
    await recordAudit(trx, act, {
      kind: 'strategy.paused',
      accountId,
      data: { strategyId, name, plantId, deviceId, parameter },
    });
  }
}
