import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { narrow, type Reach } from '../../fleet/plants/access.ts';
import { lockDeviceRows } from '../../fleet/plants/lock.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { appendStrategyEvents } from './append-strategy-events.ts';
import { findPlaces } from './places.ts';
import { isOver, lockStrategy } from './strategy.ts';

/**
 * Has a strategy go on where a write by hand has paused it, on the devices in the plants of a reach, or in one of them. What was written by hand is the
 * former setting from then on. Does nothing where it is not paused. Returns false for a foreign strategy, or none at all. Throws invalidValue
 * while something is being written by hand.
 */
export async function resumeStrategy(
  trx: Db,
  act: Act,
  reach: Reach,
  id: string,
  plantId?: string,
): Promise<boolean> {
  const within = narrow(reach, plantId === undefined ? undefined : [plantId]);
  const plants = await findPlaces(trx, within, id);
  if (plants.length === 0) return false;
  const strategy = (await lockStrategy(trx, id))!;
  const paused = await trx
    .selectFrom('strategyDevice')
    .select(['strategyId', 'deviceId', 'plantId', 'pausedAt'])
    .where('strategyId', '=', id)
    .where(
      anyOf(
        trx,
        'plantId',
        listParameter(
          trx,
          plants.map((plant) => plant.id),
        ),
      ),
    )
    .where('state', '=', 'paused')
    .where('endedAt', 'is', null)
    .execute();
  if (paused.length === 0 || isOver(strategy, act.at)) return true;
  const deviceIds = paused.map(({ deviceId }) => deviceId);
  const these = listParameter(trx, deviceIds);
  await lockDeviceRows(trx, deviceIds);
  const writing = await trx
    .selectFrom('command')
    .select('id')
    .where(anyOf(trx, 'deviceId', these))
    .where('strategyId', '=', id)
    .where('strategyPart', '=', 'override')
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (writing)
    throw refusedNow('id', 'a strategy on whose devices nothing is being written by hand');
  await trx
    .insertInto('strategyPause')
    .values(
      paused.map(({ deviceId, pausedAt }) => ({
        strategyId: id,
        deviceId,
        fromAt: pausedAt!,
        toAt: act.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const set = { state: 'dispatching', reason: null, pausedAt: null } as const;
  await trx
    .updateTable('strategyDevice')
    .set(set)
    .where('strategyId', '=', id)
    .where(anyOf(trx, 'deviceId', these))
    .execute();
  await appendStrategyEvents(
    trx,
    paused.map((course) => ({ ...course, ...set })),
    act.at,
  );
  await armTasks(trx, STRATEGY_DEVICE, deviceIds, act.at);
  for (const plant of plants)
    await recordAudit(trx, act, {
      kind: 'strategy.resumed',
      accountId: plant.ownerId,
      data: { strategyId: id, name: strategy.name, plantId: plant.id },
    });
  return true;
}
