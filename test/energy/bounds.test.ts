import { quantities, type QuantityName } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import {
  counterLimits,
  dayBounds,
  plantDayKwh,
  readingBounds,
  type BoundsSubject,
} from '../../packages/server/src/measurements/energy/bounds.ts';
import {
  energyChannels,
  type EnergyChannel,
} from '../../packages/server/src/measurements/energy/channels.ts';
import { clearSkyHours } from '../telemetry/naive-sun.ts';

const inverter = { kind: 'inverter', ratedPowerW: null, capacityKwp: 10 } as const;

const both = (atMost: number) => [-atMost, atMost];

describe('a reading of a power', () => {
  test('is believed up to three times the rated power, where the device itself carries it', () => {
    const rated = { ...inverter, ratedPowerW: 8000 };
    for (const name of [
      'acPowerW',
      'dcPowerW',
      'batteryPowerW',
      'acPower1W',
      'reactivePowerVar',
    ] as const)
      expect([name, readingBounds(name, rated)]).toEqual([name, both(24_000)]);
    for (const name of ['gridPowerW', 'loadPowerW', 'generatorPowerW'] as const)
      expect([name, readingBounds(name, rated)]).toEqual([name, both(10e6)]);
  });

  test('is believed up to 10 MW of a device of unknown power, and up to three times the plant of a meter', () => {
    const big = { ratedPowerW: null, capacityKwp: 50_000 };
    expect(readingBounds('acPowerW', inverter)).toEqual(both(10e6));
    expect(readingBounds('acPowerW', { ...inverter, ...big, ratedPowerW: 0 })).toEqual(both(10e6));
    expect(readingBounds('acPowerW', { kind: 'epm', ...big })).toEqual(both(150e6));
    expect(
      readingBounds('gridPowerW', { kind: 'ammeter', ratedPowerW: null, capacityKwp: null }),
    ).toEqual(both(10e6));
  });
});

describe('a reading of anything else', () => {
  test.each([...quantities.values()])('$name has bounds', ({ name, unit, bounds }) => {
    const [atLeast, atMost] = readingBounds(name as QuantityName, inverter);
    expect(atLeast).toBeLessThan(atMost);
    expect(Number.isFinite(atLeast) && Number.isFinite(atMost)).toBe(true);
    if (bounds !== 'power') expect([atLeast, atMost]).toEqual(bounds);
    expect(['W', 'Var', 'VA'].includes(unit)).toBe(bounds === 'power');
  });

  test('of a counter is believed whatever the rating: how far it can have come is judged later', () => {
    const rated = { ...inverter, ratedPowerW: 8000 };
    expect(readingBounds('energyTodayKwh', rated)).toEqual([0, 1e7]);
    expect(readingBounds('energyTotalKwh', rated)).toEqual([0, 4e9]);
  });

  test('of a voltage is believed up to 50 kV only of the meter of a large plant', () => {
    const large = { ratedPowerW: null, capacityKwp: 2_000 };
    expect(readingBounds('acVoltage1V', { kind: 'epm', ...large })).toEqual([0, 50_000]);
    expect(readingBounds('acVoltage1V', { kind: 'inverter', ...large })).toEqual([0, 1500]);
    expect(
      readingBounds('acVoltage1V', { kind: 'epm', ratedPowerW: null, capacityKwp: 10 }),
    ).toEqual([0, 1500]);
  });
});

type Limits = readonly [limitW: number, resetLimitW: number];

