import type { WireData } from '@helioport/contract';

/** Which share of a day's production its readings show up to an instant, 0 to 1; undefined for a day on which nothing was produced. */
export function productionUntil(
  { times, values: { acPowerW = [] } }: Pick<WireData<'plant/day'>, 'times' | 'values'>,
  until: number,
): number | undefined {
  let [before, all] = [0, 0];
  for (const [i, at] of times.entries()) {
    const next = times[i + 1];
    if (next === undefined) break;
    const energy = (((acPowerW[i] ?? 0) + (acPowerW[i + 1] ?? 0)) / 2) * (next - at);
    all += energy;
    if (next <= until) before += energy;
  }
  return all > 0 ? before / all : undefined;
}
