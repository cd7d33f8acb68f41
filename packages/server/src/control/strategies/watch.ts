import { sql } from 'kysely';
import type { Act } from '../../identity/accounts/audit.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import { findGrantCaller } from '../../identity/oauth/grant-caller.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import { endStrategy } from './end.ts';
import { heartbeatBefore, isOver, lockStrategy, type Strategy } from './strategy.ts';

/** Lane of the watch over strategies; it has one task while any strategy is under way. */
export const STRATEGY_WATCH = 'strategyWatch';

const EVERY_MS = 5_000;

/**
 * The lane that notices what nobody reports: heartbeats that did not arrive, authorizations that ended in whichever way, plants whose owner changed or
 * stopped the writes of others. What is to be done is up to the devices' own lane.
 */
export const createStrategyWatch = ({
  db,
  clock,
  ids,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
}): LaneHandler => ({
  async run({ transaction }) {
    const underWay = await listUnderWay(db);
    for (const strategy of underWay) {
      const act: Act = { at: clock.now(), actor: 'service', address: null, newId: ids };
      // As a rule, nothing has happened; then nothing is written.
      if (isSilent(strategy, act.at))
        await transaction(async (trx) => endSilent(trx, act, strategy.id));
      const lost = await listLost(db, strategy, act.at);
      if (lost.length > 0) await transaction((trx) => armTasks(trx, STRATEGY_DEVICE, lost, act.at));
    }
    return underWay.length > 0 ? { dueAt: clock.now() + EVERY_MS } : undefined;
  },
});

/** Strategies with devices on which they have not ended. */
const listUnderWay = (db: Db): Promise<Strategy[]> =>
  db
    .selectFrom('strategy as s')
    .selectAll('s')
    .where('s.dispatchedAt', 'is not', null)
    .where('s.endedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('strategyDevice as sd')
          .select(sql.lit(1).as('one'))
          .whereRef('sd.strategyId', '=', 's.id')
          .where('sd.endedAt', 'is', null),
      ),
    )
    .orderBy('s.id')
    .execute();

function isSilent(strategy: Strategy, now: Instant): boolean {
  const before = heartbeatBefore(strategy);
  return before !== null && before <= now && !isOver(strategy, now);
}

/** Ends a strategy unless a heartbeat has arrived in the meantime. */
async function endSilent(trx: Db, act: Act, id: string): Promise<void> {
  const strategy = await lockStrategy(trx, id);
  if (strategy && isSilent(strategy, act.at))
    await endStrategy(trx, act, strategy, 'no heartbeat arrived in time');
}

/** The devices on which a strategy may not go on. */
async function listLost(
  db: Db,
  { id, grantId, accountId }: Strategy,
  now: Instant,
): Promise<string[]> {
  const going = db
    .selectFrom('strategyDevice as sd')
    .select('sd.deviceId')
    .where('sd.strategyId', '=', id)
    .where('sd.endedAt', 'is', null);
  const application = await findGrantCaller(db, grantId, now);
  const isStanding = application?.scopes.includes('control_device') === true;
  const { plantIds } = application ?? {};
  const lost = isStanding
    ? going
        .innerJoin('plant', 'plant.id', 'sd.plantId')
        .innerJoin('device', 'device.id', 'sd.deviceId')
        .where((eb) =>
          eb.or([
            eb('plant.ownerId', '!=', accountId),
            eb('plant.controlStoppedAt', 'is not', null),
            eb('device.plantId', 'is', null),
            eb('device.plantId', '!=', eb.ref('sd.plantId')),
            ...(plantIds
              ? [eb('sd.plantId', 'not in', plantIds.length > 0 ? plantIds : [''])]
              : []),
          ]),
        )
    : going;
  return (await lost.orderBy('sd.deviceId').execute()).map(({ deviceId }) => deviceId);
}
