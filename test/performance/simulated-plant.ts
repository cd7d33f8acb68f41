import { HOUR_MS } from '@helioport/contract/durations';
import { sunPosition } from '../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../packages/server/src/measurements/energy/clear-sky.ts';
import { acPower } from '../../packages/server/src/measurements/expected/array-power.ts';
import {
  expectedSteps,
  type ModelUnit,
} from '../../packages/server/src/measurements/expected/model.ts';
import { onPlane } from '../../packages/server/src/measurements/expected/plane.ts';
import {
  divideGlobal,
  extraterrestrial,
} from '../../packages/server/src/measurements/expected/sky.ts';
import { MEANS_STEP_MS } from '../../packages/server/src/measurements/expected/step-means.ts';
import type {
  DayRatios,
  GridAlarm,
  LossDay,
} from '../../packages/server/src/outbound/performance/causes/loss-day.ts';
import { nameLosses } from '../../packages/server/src/outbound/performance/causes/name-losses.ts';
import { usualAfter } from '../../packages/server/src/outbound/performance/causes/usual.ts';

const STEPS = 96;
const DAY_MS = STEPS * MEANS_STEP_MS;
const STEP_KWH = MEANS_STEP_MS / HOUR_MS / 1000;
/** Days before the month that is judged, and its own. */
export const [BEFORE, MONTH] = [25, 30];

export type Chance = () => number;

