import type { Selectable } from 'kysely';
import type { ApplicationCaller } from '../accounts/caller.ts';
import { Failure } from '../kernel/failure.ts';
import type { Db, Instant, StrategyTable } from '../storage/database.ts';
import { forChange } from '../storage/lock.ts';

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

/** Until when the next heartbeat must arrive; null = none is needed. It is not missed before the strategy begins. */
export const heartbeatBefore = ({
  heartbeatSeconds,
  heartbeatAt,
  startAt,
}: Strategy): Instant | null =>
  heartbeatSeconds === null || heartbeatAt === null
    ? null
    : Math.max(heartbeatAt, startAt) + heartbeatSeconds * 1000;
