import type { SunObserver } from '../../packages/server/src/fleet/devices/sun.ts';
import {
  acPower,
  dcPower,
  moduleTemperature,
} from '../../packages/server/src/measurements/expected/array-power.ts';
import { clearLight } from '../../packages/server/src/measurements/expected/clear-light.ts';
import type { DayPowers } from '../../packages/server/src/measurements/expected/day-powers.ts';
import {
  onPlane,
  type Orientation,
} from '../../packages/server/src/measurements/expected/plane.ts';
import { divideGlobal } from '../../packages/server/src/measurements/expected/sky.ts';
import { MEANS_STEP_MS } from '../../packages/server/src/measurements/expected/step-means.ts';
import { about, between, chanceOf, type Chance } from '../performance/simulated-plant.ts';

const STEPS = 96;
export const DAY_MS = STEPS * MEANS_STEP_MS;

export interface FleetInverter {
  readonly place: SunObserver;
  readonly ratedW: number;
  readonly arrays: readonly { readonly plane: Orientation; readonly capacityW: number }[];
  /** What it makes of a sky: shares of clear-sky irradiance in the steps of a day. */
  dayOf(startAt: number, sky: readonly number[], warmth: number): DayPowers;
}

export interface FleetSketch {
  readonly inverters: number;
  /** Of the direct light, what reaches the modules. */
  shadeAt?(azimuth: number, elevation: number): number;
  readonly isTwoPlanes?: boolean;
}

/** The sky of a day: a cloudless one on every fourth day, with the haze of the day; otherwise clouds that pass or stay. */
export function skyOfDay(chance: Chance): number[] {
  const isClear = chance() < 0.25;
  const base = isClear ? between(chance, 0.93, 1.02) : between(chance, 0.2, 0.95);
  const broken = isClear ? 0 : between(chance, 0.05, 0.5);
  let cloud = 0;
  return Array.from({ length: STEPS }, () => {
    cloud = 0.7 * cloud + 0.3 * about(chance, 1);
    return Math.min(1.08, Math.max(0.04, base + broken * cloud));
  });
}

/** An inverter as it is drawn, with modules that differ from what is known of modules in general. */
export function drawInverter(
  chance: Chance,
  place: SunObserver,
  sketch: Partial<FleetSketch> = {},
): FleetInverter {
  const ratedW = Math.round(between(chance, 3000, 15_000));
  const isTwo = sketch.isTwoPlanes ?? chance() < 0.3;
  const planes = isTwo
    ? [
        { tilt: between(chance, 10, 40), azimuth: between(chance, 80, 110) },
        { tilt: between(chance, 10, 40), azimuth: between(chance, 250, 280) },
      ]
    : [{ tilt: between(chance, 10, 45), azimuth: between(chance, 120, 240) }];
  const arrays = planes.map((plane) => ({
    plane,
    capacityW: (ratedW * between(chance, 0.85, 1.3)) / planes.length,
  }));
  const diffuse = 1 + about(chance, 0.08);
  return {
    place,
    ratedW,
    arrays,
    dayOf(startAt, sky, warmth) {
      const powersW = Array.from({ length: STEPS }, (_, step) => {
        const clear = clearLight(place, startAt + (step + 0.5) * MEANS_STEP_MS);
        if (!clear) return 0;
        const { sun, above } = clear;
        const passing = 1 + about(chance, 0.25 * Math.max(0, 0.8 - sky[step]!));
        const light = divideGlobal(clear.light.global * sky[step]! * passing, sun.elevation, above);
        const shown = sketch.shadeAt?.(sun.azimuth, sun.elevation) ?? 1;
        const seen = {
          ...light,
          diffuse: Math.min(light.global, light.diffuse * diffuse),
          direct: light.direct * shown,
        };
        let dcW = 0;
        for (const { plane, capacityW } of arrays) {
          const irradiance = onPlane(seen, sun, plane, above);
          dcW += dcPower(capacityW, irradiance, moduleTemperature(irradiance, warmth));
        }
        return Math.round(acPower(dcW * (1 + about(chance, 0.01)), ratedW).powerW);
      });
      return { day: 0, startAt, powersW };
    },
  };
}

/** Days of inverters under the same skies, from a date on. */
export function fleetDays(
  seed: number,
  startAt: number,
  days: number,
  inverters: readonly FleetInverter[],
): DayPowers[][] {
  const chance = chanceOf(seed);
  const warmth = between(chance, 5, 20);
  return Array.from({ length: days }, (_, d) => {
    const sky = skyOfDay(chance);
    const ofDay = warmth + about(chance, 6);
    return inverters.map((inverter) => inverter.dayOf(startAt + d * DAY_MS, sky, ofDay));
  });
}
