import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Again, LaneHandler } from '../../../platform/work/lane.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { transactionsOf } from '../../../platform/storage/transactions/transact.ts';
import type { Series } from '../../series/port.ts';
import { attempt, type Steps } from '../attempt.ts';
import type { BoundDevice } from '../../bindings/bound-device.ts';
import { mendDevices } from '../mend.ts';
import { recalculateMonth } from './recalculate-month.ts';
import { lockBoundDevice } from '../../bindings/reportable-devices.ts';

/** Recalculates the roll-ups of a binding (plants/tariffs/recalculation.ts), one month per run, together with the record of progress. */
export const createRecalculation = ({
  db,
  clock,
  series,
}: {
  db: Db;
  clock: Clock;
  series: Series;
}): LaneHandler => ({
  run: (run) =>
    attempt<[trx: Db], Asked, number | undefined, Again | void, void>(
      series,
      { db, first: (body) => run.transaction(body), last: (body) => run.finish(body) },
      {
        ...stepsOf(Number(run.key)),
        end: async (asked, next, trx) =>
          (await noteProgress(trx, Number(run.key), asked, next))
            ? { dueAt: clock.now() }
            : undefined,
      },
    ),
});

/** What is to be recalculated. */
interface Asked {
  readonly device: BoundDevice | undefined;
  readonly asked: { readonly fromAt: number; readonly requests: number } | undefined;
}

/** The steps that recalculate the next month of a binding. The change returns where to continue. */
const stepsOf = (
  binding: number,
): Omit<Steps<[trx: Db], Asked, number | undefined, never>, 'end'> => ({
  async begin(trx) {
    const device = await lockBoundDevice(trx, binding);
    const asked = await trx
      .selectFrom('recalculation')
      .select(['fromAt', 'requests'])
      .where('binding', '=', binding)
      .executeTakeFirst();
    return { device, asked };
  },
  written: ({ device }) => (device ? [device.seriesId] : []),
  async change(own, db, { device, asked }) {
    if (!device || !asked) return undefined;
    await mendDevices(db, own, [device]);
    await own.mark([{ device, at: asked.fromAt }]);
    return recalculateMonth(db, own, device, asked.fromAt);
  },
});

/** Notes where to continue, unless somebody has asked again meanwhile: then all of it is done once more. Returns whether there may be more. */
async function noteProgress(
  trx: Db,
  binding: number,
  { asked }: Asked,
  next: number | undefined,
): Promise<boolean> {
  if (!asked) return false;
  const done = trx
    .deleteFrom('recalculation')
    .where('binding', '=', binding)
    .where('requests', '=', asked.requests);
  const [gone] = await done.returning('binding').execute();
  if (!gone)
    return (
      (await trx
        .selectFrom('recalculation')
        .select('binding')
        .where('binding', '=', binding)
        .executeTakeFirst()) !== undefined
    );
  if (next === undefined) return false;
  await trx.insertInto('recalculation').values({ binding, fromAt: next, requests: 0 }).execute();
  return true;
}

/**
 * Carries out all requested recalculations, each month of a device in a separate transaction; running servers may do the same at
 * the same time. `onDevice` is called after each device. Returns how many there were.
 */
export async function recalculateWaiting(
  db: Db,
  series: Series,
  onDevice: (done: number, of: number) => void,
): Promise<number> {
  const asked = await db.selectFrom('recalculation').select('binding').orderBy('binding').execute();
  for (const [i, { binding }] of asked.entries()) {
    const transact = transactionsOf(db);
    const isMore = (): Promise<boolean> =>
      attempt<[trx: Db], Asked, number | undefined, boolean, boolean>(
        series,
        { db, first: (body) => transact(body), last: (body) => transact(body) },
        { ...stepsOf(binding), end: (begun, next, trx) => noteProgress(trx, binding, begun, next) },
      );
    while (await isMore());
    onDevice(i + 1, asked.length);
  }
  return asked.length;
}
