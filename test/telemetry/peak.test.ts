import { expect, test } from 'vitest';
import { dayRollup } from '../../packages/server/src/measurements/telemetry/rollups.ts';
import { foldedDevice, foldReadings } from './folding.ts';

const NOON = Date.parse('2026-06-15T12:00:00Z');

test.each([
  ['0 on a day on which all powers were 0', [0, 0, 0], [0, NOON]],
  ['the highest one', [0, 900, 30], [900, NOON + 600_000]],
  ['none if all of them were below 0', [-2, -3, -2], [null, null]],
])('with a counter that tells of the day, too, the peak is %s', (_, powers, peak) => {
  for (const grows of [0, 0.1]) {
    const days = foldReadings(
      powers.map((acPowerW, i) => [
        NOON + i * 600_000,
        { acPowerW, energyTodayKwh: i * grows, energyTotalKwh: 100 + i * grows },
      ]),
      foldedDevice(),
    );
    const { peakPowerW, peakPowerAt, energies } = dayRollup(days.at(-1)!);
    expect(energies.production).toMatchObject({ energyKwh: 2 * grows, estimated: false });
    // Where the counters show that nothing was produced, no power was a peak.
    const isNone = grows === 0 && (peak[0] ?? 0) > 0;
    expect([peakPowerW, peakPowerAt]).toEqual(isNone ? [null, null] : peak);
  }
});
