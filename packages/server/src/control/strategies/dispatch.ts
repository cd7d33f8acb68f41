import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import type { ApplicationCaller } from '../../identity/accounts/caller.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { reachOf } from '../../fleet/plants/access.ts';
import { lockDeviceRows } from '../../fleet/plants/lock.ts';
import type { Db } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { checkTargets, contentOf } from './content.ts';
import { noteVersion } from './delivery/note-asked.ts';
import { refuseOverlap } from './overlap.ts';
import { SET_POINTS } from './set-points.ts';
import { isOver, type Strategy } from './strategy.ts';
import { appendStrategyEvents } from './append-strategy-events.ts';
import { STRATEGY_WATCH } from './watch.ts';
import { getNamedTargets, type Target } from './targets.ts';

/**
 * Dispatches a locked strategy to all its devices, or to none; does nothing if it was dispatched before. Throws strategyOver, deviceUnknown if one of
 * its devices is not within the caller's reach any more, invalidValue, controlStopped, deviceBusy.
 */
export async function dispatchStrategy(
  trx: Db,
  act: Act,
  caller: ApplicationCaller,
  strategy: Strategy,
): Promise<void> {
  if (isOver(strategy, act.at)) throw new Failure('strategyOver');
  if (strategy.dispatchedAt !== null) return;
  const targets = await getCurrentTargets(trx, caller, strategy.id);
  const content = contentOf(strategy);
  checkTargets(content, targets);
  refuseStopped(targets);
  const deviceIds = targets.map(({ id }) => id);
  // Of two strategies that are dispatched at the same time, one sees the other.
  await lockDeviceRows(trx, deviceIds);
  await refuseOverlap(trx, strategy, deviceIds);
  // It rests on the authorization with which it was dispatched.
  const set = { dispatchedAt: act.at, heartbeatAt: act.at, grantId: caller.grantId };
  await trx.updateTable('strategy').set(set).where('id', '=', strategy.id).execute();
  await noteVersion(trx, strategy.id, strategy.content, act.at);
  const begun = await trx
    .updateTable('strategyDevice')
    .set({ state: 'dispatching' })
    .where('strategyId', '=', strategy.id)
    .returning(['strategyId', 'deviceId', 'plantId', 'state', 'reason'])
    .execute();
  await appendStrategyEvents(trx, begun, act.at);
  await armTasks(trx, STRATEGY_DEVICE, deviceIds, act.at, Math.max(strategy.startAt, act.at));
  await armTasks(trx, STRATEGY_WATCH, [''], act.at);
  if (content.kind === 'setPoint')
    await armTasks(trx, SET_POINTS, [''], act.at, Math.max(strategy.startAt, act.at));
  const { id: strategyId, accountId, applicationId, name } = strategy;
  await recordAudit(trx, act, {
    kind: 'strategy.dispatched',
    accountId,
    data: { strategyId, applicationId, name, devices: deviceIds.length },
  });
}

/** Refuses plants whose owners have stopped the writes of others. Throws controlStopped. */
export function refuseStopped(targets: readonly Pick<Target, 'sn' | 'controlStoppedAt'>[]): void {
  const stopped = targets.find(({ controlStoppedAt }) => controlStoppedAt !== null);
  if (stopped) throw new Failure('controlStopped', { data: { sn: stopped.sn } });
}

/** The devices of a strategy, which must all still be where they were, and within the caller's reach. Throws deviceUnknown. */
export async function getCurrentTargets(
  trx: Db,
  caller: ApplicationCaller,
  strategyId: string,
): Promise<Target[]> {
  const rows = await trx
    .selectFrom('strategyDevice as sd')
    .innerJoin('device', 'device.id', 'sd.deviceId')
    .select(['device.sn', 'sd.deviceId', 'sd.plantId'])
    .where('sd.strategyId', '=', strategyId)
    .execute();
  const targets = await getNamedTargets(
    trx,
    reachOf(caller, 'control'),
    rows.map(({ sn }) => sn),
  );
  const places = new Map(rows.map(({ deviceId, plantId }) => [deviceId, plantId]));
  if (targets.some(({ id, plantId }) => places.get(id) !== plantId))
    throw new Failure('deviceUnknown');
  return targets;
}
