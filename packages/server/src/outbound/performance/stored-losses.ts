import type { LossCause } from '@helioport/contract';
import type { Selectable } from 'kysely';
import type { Db, PerformanceDayTable } from '../../platform/storage/database.ts';
import { END_OF_DAYS } from '../../platform/calendar/plant-calendar.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import { noteCosts } from './note-costs.ts';
import type { DayLoss, DayRatios } from './causes/loss-day.ts';
import type { LossEvidence } from './causes/loss-tally.ts';

/** What a plant lost on a day, as it is kept. */
export type LossesOfDay = Omit<Selectable<PerformanceDayTable>, 'plantId' | 'ratios'> & {
  readonly ratios: DayRatios;
  /** Without the unexplained rest. */
  readonly losses: readonly DayLoss[];
};

type Days = { plantId: string; fromDay: number; toDay: number };

const selectDays = prepareQuery((db, p: ParameterOf<Days>) =>
  db
    .selectFrom('performanceDay')
    .selectAll()
    .where('plantId', '=', p('plantId'))
    .where('day', '>=', p('fromDay'))
    .where('day', '<=', p('toDay'))
    .orderBy('day'),
);

const selectLosses = prepareQuery((db, p: ParameterOf<Days>) =>
  db
    .selectFrom('performanceLoss')
    .selectAll()
    .where('plantId', '=', p('plantId'))
    .where('day', '>=', p('fromDay'))
    .where('day', '<=', p('toDay'))
    .orderBy('day'),
);

/** What the kept losses of days were calculated from, by day. */
export const digestsOf = async (
  db: Db,
  plantId: string,
  fromDay: number,
  toDay: number,
): Promise<ReadonlyMap<number, string>> =>
  new Map(
    (await selectDays(db, { plantId, fromDay, toDay })).map(({ day, digest }) => [day, digest]),
  );

/** The ratios of kept days, by day. */
export const ratiosBefore = async (
  db: Db,
  plantId: string,
  fromDay: number,
  toDay: number,
): Promise<Map<number, DayRatios>> =>
  new Map(
    (await selectDays(db, { plantId, fromDay, toDay })).map(({ day, ratios }) => [
      day,
      JSON.parse(ratios) as DayRatios,
    ]),
  );

/** The kept losses of days, ascending. */
export async function readLosses(
  db: Db,
  plantId: string,
  fromDay: number,
  toDay: number,
): Promise<LossesOfDay[]> {
  const asked = { plantId, fromDay, toDay };
  const [days, losses] = await Promise.all([selectDays(db, asked), selectLosses(db, asked)]);
  const byDay = Map.groupBy(losses, ({ day }) => day);
  return days.map(({ plantId: _, ratios, ...day }) => ({
    ...day,
    ratios: JSON.parse(ratios) as DayRatios,
    losses: (byDay.get(day.day) ?? []).map(({ cause, sn, kwh, amount, evidence }) => ({
      cause: cause as LossCause,
      ...(sn !== '' && { sn }),
      kwh,
      ...(amount !== null && { amount }),
      ...(JSON.parse(evidence) as LossEvidence),
    })),
  }));
}

/** Keeps the losses of days in place of those before. */
export const keepLosses = (db: Db, plantId: string, days: readonly LossesOfDay[]): Promise<void> =>
  inTransaction(db, async (trx) => {
    for (const { losses, ratios, ...day } of days) {
      const row = { ...day, ratios: JSON.stringify(ratios) };
      await trx
        .insertInto('performanceDay')
        .values({ plantId, ...row })
        .onConflict((conflict) => conflict.columns(['plantId', 'day']).doUpdateSet(row))
        .execute();
      await trx
        .deleteFrom('performanceLoss')
        .where('plantId', '=', plantId)
        .where('day', '=', day.day)
        .execute();
      if (losses.length === 0) continue;
      await trx
        .insertInto('performanceLoss')
        .values(
          losses.map(({ cause, sn, kwh, amount, ...evidence }) => ({
            plantId,
            day: day.day,
            cause,
            sn: sn ?? '',
            kwh,
            amount: amount ?? null,
            evidence: JSON.stringify(evidence),
          })),
        )
        .execute();
    }
    if (days.length > 0) await noteCosts(trx, plantId, days[0]!.day);
  });

/** Drops what is kept of a plant of which nothing can be expected any more. */
export async function dropLosses(db: Db, plantId: string): Promise<void> {
  const [known] = await selectDays(db, { plantId, fromDay: 0, toDay: END_OF_DAYS });
  if (!known) return;
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('performanceLoss').where('plantId', '=', plantId).execute();
    await trx.deleteFrom('performanceDay').where('plantId', '=', plantId).execute();
    await noteCosts(trx, plantId, END_OF_DAYS);
  });
}
