import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  meanPower,
  type PowerPoint,
} from '../../../packages/server/src/control/strategies/delivery/mean-power.ts';

const points = (...pairs: readonly (readonly [at: number, powerW: number])[]): PowerPoint[] =>
  pairs.map(([at, powerW]) => ({ at, powerW }));

describe('the mean of a power', () => {
  const ramp = points([0, 0], [100, 100], [200, 0]);

  test('is that of the lines between its points, cut at both ends', () => {
    expect(meanPower(ramp, 0, 200, 100)).toEqual({ powerW: 50, gapMs: 0 });
    expect(meanPower(ramp, 50, 150, 100)).toEqual({ powerW: 75, gapMs: 0 });
    expect(meanPower(ramp, 90, 92, 100)).toEqual({ powerW: 91, gapMs: 0 });
  });

  test('leaves out what was not measured, and says how long that was', () => {
    expect(meanPower(ramp, 0, 200, 99)).toEqual({ powerW: null, gapMs: 200 });
    expect(meanPower(points([0, 10], [50, 10], [151, 90], [200, 90]), 0, 200, 100)).toEqual({
      powerW: (10 * 50 + 90 * 49) / 99,
      gapMs: 101,
    });
    expect(meanPower(ramp, -100, 0, 100)).toEqual({ powerW: null, gapMs: 100 });
    expect(meanPower(ramp, 200, 300, 100)).toEqual({ powerW: null, gapMs: 100 });
    expect(meanPower(ramp, 150, 300, 100)).toEqual({ powerW: 25, gapMs: 100 });
    expect(meanPower([], 0, 1, 1)).toEqual({ powerW: null, gapMs: 1 });
    expect(meanPower(points([5, 3]), 0, 10, 100)).toEqual({ powerW: null, gapMs: 10 });
  });

  test('of parts is that of the whole', () => {
    const measured = fc
      .uniqueArray(
        fc.record({
          at: fc.integer({ min: -50, max: 250 }),
          powerW: fc.integer({ min: -5000, max: 5000 }),
        }),
        { selector: ({ at }) => at },
      )
      .map((all) => all.toSorted((a, b) => a.at - b.at));
    fc.assert(
      fc.property(
        measured,
        fc.integer({ min: 1, max: 199 }),
        fc.integer({ min: 1, max: 100 }),
        (all, cut, bridgeMs) => {
          const parts = [meanPower(all, 0, cut, bridgeMs), meanPower(all, cut, 200, bridgeMs)];
          const whole = meanPower(all, 0, 200, bridgeMs);
          const energy = ({ powerW, gapMs }: typeof whole, ms: number): number =>
            (powerW ?? 0) * (ms - gapMs);
          expect(parts[0]!.gapMs + parts[1]!.gapMs).toBe(whole.gapMs);
          expect(energy(parts[0]!, cut) + energy(parts[1]!, 200 - cut)).toBeCloseTo(
            energy(whole, 200),
            4,
          );
        },
      ),
    );
  });
});
