import { MINUTE_MS } from '@helioport/contract/durations';
import type { LocalTime } from './local-time.ts';
import { hashed, smoothNoise } from './noise.ts';
import type { LoadSpecification } from './specification.ts';

/** A bell curve over the minutes of the day. */
const peak = (minute: number, centre: number, width: number): number =>
  Math.exp(-(((minute - centre) / width) ** 2));

/** Consumption of the house, whole watts: a base load, a morning and an evening peak in local time, and appliances in between. */
export function loadAt(
  { baseW, morningPeakW, eveningPeakW }: LoadSpecification,
  seed: number,
  at: number,
  { day, minute, weekday }: LocalTime,
): number {
  const weekend = weekday === 0 || weekday === 6;
  const habit = 0.8 + 0.4 * hashed(seed + 20, day);
  const morning = morningPeakW * peak(minute, weekend ? 9.5 * 60 : 7.2 * 60, 55);
  const evening = eveningPeakW * peak(minute, 19 * 60, 100);
  const noon = (weekend ? 0.35 : 0.12) * eveningPeakW * peak(minute, 12.75 * 60, 60);
  const appliance = smoothNoise(seed + 21, at, 25 * MINUTE_MS) > 0.82 ? 1.5 * baseW : 0;
  const flicker = 0.85 + 0.3 * smoothNoise(seed + 22, at, 7 * MINUTE_MS);
  return Math.round((baseW + habit * (morning + evening + noon) + appliance) * flicker);
}
