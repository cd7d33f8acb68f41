import { MINUTE_MS } from '@helioport/contract/durations';
import { GAP_MS } from '../energy/counter.ts';

/** The steps in which what a plant does is compared with what it should. */
export const MEANS_STEP_MS = 15 * MINUTE_MS;

/** How much of a step has to be covered by readings. */
const COVERED = 0.5;

/** A span of time in steps. */
export interface MeansSteps {
  readonly startAt: number;
  readonly count: number;
}

export const endOfSteps = ({ startAt, count }: MeansSteps): number =>
  startAt + count * MEANS_STEP_MS;

/** The means of one quantity in each step. */
export interface StepMeans {
  /** Takes the next value, in the order of time; values before and after the steps count as far as they lead into them. */
  add(at: number, value: number): void;
  /** The mean in a step; undefined if readings cover less than half of it. */
  mean(step: number): number | undefined;
  /** Whether there is a mean in any step. */
  isKnown(): boolean;
}

/** Means by trapezoids over gaps of at most an hour, as energies are integrated from power. */
export function createStepMeans(steps: MeansSteps): StepMeans {
  const { startAt, count } = steps;
  const area = new Float64Array(count);
  const covered = new Float64Array(count);
  let last: { readonly at: number; readonly value: number } | undefined;
  const between = (fromAt: number, toAt: number, from: number, slope: number): void => {
    const [first, end] = [Math.max(fromAt, startAt), Math.min(toAt, endOfSteps(steps))];
    for (let at = first; at < end;) {
      const step = Math.floor((at - startAt) / MEANS_STEP_MS);
      const until = Math.min(end, startAt + (step + 1) * MEANS_STEP_MS);
      area[step]! += (from + slope * ((at + until) / 2 - fromAt)) * (until - at);
      covered[step]! += until - at;
      at = until;
    }
  };
  return {
    add(at, value) {
      if (last && at - last.at <= GAP_MS)
        between(last.at, at, last.value, (value - last.value) / (at - last.at || 1));
      last = { at, value };
    },
    mean: (step) =>
      covered[step]! >= COVERED * MEANS_STEP_MS ? area[step]! / covered[step]! : undefined,
    isKnown: () => covered.some((ms) => ms >= COVERED * MEANS_STEP_MS),
  };
}
