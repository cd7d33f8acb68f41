import { describe, expect, test } from 'vitest';
import { readingBound } from '../../packages/server/src/energy/bounds.ts';

const inverter = { kind: 'inverter', ratedPowerW: null, capacityKwp: 10 } as const;

describe('a reading of a power', () => {
  test('is believed up to three times the rated power, where the device itself carries it', () => {
    const rated = { ...inverter, ratedPowerW: 8000 };
    expect((['acPowerW', 'dcPowerW', 'batteryPowerW', 'acPower1W', 'reactivePowerVar'] as const).map((name) => readingBound(name, rated))).toEqual(
      Array.from({ length: 5 }, () => 24_000),
    );
    expect((['gridPowerW', 'loadPowerW', 'generatorPowerW'] as const).map((name) => readingBound(name, rated))).toEqual([10e6, 10e6, 10e6]);
  });

  test('is believed up to 10 MW of a device of unknown power, and up to three times the plant of a meter', () => {
    expect(readingBound('acPowerW', inverter)).toBe(10e6);
    expect(readingBound('acPowerW', { kind: 'epm', ratedPowerW: null, capacityKwp: 50_000 })).toBe(150e6);
    expect(readingBound('gridPowerW', { kind: 'ammeter', ratedPowerW: null, capacityKwp: null })).toBe(10e6);
  });

  test('of anything else has no bound', () => {
    expect(readingBound('temperatureC', { ...inverter, ratedPowerW: 8000 })).toBe(Infinity);
    expect(readingBound('energyTotalKwh', { ...inverter, ratedPowerW: 8000 })).toBe(Infinity);
  });
});
