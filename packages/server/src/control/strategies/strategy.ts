import type { Selectable } from 'kysely';
import type { ApplicationCaller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { lockPlants } from '../../fleet/plants/lock.ts';
import type { Db, Instant, StrategyTable } from '../../platform/storage/database.ts';
import { forChange } from '../../platform/storage/lock.ts';

/** A strategy as stored. */
export type Strategy = Selectable<StrategyTable>;

/** Whether a strategy is over, on whichever device. */
export const isOver = (
  { endedAt, endAt }: Pick<Strategy, 'endedAt' | 'endAt'>,
  now: Instant,
): boolean => endedAt !== null || endAt <= now;

/** Locks a strategy until the transaction ends; its devices are locked after it. */
export const lockStrategy = (trx: Db, id: string): Promise<Strategy | undefined> =>
  forChange(trx, trx.selectFrom('strategy').selectAll().where('id', '=', id)).executeTakeFirst();

/** Locks an application's own strategy, as `lockStrategy`. Throws noPermission, alike for a foreign and an unknown one. */
export async function lockOwn(
  trx: Db,
  { applicationId, accountId }: ApplicationCaller,
  id: string,
): Promise<Strategy> {
  const strategy = await lockStrategy(trx, id);
  if (!strategy || strategy.applicationId !== applicationId || strategy.accountId !== accountId)
    throw new Failure('noPermission');
  return strategy;
}

/** Locks the plants of an application's own strategy, and then the strategy. Throws noPermission. */
export async function lockOwnWithPlants(
  trx: Db,
  caller: ApplicationCaller,
  id: string,
): Promise<Strategy> {
  const plants = await trx
    .selectFrom('strategyDevice as sd')
    .innerJoin('strategy as s', 's.id', 'sd.strategyId')
    .select('sd.plantId')
    .distinct()
    .where('s.id', '=', id)
    .where('s.applicationId', '=', caller.applicationId)
    .where('s.accountId', '=', caller.accountId)
    .execute();
  await lockPlants(
    trx,
    plants.map(({ plantId }) => plantId),
  );
  return lockOwn(trx, caller, id);
}

/** Until when the next heartbeat must arrive; null = none is needed. It is not missed before the strategy begins. */
export const heartbeatBefore = ({
  heartbeatSeconds,
  heartbeatAt,
  startAt,
}: Strategy): Instant | null =>
  heartbeatSeconds === null || heartbeatAt === null
    ? null
    : Math.max(heartbeatAt, startAt) + heartbeatSeconds * 1000;
