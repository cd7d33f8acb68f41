import { describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { faults } from './faults.ts';
import { chanceOf, judge, type Judged } from './simulated-plant.ts';

const CASES = effort(5, 100);
const HEALTHY = effort(15, 500);
/** Seeds that judge; the thresholds were set with others, below a million. */
const SEEDS = 4_000_000;
/** Of what was expected in the month: smaller losses need not be found, and are none in plants without faults. */
const [COUNTS, FALSE_LOSS] = [0.03, 0.01];
const WITHIN = 0.15;

/** The first cases whose loss counts. */
function* casesOf(cause: string): Generator<{ seed: number; judged: Judged; truth: number }> {
  const kind = Object.keys(faults).indexOf(cause);
  for (let seed = SEEDS + 10_000 * kind; ; seed++) {
    const judged = judge(seed, faults[cause]!(chanceOf(-seed)));
    const truth = cause === 'clipping' ? judged.clippedKwh : judged.lostKwh;
    if (truth >= COUNTS * judged.expectedKwh) yield { seed, judged, truth };
  }
}

describe('in a simulated fleet', () => {
  for (const cause of Object.keys(faults))
    test(`losses through ${cause} are named, and measured to 15 %`, () => {
      const missed = casesOf(cause)
        .take(CASES)
        .flatMap(({ seed, judged: { named, expectedKwh }, truth }) => {
          const off = (named.get(cause) ?? 0) / truth - 1;
          return Math.abs(off) <= WITHIN
            ? []
            : [{ seed, off, truth: truth / expectedKwh, named: Object.fromEntries(named) }];
        })
        .toArray();
      expect(missed.length, JSON.stringify(missed, undefined, 1)).toBeLessThanOrEqual(
        Math.ceil(0.05 * CASES),
      );
    });

  test('plants without faults have no losses but clipping', () => {
    const wrong = Array.from({ length: HEALTHY }, (_, i) => SEEDS + 900_000 + i).flatMap((seed) => {
      const units = 1 + (seed % 3);
      const { named, expectedKwh } = judge(seed, { units, isWinter: seed % 4 === 0 });
      const lost = [...named].filter(
        ([cause, kwh]) =>
          cause !== 'unexplained' && cause !== 'clipping' && kwh > FALSE_LOSS * expectedKwh,
      );
      return lost.length > 0 ? [{ seed, lost, expectedKwh }] : [];
    });
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(Math.floor(HEALTHY / 500));
  });
});
