import { HOUR_MS } from '@helioport/contract/durations';
import { sunPosition, type SunObserver } from '../../fleet/devices/sun.ts';
import type { ExpectedStep } from './model.ts';
import { MEANS_STEP_MS, type MeansSteps } from './step-means.ts';

/** IEC 61724-1: what a day allowed, over the steps in which the irradiance is known. */
export interface ExpectedDay {
  /** Energy that the inverters should have delivered, kWh. */
  readonly expectedKwh: number;
  /** What the inverters had to cut off, kWh. */
  readonly clippedKwh: number;
  /** Irradiation in the planes of the modules, kWh/m²: the reference yield in hours; undefined = unknown. */
  readonly planeKwhm2: number | undefined;
  /** That irradiation, weighted by what the modules' temperature leaves of their power. */
  readonly correctedKwhm2: number | undefined;
  /** Time with daylight, and the part of it in which the irradiance is known. */
  readonly daylightMs: number;
  readonly coveredMs: number;
}

/** The share of daylight that readings have to cover. */
export const COVERAGE_AT_LEAST = 0.95;

/** Also a day on which the sun does not rise. */
export const isCovered = ({
  daylightMs,
  coveredMs,
}: Pick<ExpectedDay, 'daylightMs' | 'coveredMs'>): boolean =>
  coveredMs >= COVERAGE_AT_LEAST * daylightMs;

/** Adds up the steps of a day. */
export function expectedDay(steps: readonly ExpectedStep[]): ExpectedDay {
  let [expected, clipped, plane, corrected, daylight, covered] = [0, 0, 0, 0, 0, 0];
  for (const { isDay, light } of steps) {
    if (!isDay) continue;
    daylight += 1;
    if (!light) continue;
    covered += 1;
    for (const powerW of light.unitsW) expected += powerW;
    for (const clippedW of light.clippedW) clipped += clippedW;
    plane += light.planeWm2 ?? Number.NaN;
    corrected += (light.planeWm2 ?? Number.NaN) * light.temperatureFactor;
  }
  const thousands = MEANS_STEP_MS / HOUR_MS / 1000;
  return {
    expectedKwh: expected * thousands,
    clippedKwh: clipped * thousands,
    planeKwhm2: known(plane * thousands),
    correctedKwhm2: known(corrected * thousands),
    daylightMs: daylight * MEANS_STEP_MS,
    coveredMs: covered * MEANS_STEP_MS,
  };
}

const known = (figure: number): number | undefined => (Number.isNaN(figure) ? undefined : figure);

/** Time with daylight, of all steps or of some. */
export function daylightOf(
  place: SunObserver,
  { startAt, count }: MeansSteps,
  among: (step: number) => boolean = () => true,
): number {
  let daylight = 0;
  for (let step = 0; step < count; step++) {
    const middle = startAt + (step + 0.5) * MEANS_STEP_MS;
    if (among(step) && sunPosition(place, middle).elevation > 0) daylight += MEANS_STEP_MS;
  }
  return daylight;
}
