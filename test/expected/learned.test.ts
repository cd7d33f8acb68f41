import { describe, expect, test } from 'vitest';
import { clearLight } from '../../packages/server/src/measurements/expected/clear-light.ts';
import { expectedDay } from '../../packages/server/src/measurements/expected/day-figures.ts';
import { roughnessOf } from '../../packages/server/src/measurements/expected/day-powers.ts';
import { learnedSteps } from '../../packages/server/src/measurements/expected/learned-day.ts';
import {
  capacityOf,
  isMountingKnown,
  learnInverter,
} from '../../packages/server/src/measurements/expected/learned.ts';
import {
  fitPlanes,
  responseOf,
} from '../../packages/server/src/measurements/expected/plane-fit.ts';
import { learnedUncertaintyPercent } from '../../packages/server/src/measurements/expected/uncertainty.ts';
import { between, chanceOf } from '../performance/simulated-plant.ts';
import { effort } from '../support/effort.ts';
import { DAY_MS, drawInverter, fleetDays, type FleetSketch } from './learned-fleet.ts';

const SEEDS = effort(6, 60);
/** Days of one fleet have their errors in common. */
const FLEETS = effort(20, 200);
const PLACE = { latitude: 48, longitude: 11 };
const APRIL = Date.UTC(2026, 3, 1);
const [LEARN, JUDGE] = [60, 15];

const placeOf = (seed: number) => {
  const chance = chanceOf(seed);
  return {
    chance,
    place: { latitude: between(chance, 36, 58), longitude: between(chance, -8, 25) },
    startAt: Date.UTC(2026, Math.floor(between(chance, 0, 12)), 1),
  };
};

/** How far apart two directions are, degrees. */
const apart = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);

/** Seeds with an inverter and what is learned of it. */
const drawn = (from: number, sketch: Partial<FleetSketch>) =>
  Array.from({ length: SEEDS }, (_, i) => {
    const { chance, place } = placeOf(from + i);
    const startAt = Date.UTC(2026, 2 + (i % 6), 1);
    const inverter = drawInverter(chance, place, sketch);
    const days = fleetDays(from + i, startAt, LEARN, [inverter]).map(([own]) => own!);
    return { inverter, place, learned: learnInverter(place, days, inverter.ratedW) };
  });

/** What at most one of twenty exceeds. */
const nineteenOfTwenty = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1]!;

describe('what is learned from clear days', () => {
  test('is what planes deliver, where nothing else is in the curve', () => {
    const planes = [
      { plane: { tilt: 20, azimuth: 100 }, factor: 4 },
      { plane: { tilt: 35, azimuth: 250 }, factor: 6 },
    ];
    const points = Array.from({ length: 288 }, (_, i) => i).flatMap((i) => {
      const clear = clearLight(
        PLACE,
        APRIL + (i % 96) * 900_000 + Math.floor(i / 96) * 20 * DAY_MS,
      );
      if (!clear) return [];
      const powerW = planes.reduce(
        (sum, each) => sum + each.factor * responseOf(clear, each.plane),
        0,
      );
      return [{ clear, powerW }];
    });
    const found = fitPlanes(points);
    expect(found).toHaveLength(2);
    for (const { clear, powerW } of points) {
      const fitted = found.reduce(
        (sum, each) => sum + each.factor * responseOf(clear, each.plane),
        0,
      );
      expect(Math.abs(fitted - powerW)).toBeLessThan(0.01 * 7000);
    }
  });

  test('is how modules in one plane are mounted, unless the sun is low', () => {
    const all = drawn(100_000, { isTwoPlanes: false });
    const sure = all.filter(({ learned, place }) => isMountingKnown(learned!, place));
    expect(sure.length).toBeGreaterThan(0.6 * SEEDS);
    const off = sure.map(({ inverter, learned }) => {
      const [{ plane, capacityW }] = inverter.arrays as [(typeof inverter.arrays)[number]];
      const power = learned!.planes.reduce((sum, each) => sum + capacityOf(each), 0);
      const most = learned!.planes.toSorted((a, b) => b.factor - a.factor)[0]!.plane;
      return {
        power: Math.abs(power / capacityW - 1),
        tilt: Math.abs(most.tilt - plane.tilt),
        azimuth: apart(most.azimuth, plane.azimuth),
      };
    });
    expect(nineteenOfTwenty(off.map(({ power }) => power))).toBeLessThan(0.08);
    expect(nineteenOfTwenty(off.map(({ tilt }) => tilt))).toBeLessThan(8);
    expect(nineteenOfTwenty(off.map(({ azimuth }) => azimuth))).toBeLessThan(15);
  });

  test('is what would be delivered without the shade of a chimney', () => {
    const shadeAt = (azimuth: number): number => (azimuth > 200 && azimuth < 225 ? 0.2 : 1);
    const all = drawn(110_000, { isTwoPlanes: false, shadeAt });
    const sure = all.filter(({ learned, place }) => isMountingKnown(learned!, place));
    expect(sure.length).toBeGreaterThan(0.6 * SEEDS);
    const off = sure.map(({ inverter, learned }) => {
      const power = learned!.planes.reduce((sum, each) => sum + capacityOf(each), 0);
      return Math.abs(power / inverter.arrays[0]!.capacityW - 1);
    });
    expect(nineteenOfTwenty(off)).toBeLessThan(0.08);
  });

  test('is nothing without clear days, and nothing of an inverter that hardly delivers', () => {
    const { chance, place } = placeOf(1);
    const inverter = drawInverter(chance, place, { isTwoPlanes: false });
    const cloudy = Array.from({ length: 60 }, (_, d) =>
      inverter.dayOf(
        APRIL + d * DAY_MS,
        Array.from({ length: 96 }, () => between(chance, 0.1, 0.9)),
        10,
      ),
    );
    expect(learnInverter(place, cloudy, inverter.ratedW)).toBeUndefined();
    const clear = Array.from({ length: 60 }, (_, d) =>
      inverter.dayOf(
        APRIL + d * DAY_MS,
        Array.from({ length: 96 }, () => 1),
        10,
      ),
    );
    expect(learnInverter(place, clear, inverter.ratedW)).toBeDefined();
    expect(learnInverter(place, clear.slice(0, 3), inverter.ratedW)).toBeUndefined();
    const tenth = clear.map((day) => ({ ...day, powersW: day.powersW.map((w) => w! / 10) }));
    expect(learnInverter(place, tenth, inverter.ratedW)).toBeUndefined();
  });

  test('rests on whole and smooth days', () => {
    const hump = Array.from({ length: 96 }, (_, i) =>
      Math.max(0, 5000 * Math.sin(((i - 24) / 48) * Math.PI)),
    );
    expect(roughnessOf(hump)).toBeLessThan(0.01);
    expect(
      roughnessOf(hump.map((powerW, i) => (i % 4 === 0 ? powerW * 0.6 : powerW))),
    ).toBeGreaterThan(0.1);
    expect(roughnessOf(hump.with(50, null as never))).toBeUndefined();
    expect(roughnessOf(hump.map(() => 0))).toBeUndefined();
  });
});

