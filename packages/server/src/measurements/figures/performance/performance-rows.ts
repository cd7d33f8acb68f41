import type { Performance } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import {
  addDays,
  daysBetween,
  daysOfMonth,
  monthOf,
  yearOf,
} from '../../../platform/calendar/plant-calendar.ts';
import { COVERAGE_AT_LEAST, daylightOf } from '../../expected/day-figures.ts';
import { plantChart } from '../energy/energy-charts.ts';
import type { FigureSources } from '../sources.ts';
import type { Expectation } from './expectation.ts';
import { expectedDays, type ExpectedPlantDay } from './expected-days.ts';

/** The days of a month (yyyymm) or the months of a year; undefined = the current one. */
export type PerformanceSpan =
  | { readonly each: 'day'; readonly month: number | undefined }
  | { readonly each: 'month'; readonly year: number | undefined };

/** What a plant produced beside what it should have: a row for each day up to today, or for each month of days that are over. */
export async function performanceRows(
  sources: FigureSources,
  plant: VisiblePlant,
  span: PerformanceSpan,
): Promise<Performance[]> {
  const { capacityKwp, days } = await expectedDays(sources, plant, (today) => {
    if (span.each === 'day') {
      const { fromDay, toDay } = daysOfMonth(span.month ?? monthOf(today));
      return daysBetween(fromDay, Math.min(today, toDay));
    }
    const year = span.year ?? yearOf(today);
    return daysBetween(year * 10_000 + 101, Math.min(addDays(today, -1), year * 10_000 + 1231));
  });
  const produced = await producedKwh(sources, plant, days);
  const known = days.map((each) => ({ ...each, producedKwh: produced.get(each.day) }));
  const groups =
    span.each === 'day'
      ? known.map((each) => [each])
      : [...Map.groupBy(known, ({ day }) => monthOf(day)).values()];
  return groups.map((each) => performanceOf(plant, capacityKwp, each));
}

/** A month (yyyymm) as `performanceRows` tells it: its days, and their sum up to yesterday, which is undefined on the first of the month. */
export async function performanceOfMonth(
  sources: FigureSources,
  plant: VisiblePlant,
  month: number,
): Promise<{ readonly days: readonly Performance[]; readonly whole: Performance | undefined }> {
  const { capacityKwp, days } = await expectedDays(sources, plant, (day) => {
    const { fromDay, toDay } = daysOfMonth(month);
    return daysBetween(fromDay, Math.min(addDays(day, -1), toDay));
  });
  const produced = await producedKwh(sources, plant, days);
  const known = days.map((each) => ({ ...each, producedKwh: produced.get(each.day) }));
  return {
    days: known.map((each) => performanceOf(plant, capacityKwp, [each])),
    whole: known.length > 0 ? performanceOf(plant, capacityKwp, known) : undefined,
  };
}

/** What a plant produced on days, as its chart shows it. */
export async function producedKwh(
  sources: FigureSources,
  plant: VisiblePlant,
  days: readonly Pick<ExpectedPlantDay, 'day'>[],
): Promise<Map<number, number>> {
  const produced = new Map<number, number>();
  for (const month of new Set(days.map(({ day }) => monthOf(day))))
    for (const { day, kwh } of await plantChart(sources, plant, { each: 'day', month }))
      if (typeof kwh.production === 'number') produced.set(day, kwh.production);
  return produced;
}

/** A day with what was produced on it. */
export interface ProducedDay extends ExpectedPlantDay {
  readonly producedKwh: number | undefined;
}

type Counted = ProducedDay & { readonly expectation: Expectation; readonly producedKwh: number };

const counts = (day: ProducedDay): day is Counted =>
  day.expectation !== undefined && day.producedKwh !== undefined;

