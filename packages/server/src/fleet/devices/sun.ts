import { DAY_MS } from '@helioport/contract/durations';

/** A place on the globe, degrees; north and east are positive. */
export interface SunObserver {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where the sun stands as seen from a place, degrees, without refraction. */
export interface SunPosition {
  /** Above the horizon. */
  readonly elevation: number;
  /** From north towards east, 0 to 360. */
  readonly azimuth: number;
}

/** The direction of the sun among the stars, radians. */
interface SunDirection {
  readonly declination: number;
  readonly rightAscension: number;
}

const RADIANS = Math.PI / 180;
const CENTURY_DAYS = 36_525;
// 2000-01-01T12:00Z, the epoch of the series below.
const EPOCH_MS = 946_728_000_000;
/** How far the clock of the series is ahead of ours: 64 s in 2000, some 90 s in 2050, in which the sun moves by 0.0003 degrees. */
const CLOCK_AHEAD_DAYS = 72 / 86_400;

/** Source: Meeus, Astronomical Algorithms, chapter 25, low accuracy: 0.01 degrees. */
function sunDirection(days: number): SunDirection {
  const t = (days + CLOCK_AHEAD_DAYS) / CENTURY_DAYS;
  const meanLongitude = 280.46646 + t * (36_000.76983 + 0.0003032 * t);
  const anomaly = (357.52911 + t * (35_999.05029 - 0.0001537 * t)) * RADIANS;
  const center =
    (1.914602 - t * (0.004817 + 0.000014 * t)) * Math.sin(anomaly) +
    (0.019993 - 0.000101 * t) * Math.sin(2 * anomaly) +
    0.000289 * Math.sin(3 * anomaly);
  const node = (125.04 - 1934.136 * t) * RADIANS;
  const longitude = (meanLongitude + center - 0.00569 - 0.00478 * Math.sin(node)) * RADIANS;
  const obliquity = (23.439291 - 0.0130042 * t + 0.00256 * Math.cos(node)) * RADIANS;
  return {
    declination: Math.asin(Math.sin(obliquity) * Math.sin(longitude)),
    rightAscension: Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude)),
  };
}

const daysAt = (at: number): number => (at - EPOCH_MS) / DAY_MS;

/** Declination of the sun, degrees. */
export const declinationAt = (at: number): number => sunDirection(daysAt(at)).declination / RADIANS;

/** By how far the sun has passed the meridian of a longitude, degrees, negative before noon. */
export const hourAngleAt = (longitude: number, at: number): number =>
  hourAngle(sunDirection(daysAt(at)), longitude, daysAt(at));

function hourAngle({ rightAscension }: SunDirection, longitude: number, days: number): number {
  const turned = 280.46061837 + 360.98564736629 * days + longitude - rightAscension / RADIANS;
  return (((turned % 360) + 540) % 360) - 180;
}

/** The sun's position, to 0.01 degrees from 1950 to 2050. */
export function sunPosition({ latitude, longitude }: SunObserver, at: number): SunPosition {
  const days = daysAt(at);
  const sun = sunDirection(days);
  const turn = hourAngle(sun, longitude, days) * RADIANS;
  const phi = latitude * RADIANS;
  const [sinPhi, cosPhi] = [Math.sin(phi), Math.cos(phi)];
  const [up, along] = [Math.sin(sun.declination), Math.cos(sun.declination)];
  const north = up * cosPhi - along * sinPhi * Math.cos(turn);
  const east = -along * Math.sin(turn);
  return {
    elevation: Math.asin(clamped(sinPhi * up + cosPhi * along * Math.cos(turn))) / RADIANS,
    azimuth: (Math.atan2(east, north) / RADIANS + 360) % 360,
  };
}

/** Rounding must not carry the sine of the zenith beyond 1. */
const clamped = (sine: number): number => Math.max(-1, Math.min(1, sine));
