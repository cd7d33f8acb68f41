import type { Clock } from '../kernel/clock.ts';
import type { Again, Handler } from '../work/lane.ts';
import type { Db } from '../storage/database.ts';
import { transactionsOf } from '../storage/transact.ts';
import type { Series } from '../series/port.ts';
import { attempt, type Attempt } from './attempt.ts';
import { mendDevices } from './mend.ts';
import { recalculateMonth } from './recalculate-month.ts';
import { lockBoundDevice } from './reporters.ts';

/** Recalculates the roll-ups of a binding (plants/tariffs/recalculation.ts), one month per run, in one transaction with the record of progress. */
export const createRecalculation = ({ clock, series }: { clock: Clock; series: Series }): Handler => ({
  run: (run) =>
    attempt<[trx: Db], Again | void, void>(
      series,
      (body) => run.finish(body),
      async (own, trx) => ((await recalculateNext(trx, own, Number(run.key))) ? { dueAt: clock.now() } : undefined),
    ),
});

/** Recalculates the next month of a binding and returns whether there may be more. */
async function recalculateNext(trx: Db, own: Attempt, binding: number): Promise<boolean> {
  const device = await lockBoundDevice(trx, binding);
  const asked = await trx.deleteFrom('recalculation').where('binding', '=', binding).returning('fromAt').executeTakeFirst();
  if (!device || !asked) return false;
  await mendDevices(trx, own, [device]);
  await own.mark([{ device, at: asked.fromAt }]);
  const fromAt = await recalculateMonth(trx, own.series, device, asked.fromAt);
  if (fromAt === undefined) return false;
  await trx.insertInto('recalculation').values({ binding, fromAt }).execute();
  return true;
}

/**
 * Carries out all requested recalculations, each month of a device in a separate transaction; running servers may do the same at
 * the same time. `onDevice` is called after each device. Returns how many there were.
 */
export async function recalculateWaiting(db: Db, series: Series, onDevice: (done: number, of: number) => void): Promise<number> {
  const asked = await db.selectFrom('recalculation').select('binding').orderBy('binding').execute();
  for (const [i, { binding }] of asked.entries()) {
    while (await attempt<[trx: Db], boolean, boolean>(series, transactionsOf(db), (own, trx) => recalculateNext(trx, own, binding)));
    onDevice(i + 1, asked.length);
  }
  return asked.length;
}
