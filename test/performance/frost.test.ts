import { describe, expect, test } from 'vitest';
import type { LossDay } from '../../packages/server/src/outbound/performance/causes/loss-day.ts';
import { nameLosses } from '../../packages/server/src/outbound/performance/causes/name-losses.ts';
import { usualAfter } from '../../packages/server/src/outbound/performance/causes/usual.ts';

const STEPS = 96;
const column = (value: number): number[] =>
  Array.from({ length: STEPS }, (_, step) => (step >= 36 && step < 64 ? value : 0));

/** A sunny winter's day of inverters that deliver shares of what is expected. */
const dayOf = (coldestC: number | undefined, shares: readonly number[]): LossDay => ({
  steps: { startAt: Date.UTC(2026, 0, 10), count: STEPS },
  units: shares.map((share, i) => ({
    sn: `INV-${i + 1}`,
    ratedW: 10_000,
    hasOwnArrays: true,
    expectedW: column(4000),
    clippedW: column(0),
    measuredW: column(4000 * share),
    producedKwh: 28 * share,
    hasReported: true,
    inputs: [],
    reportedLimitW: column(0).map(() => undefined),
    limits: [],
    gridAlarms: [],
  })),
  producedKwh: 28 * shares.reduce((sum, share) => sum + share, 0),
  coldestC,
  exportLimits: [],
  exportedW: [],
  priceAt: () => 0.1,
});

const namedOn = (day: LossDay) =>
  nameLosses(day, usualAfter([])).losses.filter(({ cause }) => cause !== 'unexplained');

describe('an inverter that delivers nothing', () => {
  test('stands still for certain without frost, and in frost while another one delivers', () => {
    for (const [coldestC, shares] of [
      [undefined, [0]],
      [5, [0]],
      [5, [0, 0]],
      [-4, [0, 1]],
    ] as const) {
      const named = namedOn(dayOf(coldestC, shares));
      expect(named[0]).toMatchObject({ cause: 'standstill', sn: 'INV-1', confidence: 'high' });
      expect(named[0]!.kwh).toBeCloseTo(28, 6);
      expect(named[0]).not.toHaveProperty('coldestC');
    }
  });

  test('stands still, but less certainly, in frost while nothing else of the plant delivers', () => {
    for (const shares of [[0], [0, 0]]) {
      const named = namedOn(dayOf(-4, shares));
      expect(named).toHaveLength(shares.length);
      for (const loss of named)
        expect(loss).toMatchObject({
          cause: 'standstill',
          confidence: 'medium',
          coldestC: -4,
        });
    }
  });

  test('is snow where something passes through it', () => {
    const named = namedOn(dayOf(-4, [0.05, 0.04]));
    expect(new Set(named.map(({ cause }) => cause))).toEqual(new Set(['snow']));
  });
});
