import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { lockDeviceRows } from '../../fleet/plants/lock.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { isOver, type Strategy } from './strategy.ts';
import { appendStrategyEvents } from './append-strategy-events.ts';

/** Ends a locked strategy on all its devices. Does nothing if it has ended before. */
export async function endStrategy(
  trx: Db,
  act: Act,
  strategy: Strategy,
  reason: string,
): Promise<void> {
  if (isOver(strategy, act.at)) return;
  const { id, accountId, name } = strategy;
  const ended = await endOnDevices(trx, act, id, reason);
  await trx
    .updateTable('strategy')
    .set({ endedAt: act.at, endedAs: 'cancelled', reason })
    .where('id', '=', id)
    .execute();
  await recordAudit(trx, act, {
    kind: 'strategy.ended',
    accountId,
    data: { strategyId: id, name, reason, devices: ended },
  });
}

/** Ends all strategies on the devices of some plants. */
export async function endInPlants(
  trx: Db,
  act: Act,
  plantIds: readonly string[],
  reason: string,
): Promise<void> {
  const going = await trx
    .selectFrom('strategyDevice')
    .select(['strategyId', 'deviceId'])
    .where(anyOf(trx, 'plantId', listParameter(trx, plantIds)))
    .where('endedAt', 'is', null)
    .where('state', '!=', 'draft')
    .execute();
  // Of all strategies at once, since those of one after those of another could deadlock.
  await lockDeviceRows(trx, [...new Set(going.map(({ deviceId }) => deviceId))]);
  for (const strategyId of new Set(going.map((each) => each.strategyId)))
    await endOnDevices(trx, act, strategyId, reason, plantIds);
}

/** Ends a strategy on its devices, or on those in certain plants; they get their former settings back. Returns on how many. */
export async function endOnDevices(
  trx: Db,
  act: Act,
  strategyId: string,
  reason: string,
  plantIds?: readonly string[],
): Promise<number> {
  let going = trx
    .selectFrom('strategyDevice')
    .select('deviceId')
    .where('strategyId', '=', strategyId)
    .where('endedAt', 'is', null);
  if (plantIds) going = going.where(anyOf(trx, 'plantId', listParameter(trx, plantIds)));
  const deviceIds = (await going.execute()).map(({ deviceId }) => deviceId);
  // Waits for what is being handed over; whatever comes after it sees the end.
  await lockDeviceRows(trx, deviceIds);
  const ended = await trx
    .updateTable('strategyDevice')
    .set((eb) => ({
      state: 'cancelled',
      reason,
      endedAt: act.at,
      // Nothing of a draft is on any device. The column says which type the value has.
      restoredAt: eb
        .case()
        .when('state', '=', 'draft')
        .then(act.at)
        .else(eb.ref('restoredAt'))
        .end(),
    }))
    .where('strategyId', '=', strategyId)
    .where(anyOf(trx, 'deviceId', listParameter(trx, deviceIds)))
    .where('endedAt', 'is', null)
    .returning(['strategyId', 'deviceId', 'plantId', 'state', 'reason', 'restoredAt'])
    .execute();
  const begun = ended.filter(({ restoredAt }) => restoredAt === null);
  await appendStrategyEvents(trx, begun, act.at);
  await armTasks(trx, STRATEGY_DEVICE, begun.map(({ deviceId }) => deviceId).toSorted(), act.at);
  return ended.length;
}
