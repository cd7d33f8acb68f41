import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';
import { createLocalZone } from '../../platform/calendar/local-zone.ts';
import type { Instant } from '../../platform/storage/database.ts';

/** The position of a plant. If the latitude is unknown, the longitude is guessed from the time zone. */
export interface DaylightSite {
  readonly latitude: number | null;
  readonly longitude: number;
}

const DEGREES_PER_MS = 360 / DAY_MS;

/** Where a plant is at an instant. */
export const siteOf = ({ latitude, longitude, timeZone }: Located, at: Instant): DaylightSite =>
  latitude !== null && longitude !== null
    ? { latitude, longitude }
    : { latitude: null, longitude: createLocalZone(timeZone).offsetAt(at) * DEGREES_PER_MS };

interface Located {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timeZone: string;
}

const DEGREES = 180 / Math.PI;
// 2000-01-01T12:00Z.
const EPOCH_MS = 946_728_000_000;
const YEAR_DAYS = 365.2422;

/** Fractional year as an angle in radians, 0 on the first of January. */
const yearAngle = (at: Instant): number =>
  ((2 * Math.PI) / YEAR_DAYS) * (((at - EPOCH_MS) / DAY_MS + 0.5) % YEAR_DAYS);

/** Declination of the sun in radians. Source: Spencer 1971, accurate to half a degree. */
function declination(at: Instant): number {
  const g = yearAngle(at);
  return (
    0.006918 -
    0.399912 * Math.cos(g) +
    0.070257 * Math.sin(g) -
    0.006758 * Math.cos(2 * g) +
    0.000907 * Math.sin(2 * g) -
    0.002697 * Math.cos(3 * g) +
    0.00148 * Math.sin(3 * g)
  );
}

/** Equation of time: minutes by which a sundial is ahead of mean solar time. Source: Spencer 1971. */
function equationOfTime(at: Instant): number {
  const g = yearAngle(at);
  return (
    229.18 *
    (0.000075 +
      0.001868 * Math.cos(g) -
      0.032077 * Math.sin(g) -
      0.014615 * Math.cos(2 * g) -
      0.040849 * Math.sin(2 * g))
  );
}

/** Hours of true solar time, 12 at noon. */
export function solarHour(longitude: number, at: Instant): number {
  const minutes = at / MINUTE_MS + 4 * longitude + equationOfTime(at);
  return (((minutes / 60) % 24) + 24) % 24;
}

/** Elevation of the sun above the horizon in degrees, without refraction. */
export function sunElevation(latitude: number, longitude: number, at: Instant): number {
  const phi = latitude / DEGREES;
  const delta = declination(at);
  const hourAngle = ((solarHour(longitude, at) - 12) * 15) / DEGREES;
  return (
    Math.asin(
      Math.sin(phi) * Math.sin(delta) + Math.cos(phi) * Math.cos(delta) * Math.cos(hourAngle),
    ) * DEGREES
  );
}

/** Elevation of the sun at noon of that day in degrees. */
export const noonElevation = (latitude: number, at: Instant): number =>
  90 - Math.abs(latitude - declination(at) * DEGREES);

// Used if the latitude is unknown: local hours at which the sun is up nearly everywhere, all year round.
const SURE_HOURS = { from: 10, to: 15 };

/**
 * Whether the sun is high enough for plants to produce: above `degrees` or, in winter, when it hardly gets that high, above 70 % of its elevation at
 * noon. Never true on a day when it stays near the horizon.
 */
export function isDaylight(
  { latitude, longitude }: DaylightSite,
  at: Instant,
  degrees = 10,
): boolean {
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
export function nextDaylight(site: DaylightSite, after: Instant): Instant {
  let at = after;
  for (let step = 0; step < STEPS_AT_MOST; step++) {
    at += STEP_MS;
    if (isDaylight(site, at)) break;
  }
  return at;
}