describe('growth of a counter', () => {
  // Production, export, what is stored or backed up, what comes from elsewhere.
  test.each<
    [subject: BoundsSubject, production: Limits, exported: Limits, stored: Limits, foreign: Limits]
  >([
    [
      { ...inverter, ratedPowerW: 8000 },
      [12_000, 12_000],
      [30_000, 30_000],
      [12_000, 12_000],
      [1e6, 1e5],
    ],
    [inverter, [13_000, 13_000], [30_000, 30_000], [30_000, 30_000], [1e6, 1e5]],
    [
      { ...inverter, kind: 'epm', ratedPowerW: 8000 },
      [13_000, 13_000],
      [30_000, 30_000],
      [30_000, 30_000],
      [1e6, 1e5],
    ],
    [
      { ...inverter, capacityKwp: 500 },
      [650_000, 650_000],
      [1.5e6, 1.5e6],
      [1.5e6, 1.5e6],
      [5e6, 1e5],
    ],
    [
      { ...inverter, ratedPowerW: 8000, capacityKwp: null },
      [12_000, 12_000],
      [24_000, 24_000],
      [12_000, 12_000],
      [1e6, 1e5],
    ],
    [
      { ...inverter, ratedPowerW: 8000, capacityKwp: 0 },
      [12_000, 12_000],
      [24_000, 24_000],
      [12_000, 12_000],
      [1e6, 1e5],
    ],
    [
      { ...inverter, ratedPowerW: 0, capacityKwp: 0 },
      [10e6, 1e5],
      [10e6, 1e5],
      [10e6, 1e5],
      [10e6, 1e5],
    ],
    [{ ...inverter, capacityKwp: null }, [10e6, 1e5], [10e6, 1e5], [10e6, 1e5], [10e6, 1e5]],
  ])(
    'of %o is bounded by rating, else by capacity, else by kind',
    (subject, production, exported, stored, foreign) => {
      const expected: Record<EnergyChannel, Limits> = {
        production,
        gridExport: exported,
        batteryCharge: stored,
        batteryDischarge: stored,
        backup: stored,
        gridImport: foreign,
        load: foreign,
        generator: foreign,
        irradiation: [2000, 2000],
        globalIrradiation: [2000, 2000],
        directIrradiation: [2000, 2000],
        diffuseIrradiation: [2000, 2000],
      };
      const { total, today } = counterLimits(subject);
      const limitsOf = (limits: typeof total) =>
        energyChannels.map((name, i) => [
          name,
          [limits[i]!.limitW, limits[i]!.resetLimitW],
          limits[i]!.daily,
        ]);
      expect(limitsOf(total)).toEqual(energyChannels.map((name) => [name, expected[name], false]));
      expect(limitsOf(today)).toEqual(energyChannels.map((name) => [name, expected[name], true]));
    },
  );
});

describe('the energy of a day', () => {
  const nowhere = { latitude: null, longitude: null };
  const startAt = Date.parse('2026-06-15T00:00:00Z');
  const window = { startAt, endAt: startAt + 86_400_000 };
  const kwhOf = (subject: BoundsSubject) => {
    const { atMost, plantAtMost } = dayBounds(subject, nowhere, window);
    return [atMost, plantAtMost];
  };

  test.each<[subject: BoundsSubject, device: readonly number[], plant: number | undefined]>([
    [{ ...inverter, ratedPowerW: 8000 }, [288e6], 312e6],
    [{ ...inverter, ratedPowerW: 9000 }, [312e6], 312e6],
    [inverter, [312e6], 312e6],
    [{ ...inverter, kind: 'epm', ratedPowerW: 1000 }, [312e6], 312e6],
    [{ ...inverter, ratedPowerW: 8000, capacityKwp: null }, [288e6], undefined],
    [{ ...inverter, ratedPowerW: 0, capacityKwp: 0 }, [], undefined],
    [{ ...inverter, ratedPowerW: 0 }, [312e6], 312e6],
  ])(
    'of %o is 24 hours of 1.5 times its rating, and of 1.3 times the capacity',
    (subject, device, plant) => {
      expect(kwhOf(subject)).toEqual([device, plant]);
    },
  );

  test('with a position is 1.5 times that of a cloudless day, where that is less', () => {
    const berlin = { latitude: 52.5, longitude: 13.4 };
    const clear = 10 * 1.5 * clearSkyHours(berlin, '2026-06-15');
    const bound = plantDayKwh(10, berlin, () => window);
    expect(bound / clear).toBeGreaterThan(0.98);
    expect(bound / clear).toBeLessThan(1.02);
    expect(dayBounds(inverter, berlin, window)).toEqual({
      atMost: [Math.floor(bound * 1e6)],
      plantAtMost: Math.floor(bound * 1e6),
    });
    // The sun does not set: 24 hours of 1.3 times the capacity are less.
    expect(plantDayKwh(10, { latitude: 89, longitude: 0 }, () => window)).toBeLessThanOrEqual(312);
    expect(plantDayKwh(10, { latitude: 52.5, longitude: null }, () => window)).toBe(312);
    expect(plantDayKwh(null, berlin, () => window)).toBe(Infinity);
  });
});