/** Source: mulberry32, public domain. */
export function chanceOf(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const column = (value: number | undefined): (number | undefined)[] =>
  Array.from({ length: STEPS }, () => value);

/** A number around 0, hardly ever beyond twice the width. */
export const about = (chance: Chance, width: number): number =>
  width * (chance() + chance() + chance() - 1.5) * 1.15;
const between = (chance: Chance, from: number, to: number): number => from + (to - from) * chance();

/** What an inverter does in a step of the month in place of what it could; `dcShares` of its inputs. */
export interface Deed {
  readonly powerW?: number | undefined;
  readonly isSilent?: true;
  readonly inputShares?: readonly number[];
  readonly limitW?: number;
}

/** A fault: what an inverter does at a step, and the alarms of the day. */
export interface Fault {
  at?(unit: number, day: number, step: number, couldW: number, ratedW: number): Deed | undefined;
  alarms?(day: number, startAt: number): readonly GridAlarm[];
  limits?(unit: number, startAt: number, ratedW: number): LossDay['units'][number]['limits'];
}

export interface Sketch {
  readonly units: number;
  readonly isWinter?: boolean;
  /** DC by AC power. */
  readonly ratio?: number;
  readonly inputs?: number;
  fault?(chance: Chance, units: number): Fault;
}

/** A month of a plant: what was named, and what truly was lost through the fault, kWh. */
export interface Judged {
  readonly named: ReadonlyMap<string, number>;
  readonly lostKwh: number;
  readonly clippedKwh: number;
  readonly expectedKwh: number;
}

/** The sky over a plant, step by step: shares of clear-sky irradiance, in spells of weather. */
function createSky(chance: Chance): (day: number, step: number) => number {
  const days: number[][] = [];
  let mood = chance();
  return (day, step) => {
    while (days.length <= day) {
      mood = Math.min(1, Math.max(0, 0.6 * mood + 0.4 * chance() + about(chance, 0.15)));
      const broken = 0.45 * Math.sin(Math.PI * mood);
      let cloud = 0;
      days.push(
        Array.from({ length: STEPS }, () => {
          cloud = 0.7 * cloud + 0.3 * about(chance, 1);
          return Math.min(1.05, Math.max(0.05, 0.15 + 0.88 * mood + broken * cloud));
        }),
      );
    }
    return days[day]![step]!;
  };
}

/** Simulates a plant with its sensors’ and modules’ own errors, and has the losses of its last month named. */
export function judge(seed: number, sketch: Sketch): Judged {
  const chance = chanceOf(seed);
  const place = { latitude: between(chance, 36, 58), longitude: between(chance, -8, 25) };
  const month = sketch.isWinter ? 1 : Math.floor(between(chance, 1, 13));
  const begin = Date.UTC(2026, month - 1, 1) - BEFORE * DAY_MS;
  const sky = createSky(chance);
  const ratio = sketch.ratio ?? between(chance, 0.9, 1.15);
  const inputs = sketch.inputs ?? 2;
  const isNamed = sketch.units === 1 || chance() < 0.5;
  const units = Array.from({ length: sketch.units }, (_, i) => {
    const ratedW = Math.round(between(chance, 3000, 15_000));
    const plane = { tilt: between(chance, 10, 45), azimuth: between(chance, 120, 240) };
    return { sn: `INV-${i + 1}`, ratedW, plane, capacityW: ratedW * ratio };
  });
  if (!isNamed) for (const unit of units) unit.plane = units[0]!.plane;
  const modelled: ModelUnit[] = units.map(({ sn, ratedW, plane, capacityW }) => ({
    sn,
    ratedW,
    arrays: [{ plane, capacityW }],
  }));
  // What the model does not know.
  const truth = {
    sensor: 1 + about(chance, 0.02),
    diffuse: 1 + about(chance, 0.08),
    coefficient: -0.0037 + about(chance, 0.0004),
    made: units.map(() => (1 + about(chance, 0.03)) * (isNamed ? 1 : 1 + about(chance, 0.05))),
    warmth: (sketch.isWinter ? -3 : 12) - (place.latitude - 48) / 3 + about(chance, 3),
  };
  const fault = sketch.fault?.(chance, sketch.units) ?? {};
  const shares = Array.from({ length: inputs }, () => between(chance, 0.8, 1.2));
  const days: DayRatios[] = [];
  const named = new Map<string, number>();
  let [lost, clipped, expected] = [0, 0, 0];
  for (let d = 0; d < BEFORE + MONTH; d++) {
    const startAt = begin + d * DAY_MS;
    const isMonth = d >= BEFORE;
    const ambient = (step: number): number =>
      truth.warmth + 4 * Math.sin(((step - 36) / STEPS) * 2 * Math.PI);
    const globalAt = (step: number): number => {
      const at = startAt + (step + 0.5) * MEANS_STEP_MS;
      return clearSkyWm2(sunPosition(place, at).elevation) * sky(d, step);
    };
    const steps = expectedSteps(place, modelled, { startAt, count: STEPS }, 'global', (step) => ({
      global: globalAt(step) * truth.sensor,
      ambientC: ambient(step),
      windMs: 1,
    }));
    const measured = units.map(() => column(0));
    const inputW = units.map(() => shares.map(() => column(0)));
    const limitW = units.map(() => column(undefined));
    const produced = units.map(() => 0);
    for (const [step, { isDay }] of steps.entries()) {
      const at = startAt + (step + 0.5) * MEANS_STEP_MS;
      const sun = sunPosition(place, at);
      const passing = 1 + about(chance, 0.25 * Math.max(0, 0.8 - sky(d, step)));
      const above = extraterrestrial(at);
      const light = divideGlobal(globalAt(step) * passing, sun.elevation, above);
      const diffuse = Math.min(light.global, light.diffuse * truth.diffuse);
      const sine = Math.max(0.05, Math.sin((sun.elevation * Math.PI) / 180));
      const trueLight = { ...light, diffuse, direct: (light.global - diffuse) / sine };
      for (const [u, { ratedW, plane, capacityW }] of units.entries()) {
        const plain = isDay ? onPlane(trueLight, sun, plane, above) : 0;
        const moduleC = ambient(step) + plain / 30;
        const dcW =
          (Math.max(0, capacityW * plain * (1 + truth.coefficient * (moduleC - 25))) / 1000) *
          truth.made[u]! *
          (1 + about(chance, 0.01));
        const could = acPower(dcW, ratedW);
        const deed = isMonth ? fault.at?.(u, d - BEFORE, step, could.powerW, ratedW) : undefined;
        const kept = deed?.inputShares ?? shares.map(() => 1);
        const whole = shares.reduce((sum, share) => sum + share, 0);
        const left = shares.reduce((sum, share, i) => sum + share * kept[i]!, 0) / whole;
        const powerW = deed?.powerW ?? acPower(dcW * left, ratedW).powerW;
        for (const [i, share] of shares.entries())
          inputW[u]![i]![step] = deed?.isSilent
            ? undefined
            : ((share * kept[i]!) / (whole * left || 1)) * (powerW / 0.96);
        measured[u]![step] = deed?.isSilent ? undefined : powerW;
        limitW[u]![step] = deed?.limitW;
        produced[u]! += powerW * STEP_KWH;
        if (isMonth) {
          lost += (could.powerW - powerW) * STEP_KWH;
          clipped += could.clippedW * STEP_KWH;
        }
      }
    }
    const day: LossDay = {
      steps: { startAt, count: STEPS },
      units: units.map(({ sn, ratedW }, u) => ({
        sn,
        ratedW,
        hasOwnArrays: isNamed,
        expectedW: steps.map(({ light }) => light?.unitsW[u]),
        clippedW: steps.map(({ light }) => light?.clippedW[u]),
        measuredW: measured[u]!,
        producedKwh: produced[u]!,
        hasReported: d > 0,
        inputs: inputW[u]!.map((powerW, i) => ({ input: i + 1, powerW, isConnected: true })),
        reportedLimitW: limitW[u]!,
        limits: isMonth ? (fault.limits?.(u, startAt, ratedW) ?? []) : [],
        gridAlarms: isMonth ? (fault.alarms?.(d - BEFORE, startAt) ?? []) : [],
      })),
      producedKwh: produced.reduce((a, b) => a + b, 0),
      coldestC: truth.warmth - 4,
      exportLimits: [],
      exportedW: [],
      priceAt: () => 0.1,
    };
    const { losses, ratios } = nameLosses(day, usualAfter(days));
    days.push(ratios);
    if (!isMonth) continue;
    for (const { cause, kwh } of losses) named.set(cause, (named.get(cause) ?? 0) + kwh);
    for (const { light } of steps)
      for (const powerW of light?.unitsW ?? []) expected += powerW * STEP_KWH;
  }
  return { named, lostKwh: lost, clippedKwh: clipped, expectedKwh: expected };
}

export { between };
