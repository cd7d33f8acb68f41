import { HOUR_MS } from '@helioport/contract/durations';
import { sunElevation } from '../../fleet/devices/daylight.ts';
import type { SunObserver } from '../../fleet/devices/sun.ts';
import { createCache } from '../../platform/kernel/cache.ts';

const STEP_MS = 600_000;
/** Tilts of modules that face the equator, degrees. */
const TILTS = [0, 30, 60, 90];
// A cloudless sky, W/m². Source: Haurwitz 1945.
const [BEAM, PER_AIR_MASS] = [1098, 0.059] as const;

const heightOf = (elevationDegrees: number): number => Math.sin((elevationDegrees * Math.PI) / 180);

/** Irradiance on level ground under a cloudless sky, W/m². */
export function clearSkyWm2(elevationDegrees: number): number {
  const height = heightOf(elevationDegrees);
  return height <= 0 ? 0 : BEAM * height * Math.exp(-PER_AIR_MASS / height);
}

// Cached because all inverters of a plant ask for the same days.
const known = createCache<string, number>(1_000);

/** The light that modules receive in a period under a cloudless sky, at the best tilt for that period, as the equivalent number of hours at peak power. */
export function clearSkyHours(place: SunObserver, fromAt: number, toAt: number): number {
  const key = `${place.latitude} ${place.longitude} ${fromAt} ${toAt}`;
  let hours = known.get(key);
  if (hours === undefined) known.set(key, (hours = computed(place, fromAt, toAt)));
  return hours;
}

function computed({ latitude, longitude }: SunObserver, fromAt: number, toAt: number): number {
  const sums = TILTS.map(() => 0);
  for (let at = fromAt; at < toAt; at += STEP_MS) {
    const stepMs = Math.min(STEP_MS, toAt - at);
    const middle = at + stepMs / 2;
    const height = heightOf(sunElevation(latitude, longitude, middle));
    if (height <= 0) continue;
    const beam = BEAM * Math.exp(-PER_AIR_MASS / height) * stepMs;
    for (const [i, tilt] of TILTS.entries()) {
      // A module that is tilted towards the equator is parallel to level ground that many degrees of latitude closer to the equator.
      const lean = latitude < 0 ? latitude + tilt : latitude - tilt;
      sums[i]! += beam * Math.max(0, heightOf(sunElevation(lean, longitude, middle)));
    }
  }
  return Math.max(...sums) / 1000 / HOUR_MS;
}
