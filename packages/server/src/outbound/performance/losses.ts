import type { Loss, Losses } from '@helioport/contract';
import type { VisiblePlant } from '../../fleet/plants/access.ts';
import { zonesOf } from '../../fleet/plants/zones.ts';
import {
  addDays,
  dayOf,
  daysBetween,
  daysOfMonth,
  monthOf,
  yearOf,
} from '../../platform/calendar/plant-calendar.ts';
import {
  roundedFigure,
  type PerformanceSpan,
} from '../../measurements/figures/performance/performance-rows.ts';
import {
  availabilityOf,
  sumOfRunning,
  type RunningTime,
} from '../../measurements/figures/performance/availability.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import type { DayLoss } from './causes/loss-day.ts';
import { settleLosses } from './loss-days.ts';
import { readLosses, type LossesOfDay } from './stored-losses.ts';

/** So many days are worked out while somebody waits; the rest follows in the background. */
const DAYS_AT_ONCE = 31;

/** What a plant lost on each day of a month, or in each month of a year, up to yesterday. */
export const lossRows = (
  sources: FigureSources,
  plant: VisiblePlant,
  span: PerformanceSpan,
): Promise<Losses[]> =>
  lossesOfSpan(sources, plant, span, (days) =>
    span.each === 'day' ? days.map((day) => [day]) : [...Map.groupBy(days, monthOf).values()],
  );

/** What a plant lost in a month (yyyymm), up to yesterday; undefined on its first day. */
export const lossesOfMonth = async (
  sources: FigureSources,
  plant: VisiblePlant,
  month: number,
): Promise<Losses | undefined> =>
  (await lossesOfSpan(sources, plant, { each: 'day', month }, (days) => [days]))[0];

async function lossesOfSpan(
  sources: FigureSources,
  plant: VisiblePlant,
  span: PerformanceSpan,
  periodsOf: (days: readonly number[]) => readonly (readonly number[])[],
): Promise<Losses[]> {
  const zones = (await zonesOf(sources.db, [{ ...plant, plantId: plant.id }])).get(plant.id)!;
  const today = dayOf(zones, sources.clock.now());
  const { fromDay, toDay } = daysOfSpan(span, today);
  const last = Math.min(toDay, addDays(today, -1));
  if (fromDay > last) return [];
  const { missing } = await settleLosses(sources, plant, {
    fromDay,
    toDay: last,
    atMost: DAYS_AT_ONCE,
  });
  const known = new Map(
    (await readLosses(sources.db, plant.id, fromDay, last)).map((day) => [day.day, day]),
  );
  return periodsOf(daysBetween(fromDay, last)).map((each) =>
    missing
      ? { plantId: plant.id, day: each[0]!, days: 0, currency: plant.currency, losses: [], missing }
      : lossesOf(plant, each, known),
  );
}

function daysOfSpan(span: PerformanceSpan, today: number): { fromDay: number; toDay: number } {
  if (span.each === 'day') return daysOfMonth(span.month ?? monthOf(today));
  const year = span.year ?? yearOf(today);
  return { fromDay: year * 10_000 + 101, toDay: year * 10_000 + 1231 };
}

type Counted = LossesOfDay & { expectedKwh: number; clippedKwh: number; producedKwh: number };

