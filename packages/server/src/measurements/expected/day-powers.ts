import { MEANS_STEP_MS } from './step-means.ts';

/** The mean powers of an inverter on a local day that is over. */
export interface DayPowers {
  /** yyyymmdd */
  readonly day: number;
  readonly startAt: number;
  /** In each step, W; null = unknown. */
  readonly powersW: readonly (number | null)[];
}

/** The power in the step that begins at an instant, W. */
export const powerAt = ({ startAt, powersW }: DayPowers, at: number): number | undefined =>
  powersW[(at - startAt) / MEANS_STEP_MS] ?? undefined;

/** From a peak of so many watts on, a day can be looked at. */
const PEAK_AT_LEAST_W = 20;
/** Night and dusk, as a share of the peak. */
const DIM = 0.05;
const STEPS_AT_LEAST = 12;
/** The edges of a shadow or two are left out. */
const EDGES = 8;

/**
 * How rough the curve of a day is, but for its few sharpest bends: changes of its slope by its energy, 0 = smooth. A half sine over ten hours has 0.005, passing
 * clouds 0.1.
 * Undefined if it has gaps or nothing was delivered.
 */
export function roughnessOf(powersW: readonly (number | null)[]): number | undefined {
  const peak = Math.max(0, ...powersW.map((powerW) => powerW ?? 0));
  if (peak < PEAK_AT_LEAST_W) return undefined;
  const isBright = (powerW: number | null): boolean => powerW !== null && powerW >= DIM * peak;
  const [first, last] = [powersW.findIndex(isBright), powersW.findLastIndex(isBright)];
  if (last - first < STEPS_AT_LEAST) return undefined;
  const changes: number[] = [];
  let sum = 0;
  for (let step = first; step <= last; step++) {
    const [before, here, after] = [powersW[step - 1] ?? 0, powersW[step], powersW[step + 1] ?? 0];
    if (here === null || here === undefined) return undefined;
    sum += here;
    if (step > first && step < last) changes.push(Math.abs(before - 2 * here + after));
  }
  const bends = changes.toSorted((a, b) => a - b).slice(0, -EDGES);
  return bends.reduce((all, change) => all + change, 0) / sum;
}