/** The figures of a period. Those days count of which everything is known; if they are too few, there are no figures. */
export function performanceOf(
  plant: Pick<VisiblePlant, 'id' | 'latitude' | 'longitude'>,
  capacityKwp: number,
  days: readonly ProducedDay[],
): Performance {
  const counted = days.filter(counts);
  const row = { plantId: plant.id, day: days[0]!.day, days: counted.length };
  const sum = (of: (day: Counted) => number): number =>
    counted.reduce((all, day) => all + of(day), 0);
  if (counted.length === 0) return { ...row, missing: missingIn(days) };
  const daylight = days.reduce((all, day) => all + daylightMsOf(plant, day), 0);
  const coverage =
    daylight > 0 ? sum(({ expectation }) => expectation.daylightMs) / daylight : undefined;
  if ((coverage ?? 1) < COVERAGE_AT_LEAST) return { ...row, missing: missingIn(days) };
  const expected = sum(({ expectation }) => expectation.expectedKwh);
  const produced = sum((day) => day.producedKwh);
  const [reference, corrected] = (['planeKwhm2', 'correctedKwhm2'] as const).map((name) =>
    known(sum(({ expectation }) => expectation[name] ?? Number.NaN)),
  );
  const uncertainty =
    expected > 0
      ? sum((day) => day.expectation.uncertaintyPercent * day.expectation.expectedKwh) / expected
      : undefined;
  const finalYield = capacityKwp > 0 ? produced / capacityKwp : undefined;
  const share = inPercent(produced, expected);
  const methods = new Set(counted.map(({ expectation }) => expectation.method));
  return {
    ...row,
    producedKwh: roundedFigure(produced),
    expectedKwh: roundedFigure(expected),
    sharePercent: share,
    uncertaintyPercent: uncertainty && roundedFigure(uncertainty, 10),
    verdict: share === undefined ? undefined : verdictOf(share, uncertainty!),
    licence: counted.findLast(({ expectation }) => expectation.licence !== undefined)?.expectation
      .licence,
    method: methods.size > 1 ? 'mixed' : [...methods][0],
    stationKm: roundedFigure(Math.max(...counted.map((day) => day.expectation.distanceKm)), 10),
    coveragePercent: coverage === undefined ? undefined : roundedFigure(coverage * 100, 10),
    capacityKwp: roundedFigure(capacityKwp),
    referenceYieldHours: reference && roundedFigure(reference),
    finalYieldHours: finalYield && roundedFigure(finalYield),
    performanceRatioPercent: ratioOf(finalYield, reference),
    correctedRatioPercent: ratioOf(finalYield, corrected),
    clippedKwh: roundedFigure(sum(({ expectation }) => expectation.clippedKwh)),
  };
}

function daylightMsOf(
  { latitude, longitude }: Pick<VisiblePlant, 'latitude' | 'longitude'>,
  { expectation, span }: ProducedDay,
): number {
  if (expectation) return expectation.daylightMs;
  return latitude === null || longitude === null ? 0 : daylightOf({ latitude, longitude }, span);
}

/** What most of the days lack. */
function missingIn(days: readonly ProducedDay[]): Performance['missing'] {
  const lacks = Map.groupBy(days, (day) =>
    counts(day) ? undefined : (day.missing ?? 'production'),
  );
  lacks.delete(undefined);
  return [...lacks].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

const verdictOf = (share: number, uncertainty: number): NonNullable<Performance['verdict']> =>
  Math.abs(share - 100) <= uncertainty ? 'normal' : share < 100 ? 'low' : 'high';

const known = (figure: number): number | undefined => (Number.isNaN(figure) ? undefined : figure);

const ratioOf = (part: number | undefined, whole: number | undefined): number | undefined =>
  part === undefined || whole === undefined ? undefined : inPercent(part, whole);

/** A share in percent; undefined of nothing, such as the light before sunrise. */
export const inPercent = (part: number, whole: number): number | undefined =>
  whole > 0.001 ? roundedFigure((part / whole) * 100, 10) : undefined;

export const roundedFigure = (figure: number, parts = 1000): number =>
  Math.round(figure * parts) / parts;
