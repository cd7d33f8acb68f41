import type { WireData } from '@helioport/contract';

/** The highest production of a day. */
export interface Peak {
  readonly watts: number;
  /** When, in ms since 1970 UTC. */
  readonly at: number;
}

/** The highest production of a day up to an instant; undefined where nothing was produced. */
export function dayPeakOf(
  { times, values: { acPowerW = [] } }: WireData<'plant/day'>,
  until = Infinity,
): Peak | undefined {
  let peak: Peak | undefined;
  for (const [i, at] of times.entries()) {
    const watts = acPowerW[i] ?? 0;
    if (at <= until && watts > (peak?.watts ?? 0)) peak = { watts, at };
  }
  return peak;
}
