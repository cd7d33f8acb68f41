import type { WireData } from '@helioport/contract';

/** Which share of a day's production its readings show up to an instant, 0 to 1; undefined for a day on which nothing was produced. */
export function productionUntil(rows: WireData<'stationDay'>, until: number): number | undefined {
  let [before, all] = [0, 0];
  for (const [i, { power = 0, time = 0 }] of rows.entries()) {
    const next = rows[i + 1];
    if (!next) break;
    const energy = ((power + (next.power ?? 0)) / 2) * (next.time! - time);
    all += energy;
    if (next.time! <= until) before += energy;
  }
  return all > 0 ? before / all : undefined;
}
