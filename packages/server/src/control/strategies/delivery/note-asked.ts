import type { Db, Instant } from '../../../platform/storage/database.ts';

// What was asked of devices is kept as it was at the time: it is what a settlement rests on.

/** Notes what a strategy asks for from now on; before it begins, it asks for nothing. */
export async function noteVersion(
  trx: Db,
  strategyId: string,
  content: string,
  at: Instant,
): Promise<void> {
  await trx
    .insertInto('strategyVersion')
    .values({ strategyId, fromAt: at, content })
    .onConflict((conflict) => conflict.columns(['strategyId', 'fromAt']).doUpdateSet({ content }))
    .execute();
}

/** Notes the share of a device in a set point from now on, kW. */
export async function noteShare(
  trx: Db,
  strategyId: string,
  deviceId: string,
  powerKw: number,
  at: Instant,
): Promise<void> {
  await trx
    .insertInto('strategyShare')
    .values({ strategyId, deviceId, fromAt: at, powerKw })
    .onConflict((conflict) =>
      conflict.columns(['strategyId', 'deviceId', 'fromAt']).doUpdateSet({ powerKw }),
    )
    .execute();
}

/** Notes what the owner of a plant lets strategies do from now on. */
export async function noteLimits(
  trx: Db,
  plantId: string,
  limits: string,
  at: Instant,
): Promise<void> {
  await trx
    .insertInto('strategyLimits')
    .values({ plantId, fromAt: at, limits })
    .onConflict((conflict) => conflict.columns(['plantId', 'fromAt']).doUpdateSet({ limits }))
    .execute();
}
