import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import type { ApplicationCaller } from '../../identity/accounts/caller.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { Failure, refusedNow } from '../../platform/kernel/failure.ts';
import { lockDeviceRows } from '../../fleet/plants/lock.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { checkTargets, contentOf, readContent, type GivenContent } from './content.ts';
import { checkPeriod } from './create.ts';
import { noteVersion } from './delivery/note-asked.ts';
import { getCurrentTargets } from './dispatch.ts';
import { refuseOverlap } from './overlap.ts';
import { SET_POINTS } from './set-points.ts';
import { FORCED } from './plan/planned-device.ts';
import { isOver, type Strategy } from './strategy.ts';

/** What an application changes of its strategy; what is undefined stays. */
export interface StrategyAmendment extends GivenContent {
  readonly start?: Instant | undefined;
  readonly end?: Instant | undefined;
  readonly heartbeatSeconds?: number | undefined;
}

/** Changes a locked strategy. Throws strategyOver, invalidValue, deviceUnknown, deviceBusy. */
export async function amendStrategy(
  trx: Db,
  act: Act,
  caller: ApplicationCaller,
  strategy: Strategy,
  amendment: StrategyAmendment,
): Promise<void> {
  if (isOver(strategy, act.at)) throw new Failure('strategyOver');
  const {
    start,
    end: endAt = strategy.endAt,
    heartbeatSeconds = strategy.heartbeatSeconds,
  } = amendment;
  const hasBegun = strategy.dispatchedAt !== null && strategy.startAt <= act.at;
  if (hasBegun && start !== undefined && start !== strategy.startAt)
    throw refusedNow('start', 'nothing: the strategy has begun');
  const startAt = start ?? strategy.startAt;
  if (start !== undefined && !hasBegun) checkPeriod(startAt, endAt, act.at);
  else checkPeriod(Math.max(startAt, act.at), endAt, act.at);
  const targets = await getCurrentTargets(trx, caller, strategy.id);
  const isAnew = amendment.intervals !== undefined || amendment.powerKw !== undefined;
  const content = isAnew ? readContent(amendment) : contentOf(strategy);
  if (content.kind !== contentOf(strategy).kind)
    throw refusedNow(
      amendment.intervals ? 'intervals' : 'powerKw',
      'what it was: a day plan or a set point',
    );
  checkTargets(content, targets);
  const deviceIds = targets.map(({ id }) => id);
  if (strategy.dispatchedAt !== null) {
    await lockDeviceRows(trx, deviceIds);
    // What is repeated until the former end is written anew.
    if (endAt !== strategy.endAt)
      await trx
        .updateTable('strategySetting')
        .set({ held: null })
        .where('strategyId', '=', strategy.id)
        .where('parameter', '=', FORCED.parameter)
        .execute();
    await refuseOverlap(trx, { ...strategy, startAt, endAt }, deviceIds);
    if (isAnew) await noteVersion(trx, strategy.id, JSON.stringify(content), act.at);
    await armTasks(trx, STRATEGY_DEVICE, deviceIds, act.at, Math.max(startAt, act.at));
    if (content.kind === 'setPoint')
      await armTasks(trx, SET_POINTS, [''], act.at, Math.max(startAt, act.at));
  }
  // What is divided is another power, or for another time.
  const set = {
    startAt,
    endAt,
    heartbeatSeconds,
    content: JSON.stringify(content),
    dividedAt: null,
  };
  await trx.updateTable('strategy').set(set).where('id', '=', strategy.id).execute();
  const { id: strategyId, accountId, applicationId, name } = strategy;
  await recordAudit(trx, act, {
    kind: 'strategy.amended',
    accountId,
    data: { strategyId, applicationId, name },
  });
}
