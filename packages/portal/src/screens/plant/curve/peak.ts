import type { WireData } from '@helioport/contract';

/** The highest production of a day. */
export interface Peak {
  readonly watts: number;
  /** When, in ms since 1970 UTC. */
  readonly at: number;
}

/** The highest production in the rows of a day; undefined for a day on which nothing was produced. */
export function peakOf(rows: WireData<'stationDay'>): Peak | undefined {
  let peak: Peak | undefined;
  for (const { power, time } of rows)
    if (power && power > (peak?.watts ?? 0)) peak = { watts: power, at: time! };
  return peak;
}
