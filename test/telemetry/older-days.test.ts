import { expect, test } from 'vitest';
import { decodeDay } from '../../packages/server/src/measurements/energy/codec/day-codec.ts';
import { dayEnergyOf } from '../../packages/server/src/measurements/energy/day-energy.ts';
import { foldedDevice, foldReadings } from './folding.ts';
import { olderDay } from './older-days.ts';

const HOUR = 3_600_000;

test.each([1, 2, 3] as const)('a day that was stored in format %i is read', (version) => {
  const noon = Date.parse('2026-06-01T12:00:00Z');
  const readings = [0, 1, 2].map((i) => [noon + i * HOUR, { acPowerW: 1000.5 }] as const);
  const { state } = foldReadings(readings, foldedDevice())[0]!;
  const { fields } = state.last;
  const read = decodeDay(olderDay(version, state), state.last.at, () => fields);
  expect(read.last).toEqual(state.last);
  expect([read.samples, read.firstAt, read.peakPowerW]).toEqual([3, noon, 1000.5]);
  expect(dayEnergyOf(read, 0)).toEqual(dayEnergyOf(state, 0));
});
