import { MINUTE_MS } from '@helioport/contract/durations';
import type { WireData } from '@helioport/contract';
import type { ChartData } from '../../../parts/charts/series.ts';

type Expected = WireData<'performance/day'>;
type Column = Expected['expectedW'];

const STEP_MS = 15 * MINUTE_MS;
/** Keys of the curve and of the edges of its band. */
export const EXPECTED = { middle: 'expected', low: 'expectedLow', high: 'expectedHigh' } as const;

/** Adds what was expected, which is known in steps, to curves: between the middles of steps at the curves’ own times, and in their gaps. */
export function withExpected(own: ChartData, expected: Expected | undefined): ChartData {
  if (!expected || expected.times.length === 0) return own;
  const middles = expected.times.map((at) => at + STEP_MS / 2);
  const inGaps = middles.filter((at) => isInGap(own.times, at));
  const times = [...own.times, ...inGaps].toSorted((a, b) => a - b);
  const places = new Map(own.times.map((at, i) => [at, i]));
  const moved = Object.entries(own.values).map(([key, values]) => [
    key,
    times.map((at) => values[places.get(at) ?? -1] ?? null),
  ]);
  const columns = { middle: expected.expectedW, low: expected.lowW, high: expected.highW };
  const added = Object.entries(columns).map(([name, column]) => [
    EXPECTED[name as keyof typeof EXPECTED],
    times.map((at) => valueAt(middles, column, at)),
  ]);
  return { times, values: Object.fromEntries([...moved, ...added]) as ChartData['values'] };
}

/** Whether there is no point of the curves within half a step. */
function isInGap(times: readonly number[], at: number): boolean {
  const next = firstFrom(times, at);
  const isFar = (place: number): boolean => Math.abs((times[place] ?? Infinity) - at) > STEP_MS / 2;
  return isFar(next) && isFar(next - 1);
}

/** On the line between the middles of two steps, level in the last half step; null beyond them, and beside a step of which nothing is known. */
function valueAt(middles: readonly number[], column: Column, at: number): number | null {
  const next = firstFrom(middles, at);
  const after = column[next] ?? null;
  if (middles[next] === at) return after;
  const isLastHalf = next === middles.length && at - middles[next - 1]! <= STEP_MS / 2;
  if (isLastHalf) return column[next - 1] ?? null;
  const before = column[next - 1] ?? null;
  if (before === null || after === null) return null;
  return before + ((after - before) * (at - middles[next - 1]!)) / STEP_MS;
}

/** The place of the first instant that is not before another one. */
function firstFrom(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