describe('what is expected without irradiance', () => {
  for (const others of [1, 2, 4])
    test(`is right to its uncertainty on 95 % of days, with ${others} others under the same sky`, () => {
      const off: number[] = [];
      for (let seed = 200_000; seed < 200_000 + FLEETS; seed++) {
        const { chance, place, startAt } = placeOf(seed);
        const inverters = Array.from({ length: others + 1 }, () => drawInverter(chance, place));
        const days = fleetDays(seed, startAt, LEARN + JUDGE, inverters);
        const learned = inverters.map(({ ratedW }, i) =>
          learnInverter(
            place,
            days.slice(0, LEARN).map((day) => day[i]!),
            ratedW,
          )!,
        );
        if (learned.includes(undefined as never)) continue;
        const uncertain = learnedUncertaintyPercent({
          errorPercent: Math.max(...learned.map(({ errorPercent }) => errorPercent)),
          observers: others,
          distanceKm: 0,
          beyondDegrees: 0,
        });
        for (const day of days.slice(LEARN)) {
          const [own, ...rest] = learned.map((each, i) => ({
            place,
            learned: each,
            powers: day[i]!,
          }));
          const steps = learnedSteps(place, [{ own: own!, others: rest }], {
            startAt: day[0]!.startAt,
            count: 96,
          });
          const produced = day[0]!.powersW.reduce<number>((sum, powerW) => sum + powerW!, 0) / 4000;
          off.push((100 * Math.abs(expectedDay(steps).expectedKwh / produced - 1)) / uncertain);
        }
      }
      expect(off.filter((each) => each <= 1).length / off.length).toBeGreaterThanOrEqual(0.95);
    });

  test('is not less because others stand still, and is nothing where nobody saw the sky', () => {
    const { chance, place, startAt } = placeOf(7);
    const inverters = Array.from({ length: 3 }, () => drawInverter(chance, place));
    const days = fleetDays(7, startAt, LEARN + 1, inverters);
    const today = days.at(-1)!;
    const sees = inverters.map(({ ratedW }, i) => ({
      place,
      learned: learnInverter(
        place,
        days.slice(0, LEARN).map((day) => day[i]!),
        ratedW,
      )!,
      powers: today[i]!,
    }));
    const dead = { ...sees[1]!, powers: { ...today[1]!, powersW: today[1]!.powersW.map(() => 0) } };
    const expected = (own: number, others: typeof sees) =>
      expectedDay(
        learnedSteps(place, [{ own: sees[own]!, others }], {
          startAt: today[0]!.startAt,
          count: 96,
        }),
      );
    const alone = expected(0, [sees[2]!]);
    expect(expected(0, [dead, sees[2]!]).expectedKwh).toBe(alone.expectedKwh);
    expect(alone.coveredMs).toBe(alone.daylightMs);
    // The only one that runs says what it delivered itself.
    const itself = expected(0, [dead]).expectedKwh;
    const produced = today[0]!.powersW.reduce<number>((sum, powerW) => sum + powerW!, 0) / 4000;
    expect(Math.abs(itself / produced - 1)).toBeLessThan(0.02);
    expect(expected(0, []).coveredMs).toBe(0);
    const silent = { ...sees[2]!, powers: undefined };
    expect(
      expectedDay(
        learnedSteps(place, [{ own: dead, others: [silent as never] }], {
          startAt: today[0]!.startAt,
          count: 96,
        }),
      ).coveredMs,
    ).toBe(0);
  });
});
