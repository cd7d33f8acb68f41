import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';
import { createLocalZone } from '../../platform/calendar/local-zone.ts';
import type { Instant } from '../../platform/storage/database.ts';
import { declinationAt, hourAngleAt, sunPosition } from './sun.ts';

/** The position of a plant. If the latitude is unknown, the longitude is guessed from the time zone. */
export interface Site {
  readonly latitude: number | null;
  readonly longitude: number;
}

const DEGREES_PER_MS = 360 / DAY_MS;

/** Where a plant is at an instant. */
export const siteOf = ({ latitude, longitude, timeZone }: Located, at: Instant): Site =>
  latitude !== null && longitude !== null
    ? { latitude, longitude }
    : { latitude: null, longitude: createLocalZone(timeZone).offsetAt(at) * DEGREES_PER_MS };

interface Located {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timeZone: string;
}

/** Hours of true solar time, 12 at noon. */
export const solarHour = (longitude: number, at: Instant): number =>
  (12 + hourAngleAt(longitude, at) / 15) % 24;

/** Elevation of the sun above the horizon in degrees, without refraction. */
export const sunElevation = (latitude: number, longitude: number, at: Instant): number =>
  sunPosition({ latitude, longitude }, at).elevation;

/** Elevation of the sun at noon of that day in degrees. */
export const noonElevation = (latitude: number, at: Instant): number =>
  90 - Math.abs(latitude - declinationAt(at));

// Used if the latitude is unknown: local hours at which the sun is up nearly everywhere, all year round.
const SURE_HOURS = { from: 10, to: 15 };

/**
 * Whether the sun is high enough for plants to produce: above `degrees` or, in winter, when it hardly gets that high, above 70 % of its elevation at
 * noon. Never true on a day when it stays near the horizon.
 */
export function isDaylight({ latitude, longitude }: Site, at: Instant, degrees = 10): boolean {
  if (latitude === null) {
    const hour = solarHour(longitude, at);
    return hour >= SURE_HOURS.from && hour < SURE_HOURS.to;
  }
  const noon = noonElevation(latitude, at);
  return noon >= 5 && sunElevation(latitude, longitude, at) >= Math.min(degrees, 0.7 * noon);
}

const STEP_MS = 10 * MINUTE_MS;
const STEPS_AT_MOST = (2 * DAY_MS) / STEP_MS;

/** The next instant with daylight, to within ten minutes; two days ahead if the sun does not rise. */
export function nextDaylight(site: Site, after: Instant): Instant {
  let at = after;
  for (let step = 0; step < STEPS_AT_MOST; step++) {
    at += STEP_MS;
    if (isDaylight(site, at)) break;
  }
  return at;
}
