import type { EnergyRow, YearBefore } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { dayOf, monthOf, yearOf } from '../../../platform/calendar/plant-calendar.ts';
import type { FigureSources } from '../sources.ts';
import { plantChart } from './energy-charts.ts';

/** What one plant produced in a period so far, and on the same days of the year before. */
interface Pair {
  readonly kwh: number;
  readonly beforeKwh: number;
}

interface Pairs {
  readonly month: Pair | undefined;
  readonly year: Pair | undefined;
}

/** A year and a day of a calendar, as both are written: yyyymmdd. */
const YEAR = 10_000;

/** Compares the months and years of plants with those before, on days that are over. */
export async function compareWithYearBefore(
  sources: FigureSources,
  plants: readonly VisiblePlant[],
): Promise<YearBefore> {
  const zones = await zonesOf(
    sources.db,
    plants.map(({ id, timeZone, zoneChanged }) => ({ plantId: id, timeZone, zoneChanged })),
  );
  const now = sources.clock.now();
  const pairs: Pairs[] = [];
  for (const plant of plants)
    pairs.push(await pairsOf(sources, plant, dayOf(zones.get(plant.id)!, now)));
  const month = sumOf(pairs.map((pair) => pair.month));
  const year = sumOf(pairs.map((pair) => pair.year));
  return {
    ...(month && { monthKwh: month.kwh, monthBeforeKwh: month.beforeKwh }),
    ...(year && { yearKwh: year.kwh, yearBeforeKwh: year.beforeKwh }),
  };
}

async function pairsOf(sources: FigureSources, plant: VisiblePlant, today: number): Promise<Pairs> {
  const [month, year] = [monthOf(today), yearOf(today)];
  const years = await plantChart(sources, plant, { each: 'year' });
  const before = years.filter((row) => yearOf(row.day) < year);
  if (before.length === 0) return { month: undefined, year: undefined };
  const [months, monthsBefore, days, daysBefore] = await Promise.all([
    plantChart(sources, plant, { each: 'month', year }),
    plantChart(sources, plant, { each: 'month', year: year - 1 }),
    plantChart(sources, plant, { each: 'day', month }),
    plantChart(sources, plant, { each: 'day', month: month - 100 }),
  ]);
  const daysOver = {
    kwh: produced(days, ({ day }) => day < today),
    beforeKwh: produced(daysBefore, ({ day }) => day + YEAR < today),
  };
  const monthsOver = {
    kwh: produced(months, ({ day }) => monthOf(day) < month),
    beforeKwh: produced(monthsBefore, ({ day }) => monthOf(day) + 100 < month),
  };
  const hasEarlierYear = before.some((row) => yearOf(row.day) < year - 1);
  const reachesBack =
    hasEarlierYear ||
    monthsBefore.some(({ day }) => monthOf(day) + 100 < month) ||
    daysBefore.some(({ day }) => day % 100 === 1);
  const [isFirstOfMonth, isFirstOfYear] = [today % 100 === 1, today % YEAR === 101];
  return {
    month: reachesBack && !isFirstOfMonth ? daysOver : undefined,
    year: hasEarlierYear && !isFirstOfYear ? sumOf([daysOver, monthsOver]) : undefined,
  };
}

const produced = (rows: readonly EnergyRow[], counts: (row: EnergyRow) => boolean): number =>
  rows.filter(counts).reduce((sum, { kwh }) => sum + (kwh.production ?? 0), 0);

function sumOf(pairs: readonly (Pair | undefined)[]): Pair | undefined {
  const known = pairs.filter((pair) => pair !== undefined);
  return known.length === 0
    ? undefined
    : {
        kwh: known.reduce((sum, { kwh }) => sum + kwh, 0),
        beforeKwh: known.reduce((sum, { beforeKwh }) => sum + beforeKwh, 0),
      };
}
