import type { Formats } from '../../../i18n/formats-of.ts';
import { addDays } from '../../../i18n/plant-time.ts';
import type { BarSeries, ChartBar } from '../../../parts/charts/bars.ts';
import { changePercent } from '../../../parts/year-before.tsx';
import type { Texts } from '../texts/en.ts';
import { startOf, type Length } from './period.ts';

/** A period of which bars are compared: those of weeks, months and years. */
export type Comparable = Exclude<Length, 'years'>;

/** So many days are a year of which the days of the week are the same. */
const YEAR_OF_WEEKS = 364;

/** A day of the period that one is compared with: that of the year before, or any other. */
export function otherDayOf(length: Comparable, day: string, against: string): string {
  if (against !== 'yearBefore') return against;
  if (length === 'week') return addDays(day, -YEAR_OF_WEEKS);
  // A month of which this day is none has its first.
  return `${Number(day.slice(0, 4)) - 1}-${day.slice(5, 7)}-01`;
}

/** Which bar of another period belongs beside a bar: that of the same weekday, day of the month, or month. */
const placeOf = (length: Comparable, key: string, i: number): string =>
  length === 'week' ? String(i) : key.slice(length === 'days' ? 8 : 5);

/** Bars with those of another period beside them. */
export function withOthers(
  length: Comparable,
  bars: readonly ChartBar[],
  others: readonly ChartBar[],
): ChartBar[] {
  const byPlace = new Map(others.map((bar, i) => [placeOf(length, bar.key, i), bar.kwh]));
  return bars.map((bar, i) => ({ ...bar, before: byPlace.get(placeOf(length, bar.key, i)) ?? {} }));
}

interface Compared {
  readonly length: Comparable;
  /** Bars with those of the other period. */
  readonly bars: readonly ChartBar[];
  /** All bars of the other period. */
  readonly others: readonly ChartBar[];
  readonly series: readonly BarSeries[];
  /** The other period by its name. */
  readonly name: string;
  readonly day: string;
  readonly today: string;
  readonly formats: Formats;
  readonly t: Texts['bars']['compared'];
}

/** The comparison in words. Of a period that is not over, the part that is: with as much of the other. */
export function comparisonOf(compared: Compared): string[] {
  const { length, bars, others, series, name, day, today, formats, t } = compared;
  const isUnderWay = startOf(length, day) === startOf(length, today);
  const over = bars.filter(({ key }) => key < today.slice(0, key.length));
  return series.flatMap(({ key, label }) => {
    const own = sum((isUnderWay ? over : bars).map(({ kwh }) => kwh[key]));
    const before = sum(
      isUnderWay ? over.map((bar) => bar.before?.[key]) : others.map(({ kwh }) => kwh[key]),
    );
    const change = changePercent(own, before);
    if (change === undefined) return [];
    const { value, unit } = formats.percent(Math.abs(change));
    const percent = `${value} ${unit}`;
    const text =
      change > 0 ? t.more(percent, name) : change < 0 ? t.less(percent, name) : t.same(name);
    return [`${label}: ${text}${isUnderWay ? ` ${t[length]}` : ''}`];
  });
}

function sum(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, figure) => total + figure, 0);
}
