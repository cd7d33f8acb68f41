import type { QuantityName } from '@helioport/contract';
import { HOUR_MS } from '@helioport/contract/durations';
import type { Orientation } from '../../expected/plane.ts';
import type { LightSource, StationStep } from '../../expected/model.ts';
import {
  createStepMeans,
  endOfSteps,
  type StepMeans,
  type MeansSteps,
} from '../../expected/step-means.ts';
import type { FigureSources } from '../sources.ts';
import type { Station } from './stations.ts';

const QUANTITIES = {
  plane: 'irradianceWm2',
  global: 'globalIrradianceWm2',
  direct: 'directIrradianceWm2',
  diffuse: 'diffuseIrradianceWm2',
  ambientC: 'ambientTemperatureC',
  moduleC: 'moduleTemperatureC',
  windMs: 'windSpeedMs',
} as const satisfies Record<keyof StationStep, QuantityName>;

const NAMES = Object.keys(QUANTITIES) as (keyof StationStep)[];
/** Arrays whose tilts and directions differ by less are in one plane, degrees. */
const ONE_PLANE = 5;

/** What a station measured on one day. */
export interface StationDay {
  readonly steps: MeansSteps;
  has(...names: (keyof StationStep)[]): boolean;
  at(step: number): StationStep;
}

/** A day in steps that takes what was measured, in the order of time. */
export function createStationDay(
  steps: MeansSteps,
): StationDay & { add(name: keyof StationStep, at: number, value: number): void } {
  const means = new Map<keyof StationStep, StepMeans>();
  return {
    steps,
    add(name, at, value) {
      if (!means.has(name)) means.set(name, createStepMeans(steps));
      means.get(name)!.add(at, value);
    },
    // Not if there are only readings of the hours before and after the day.
    has: (...names) =>
      names.every((name) => {
        const of = means.get(name);
        return of !== undefined && of.isKnown();
      }),
    at: (step) => Object.fromEntries([...means].map(([name, of]) => [name, of.mean(step)])),
  };
}

/** What a station measured on each of some days, ascending. */
export async function readStation(
  { db, telemetry }: FigureSources,
  { binding: { seriesId, fromAt, toAt }, distanceKm }: Station,
  days: readonly MeansSteps[],
): Promise<StationDay[]> {
  const seen = days.map(createStationDay);
  // Readings up to an hour outside of a day lead into it.
  const from = Math.max(fromAt, days[0]!.startAt - HOUR_MS);
  const to = Math.min(toAt ?? Infinity, endOfSteps(days.at(-1)!) + HOUR_MS);
  // The modules of another plant are warm in their own way.
  const names = distanceKm === 0 ? NAMES : NAMES.filter((name) => name !== 'moduleC');
  let first = 0;
  for await (const page of telemetry.readingPages(db, seriesId, from, to))
    for (const { at, values } of page) {
      while (first < days.length && endOfSteps(days[first]!) + HOUR_MS < at) first += 1;
      for (let i = first; i < days.length && days[i]!.startAt - HOUR_MS <= at; i++)
        for (const name of names) {
          const value = values[QUANTITIES[name]];
          if (value !== undefined) seen[i]!.add(name, at, value);
        }
    }
  return seen;
}

/** What the light in the planes of the modules is calculated from, the best first; none if a station does not measure it. */
export function lightSources(
  day: StationDay,
  { distanceKm }: Pick<Station, 'distanceKm'>,
  planes: readonly Orientation[],
): LightSource[] {
  const isInPlane = distanceKm === 0 && day.has('plane') && areOne(planes);
  return [
    ...(isInPlane ? (['plane'] as const) : []),
    ...(day.has('global') ? (['global'] as const) : []),
  ];
}

const areOne = (planes: readonly Orientation[]): boolean =>
  planes.every(
    ({ tilt, azimuth }) =>
      Math.abs(tilt - planes[0]!.tilt) <= ONE_PLANE &&
      (tilt <= ONE_PLANE ||
        Math.abs(((azimuth - planes[0]!.azimuth + 540) % 360) - 180) <= ONE_PLANE),
  );
