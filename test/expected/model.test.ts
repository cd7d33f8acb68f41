import { describe, expect, test } from 'vitest';
import {
  expectedDay,
  isCovered,
} from '../../packages/server/src/measurements/expected/day-figures.ts';
import {
  expectedSteps,
  type ModelUnit,
  type StationStep,
} from '../../packages/server/src/measurements/expected/model.ts';
import {
  createStepMeans,
  MEANS_STEP_MS,
} from '../../packages/server/src/measurements/expected/step-means.ts';
import { uncertaintyPercent } from '../../packages/server/src/measurements/expected/uncertainty.ts';

const START = Date.parse('2026-06-20T22:00:00Z');
const BERLIN = { latitude: 52.5, longitude: 13.4 };
const DAY = { startAt: START, count: 96 };
const SOUTH = { tilt: 30, azimuth: 180 };
const unit = (more: Partial<ModelUnit> = {}): ModelUnit => ({
  sn: 'INV-1',
  arrays: [{ plane: SOUTH, capacityW: 10_000 }],
  ratedW: 10_000,
  ...more,
});
const cool = (plane: number): StationStep => ({ plane, ambientC: 15, windMs: 1 });

describe('means of steps', () => {
  const means = (readings: readonly (readonly [minute: number, value: number])[]) => {
    const steps = createStepMeans({ startAt: START, count: 8 });
    for (const [minute, value] of readings) steps.add(START + minute * 60_000, value);
    return Array.from({ length: 8 }, (_, step) => steps.mean(step));
  };

  test('are those of the line between readings, also where it passes over a step', () => {
    expect(
      means([
        [0, 0],
        [60, 60],
      ]),
    ).toEqual([7.5, 22.5, 37.5, 52.5, ...none(4)]);
    expect(
      means([
        [-30, 10],
        [15, 10],
      ]),
    ).toEqual([10, ...none(7)]);
    expect(
      means([
        [105, 10],
        [140, 10],
      ]),
    ).toEqual([...none(7), 10]);
  });

  test('are not known over gaps of more than an hour, and where half of the step lacks', () => {
    expect(
      means([
        [0, 5],
        [61, 5],
      ]),
    ).toEqual(none(8));
    expect(
      means([
        [0, 5],
        [7, 5],
      ]),
    ).toEqual(none(8));
    expect(
      means([
        [0, 5],
        [8, 5],
      ]),
    ).toEqual([5, ...none(7)]);
  });

  const none = (count: number) => Array.from({ length: count }, () => undefined);
});

describe('what is expected', () => {
  const dayOf = (units: readonly ModelUnit[], seen: (step: number) => StationStep) =>
    expectedDay(expectedSteps(BERLIN, units, DAY, 'plane', seen));

  test('is power in the light, and nothing at night, whatever the sensor says', () => {
    const steps = expectedSteps(BERLIN, [unit()], DAY, 'plane', () => cool(500));
    expect(steps[0]).toMatchObject({ isDay: false, light: { unitsW: [0], planeWm2: 0 } });
    expect(steps[48]).toMatchObject({ isDay: true, light: { planeWm2: 500 } });
    // 5 kW by the light, less 7 % of losses, 5 % by the inverter and 2 % by the modules' warmth.
    expect(steps[48]!.light!.unitsW[0]).toBeGreaterThan(4_200);
    expect(steps[48]!.light!.unitsW[0]).toBeLessThan(4_600);
  });

  test('is no more than the inverters can', () => {
    const { expectedKwh, clippedKwh } = dayOf([unit({ ratedW: 3_000 })], () => cool(800));
    const { expectedKwh: unlimited, daylightMs } = dayOf([unit()], () => cool(800));
    expect(expectedKwh).toBeCloseTo((daylightMs / 3_600_000) * 3, 6);
    expect(Math.abs(expectedKwh + clippedKwh - unlimited)).toBeLessThan(0.01 * unlimited);
  });

  test('is less on warm modules, and the irradiation is corrected alike', () => {
    const [cold, warm] = [0, 50].map((moduleC) => dayOf([unit()], () => ({ plane: 700, moduleC })));
    expect(warm!.planeKwhm2).toBe(cold!.planeKwhm2);
    expect(warm!.correctedKwhm2! / warm!.planeKwhm2!).toBeCloseTo(1 - 0.0037 * 25, 9);
    expect(cold!.correctedKwhm2! / cold!.planeKwhm2!).toBeCloseTo(1 + 0.0037 * 25, 9);
    expect(warm!.expectedKwh).toBeLessThan(0.85 * cold!.expectedKwh);
  });

  test('of arrays that face east and west is early and late', () => {
    const units = [90, 270].map((azimuth) =>
      unit({ arrays: [{ plane: { tilt: 40, azimuth }, capacityW: 5_000 }] }),
    );
    const steps = expectedSteps(BERLIN, units, DAY, 'global', () => ({
      global: 400,
      ambientC: 15,
    }));
    const at = (hour: number) => steps[hour * 4]!.light!.unitsW;
    expect(at(9)[0]).toBeGreaterThan(1.3 * at(9)[1]!);
    expect(at(17)[1]).toBeGreaterThan(1.3 * at(17)[0]!);
  });

  test('takes direct and diffuse light as they were measured', () => {
    const light = (station: StationStep) =>
      expectedSteps(BERLIN, [unit()], DAY, 'global', () => station)[53]!.light!.planeWm2;
    // Under an overcast sky that is this bright, a model would see the sun.
    expect(light({ global: 600, direct: 0, diffuse: 600 })).toBeLessThan(600);
    expect(light({ global: 600 })).toBeGreaterThan(600);
  });

  test('is not said of a day of which more than a twentieth is not known', () => {
    const daylight = expectedSteps(BERLIN, [unit()], DAY, 'plane', () => cool(1)).filter(
      ({ isDay }) => isDay,
    ).length;
    const without = (missing: number) =>
      dayOf([unit()], (step) => (step >= 40 && step < 40 + missing ? {} : cool(300)));
    const most = Math.floor(0.05 * daylight);
    expect(isCovered(without(most))).toBe(true);
    expect(isCovered(without(most + 1))).toBe(false);
    expect(without(2).coveredMs).toBe((daylight - 2) * MEANS_STEP_MS);
  });
});

test('what is measured less well makes the uncertainty larger', () => {
  const best = {
    source: 'plane',
    isDivided: false,
    isPlaneAssumed: false,
    temperature: 'module',
    distanceKm: 0,
  } as const;
  const worse = [
    { temperature: 'ambient' },
    { temperature: 'none' },
    { isPlaneAssumed: true },
    { source: 'global' },
    { distanceKm: 20 },
  ] as const;
  for (const more of worse)
    expect(uncertaintyPercent({ ...best, ...more })).toBeGreaterThan(uncertaintyPercent(best));
  expect(uncertaintyPercent(best)).toBeCloseTo(Math.hypot(5, 1, 5), 9);
});
