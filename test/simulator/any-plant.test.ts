import { isQuantity } from '@helioport/contract';
import {
  createPlant,
  readingsOf,
  type InverterSpecification,
  type PlantSpecification,
} from '@helioport/simulator';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const inverter = fc.record<InverterSpecification>({
  sn: fc.constant('I'),
  ratedPowerW: fc.integer({ min: 100, max: 250_000 }),
  phases: fc.constantFrom(1, 3),
  startTotalKwh: real(0, 1e6),
  strings: fc.array(
    fc.record({
      kwp: real(0.1, 300),
      tilt: real(0, 90),
      azimuth: real(0, 360),
      modulesInSeries: fc.integer({ min: 1, max: 30 }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});

const plant = fc.record<PlantSpecification>({
  seed: fc.integer({ min: 0, max: 1e9 }),
  place: fc.record({ latitude: real(-90, 90), longitude: real(-180, 180) }),
  timeZone: fc.constantFrom(
    'Europe/Berlin',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Marquesas',
    'Australia/Lord_Howe',
    'America/St_Johns',
  ),
  gridFrequencyHz: fc.constantFrom(50, 60),
  gridVoltageV: real(100, 400),
  load: fc.record({
    baseW: real(0, 5000),
    morningPeakW: real(0, 5000),
    eveningPeakW: real(0, 5000),
  }),
  meterSn: fc.constant('M'),
  weatherStationSn: fc.constant('W'),
  counterMidnight: fc.constantFrom('local' as const, 'utc' as const),
  inverters: fc
    .tuple(
      inverter,
      inverter,
      fc.record({
        capacityKwh: real(1, 500),
        maxPowerW: real(100, 100_000),
        reservePercent: real(0, 50),
      }),
    )
    .map(([first, second, battery]) => [{ ...first, battery }, second]),
});

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2000, 0, 1);
const startAt = fc
  .integer({ min: 0, max: 50 * 365 * 12 * 24 })
  .map((step) => FROM + step * 300_000);

describe('any plant at any place and time', () => {
  test('closes its balance, keeps its limits and reports finite values of known quantities', () => {
    fc.assert(
      fc.property(
        plant,
        startAt,
        fc.constantFrom(300_000, 60_000, 900_000),
        (specification, at, stepMs) => {
          const battery = specification.inverters[0]!.battery!;
          for (const state of createPlant(specification, at, stepMs).advance(at + DAY_MS / 2)) {
            expect(state.productionW).toBe(state.loadW + state.batteryW + state.gridW);
            state.inverters.forEach(({ acPowerW, dcPowerW }, i) => {
              expect(acPowerW).toBeGreaterThanOrEqual(0);
              expect(acPowerW).toBeLessThanOrEqual(specification.inverters[i]!.ratedPowerW);
              expect(dcPowerW).toBeGreaterThanOrEqual(acPowerW);
            });
            expect(Math.abs(state.batteryW)).toBeLessThanOrEqual(battery.maxPowerW);
            expect(state.batteryKwh).toBeLessThanOrEqual(battery.capacityKwh * (1 + 1e-9));
            expect(state.batteryKwh).toBeGreaterThanOrEqual(
              (battery.capacityKwh * battery.reservePercent) / 100 - 1e-6,
            );
            for (const { values } of readingsOf(specification, state)) {
              for (const [name, value] of Object.entries(values))
                if (!isQuantity(name) || !Number.isFinite(value))
                  expect.unreachable(`${name}: ${value}`);
              if (values['acPowerW']! > 0 && values['busVoltageV'] !== undefined)
                expect(values['busVoltageV']).toBeGreaterThanOrEqual(values['dcVoltage1V']!);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
