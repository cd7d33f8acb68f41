import type { LightSource } from './model.ts';

/** What an expectation rests on. */
export interface Basis {
  readonly source: LightSource;
  /** Whether direct and diffuse light are measured, and not calculated from the global irradiance. */
  readonly isDivided: boolean;
  /** Whether `plane` may be the global irradiance of a station that measures nothing else. */
  readonly isPlaneAssumed: boolean;
  readonly temperature: 'module' | 'ambient' | 'none';
  /** To the station, km. */
  readonly distanceKm: number;
  /** Whether a weather service says it, of which nothing was measured at a place near by. */
  readonly isFromService?: boolean;
}

// Expanded uncertainties (95 %) of a day's energy, %. docs/performance.md says where they come from.
const LIGHT = { plane: 5, planeAssumed: 12, divided: 6, global: 8, service: 20 } as const;
const TEMPERATURE = { module: 1, ambient: 2, none: 6 } as const;
const PER_KM = 0.4;
const ARRAYS_AND_INVERTERS = 5;

/** By how much the expected energy of a day may be wrong, %, with 95 % confidence. */
export function uncertaintyPercent({
  source,
  isDivided,
  isPlaneAssumed,
  temperature,
  distanceKm,
  isFromService = false,
}: Basis): number {
  const light = isFromService
    ? LIGHT.service
    : source === 'plane'
      ? isPlaneAssumed
        ? LIGHT.planeAssumed
        : LIGHT.plane
      : isDivided
        ? LIGHT.divided
        : LIGHT.global;
  return Math.hypot(light, TEMPERATURE[temperature], PER_KM * distanceKm, ARRAYS_AND_INVERTERS);
}

/** What an expectation rests on that follows from no irradiance. */
export interface LearnedBasis {
  /** How clear days differ from what was learned of them, %. */
  readonly errorPercent: number;
  /** How many others told of the sky. */
  readonly observers: number;
  /** To the farthest of them, km. */
  readonly distanceKm: number;
  /** How far the sun is from where it stood on any clear day, degrees of declination. */
  readonly beyondDegrees: number;
}

// Expanded uncertainties (95 %) of a day's energy, %, with one, two, or more others.
const SKY = [18, 14, 13] as const;
const [UNKNOWN_WEATHER, PER_DEGREE] = [6, 0.4];

/** By how much the energy of a day may be wrong that is expected without irradiance, %, with 95 % confidence. */
export const learnedUncertaintyPercent = ({
  errorPercent,
  observers,
  distanceKm,
  beyondDegrees,
}: LearnedBasis): number =>
  Math.hypot(
    2 * errorPercent,
    SKY[Math.min(observers, SKY.length) - 1] ?? SKY[0],
    UNKNOWN_WEATHER,
    PER_KM * distanceKm,
    PER_DEGREE * beyondDegrees,
  );
