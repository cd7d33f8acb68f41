import { DAY_MS } from '@helioport/contract/durations';
import { daysOfMonth, monthOf, wallOfDay } from '../../platform/calendar/plant-calendar.ts';
import { clearSkyHours } from '../../measurements/energy/clear-sky.ts';

/**
 * What is to be expected of a plant in a year, kWh: what was expected on the days that are known, in relation to what a cloudless sky gives in their
 * months and in all of them.
 */
export function energyOfYear(
  latitude: number | null,
  longitude: number | null,
  days: readonly { readonly day: number; readonly expectedKwh: number }[],
): number {
  if (days.length === 0) return 0;
  // A plant whose position was taken away has losses from before.
  const place = { latitude: latitude ?? 45, longitude: longitude ?? 0 };
  const year = Math.trunc(days.at(-1)!.day / 10_000);
  const weights = Array.from({ length: 12 }, (_, i) => {
    const from = wallOfDay(year * 10_000 + (i + 1) * 100 + 15);
    return clearSkyHours(place, from, from + DAY_MS);
  });
  const whole = weights.reduce(
    (sum, weight, i) => sum + weight * (daysOfMonth(year * 100 + i + 1).toDay % 100),
    0,
  );
  const known = days.reduce((sum, { day }) => sum + weights[(monthOf(day) % 100) - 1]!, 0);
  const expected = days.reduce((sum, { expectedKwh }) => sum + expectedKwh, 0);
  return (expected * whole) / known;
}