function lossesOf(
  { id, currency }: Pick<VisiblePlant, 'id' | 'currency'>,
  days: readonly number[],
  known: ReadonlyMap<number, LossesOfDay>,
): Losses {
  const kept = days.flatMap((day) => known.get(day) ?? []);
  const counted = kept.filter((day): day is Counted => day.expectedKwh !== null);
  const pending = days.length - kept.length;
  const row = {
    plantId: id,
    day: days[0]!,
    days: counted.length,
    ...(pending > 0 && { pendingDays: pending }),
    currency,
  };
  if (counted.length === 0) return { ...row, losses: [], missing: missingIn(kept) };
  const sum = (of: (day: Counted) => number): number =>
    counted.reduce((all, day) => all + of(day), 0);
  const [expected, clipped, produced] = [
    sum(({ expectedKwh }) => expectedKwh),
    sum(({ clippedKwh }) => clippedKwh),
    sum(({ producedKwh }) => producedKwh),
  ];
  const losses = addedUp(counted);
  const amounts = losses.flatMap(({ cause, amount }) =>
    cause === 'unexplained' ? [] : (amount ?? []),
  );
  return {
    ...row,
    expectedKwh: roundedFigure(expected),
    clippedKwh: roundedFigure(clipped),
    producedKwh: roundedFigure(produced),
    lostKwh: roundedFigure(expected + clipped - produced),
    lostAmount:
      amounts.length > 0
        ? roundedFigure(
            amounts.reduce((all, amount) => all + amount, 0),
            100,
          )
        : undefined,
    uncertaintyPercent:
      expected > 0
        ? roundedFigure(
            sum((day) => (day.uncertaintyPercent ?? 0) * day.expectedKwh) / expected,
            10,
          )
        : undefined,
    ...availabilityOf(
      sumOfRunning(counted.flatMap((day) => (day.dueSteps === null ? [] : (day as RunningTime)))),
    ),
    losses,
  };
}

/** What is left of a day without a cause, with its value. */
export function remainderOf(
  day: Pick<Counted, 'expectedKwh' | 'clippedKwh' | 'producedKwh' | 'price'>,
  knownKwh: number,
): Pick<DayLoss, 'kwh' | 'amount'> {
  const kwh = day.expectedKwh + day.clippedKwh - day.producedKwh - knownKwh;
  return { kwh, amount: day.price === null ? undefined : kwh * day.price };
}

/** The losses of days by cause and inverter, the largest first; what is unexplained comes last. The newest day says what speaks for a cause. */
function addedUp(days: readonly Counted[]): Loss[] {
  const sums = new Map<string, { loss: DayLoss; days: number }>();
  const add = (loss: DayLoss): void => {
    const key = `${loss.cause} ${loss.sn ?? ''}`;
    const sum = sums.get(key);
    const amounts = [sum?.loss.amount, loss.amount].filter((each) => each !== undefined);
    sums.set(key, {
      days: (sum?.days ?? 0) + 1,
      loss: {
        ...loss,
        kwh: (sum?.loss.kwh ?? 0) + loss.kwh,
        amount: amounts.length > 0 ? amounts.reduce((a, b) => a! + b!, 0) : undefined,
      },
    });
  };
  for (const day of days) {
    for (const loss of day.losses) add(loss);
    const named = day.losses.reduce((all, { kwh }) => all + kwh, 0);
    add({ cause: 'unexplained', confidence: 'low', ...remainderOf(day, named) });
  }
  return [...sums.values()]
    .map(({ loss, days: number }) => ({ ...shownLoss(loss), days: number }))
    .toSorted(
      (a, b) =>
        Number(a.cause === 'unexplained') - Number(b.cause === 'unexplained') || b.kwh - a.kwh,
    );
}

/** A loss as it is shown. */
export const shownLoss = <L extends Pick<DayLoss, 'kwh' | 'amount' | 'sharePercent' | 'limitW'>>(
  loss: L,
): L => ({
  ...loss,
  kwh: roundedFigure(loss.kwh),
  ...(loss.amount !== undefined && { amount: roundedFigure(loss.amount!, 100) }),
  ...(loss.sharePercent !== undefined && { sharePercent: roundedFigure(loss.sharePercent!, 10) }),
  ...(loss.limitW !== undefined && { limitW: Math.round(loss.limitW!) }),
});

/** What most of the days lack. */
function missingIn(days: readonly LossesOfDay[]): Losses['missing'] {
  const lacks = Map.groupBy(days, ({ missing }) => missing);
  const [most] = [...lacks].toSorted(([, a], [, b]) => b.length - a.length);
  return (most?.[0] ?? undefined) as Losses['missing'];
}
