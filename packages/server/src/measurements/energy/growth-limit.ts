import { DAY_MS, HOUR_MS } from '@helioport/contract/durations';
import { clearSkyHours } from './clear-sky.ts';
import { flowMwh, limitMwh, MWH_PER_KWH, type CounterDay, type CounterLimits } from './counter.ts';

/** From this gap on, it counts that the sun does not shine all the time. */
const LONG_GAP_MS = 12 * HOUR_MS;
/** Gaps of up to this length are followed along the course of the sun. */
const FOLLOWED_MS = 3 * DAY_MS;
/** The most that modules receive in 24 hours under a clear sky, anywhere and at any time of the year, in hours at peak power; and in an hour. */
const [DAY_AT_MOST, HOUR_AT_MOST] = [9.1, 1.1] as const;

/** Maximum growth of a counter between two instants, mWh: what its power allows, and in a long gap what the sun can have given. */
export function growthLimit(
  { limitW, sunW }: CounterLimits,
  { position }: CounterDay,
  fromAt: number,
  toAt: number,
): number {
  const elapsedMs = toAt - fromAt;
  const atMost = limitMwh(limitW, elapsedMs);
  if (sunW === undefined || elapsedMs < LONG_GAP_MS) return atMost;
  const { latitude = null, longitude = null } = position ?? {};
  const hours =
    latitude !== null && longitude !== null && elapsedMs <= FOLLOWED_MS
      ? clearSkyHours({ latitude, longitude }, fromAt, toAt)
      : hoursAnywhere(elapsedMs);
  return Math.min(atMost, flowMwh(sunW, hours * HOUR_MS) + MWH_PER_KWH);
}

function hoursAnywhere(elapsedMs: number): number {
  const rest = elapsedMs % DAY_MS;
  return (
    Math.floor(elapsedMs / DAY_MS) * DAY_AT_MOST +
    Math.min(DAY_AT_MOST, (rest / HOUR_MS) * HOUR_AT_MOST)
  );
}
