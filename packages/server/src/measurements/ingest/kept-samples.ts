import { MINUTE_MS } from '@helioport/contract/durations';
import type { DaySample } from '../energy/day-state.ts';

/** Counters of energy: kept on both sides of every fall, so that the growth between samples that are left stays what it was. */
const isCounter = (quantity: string): boolean => quantity.startsWith('energy');

/**
 * The samples of a day that are left when it is thinned, ascending: the first and the last, of every so many minutes the last with each list of quantities,
 * for each quantity those with its lowest and its highest value, and those before and after a counter has fallen.
 * @param samples all of the day, ascending
 */
export function keptSamples(samples: readonly DaySample[], minutes: number): DaySample[] {
  const kept = new Set<DaySample>(samples.length === 0 ? [] : [samples[0]!, samples.at(-1)!]);
  const slots = new Map<string, DaySample>();
  const extremes = new Map<string, { low: Seen; high: Seen; last: Seen }>();
  for (const sample of samples) {
    slots.set(`${Math.floor(sample.at / (minutes * MINUTE_MS))} ${sample.fields.id}`, sample);
    for (const [i, name] of sample.fields.names.entries()) {
      const value = sample.values[i]!;
      if (Number.isNaN(value)) continue;
      const seen = { sample, value };
      const known = extremes.get(name);
      if (!known) {
        extremes.set(name, { low: seen, high: seen, last: seen });
        continue;
      }
      if (value < known.low.value) known.low = seen;
      if (value > known.high.value) known.high = seen;
      if (isCounter(name) && value < known.last.value) kept.add(known.last.sample).add(sample);
      known.last = seen;
    }
  }
  for (const sample of slots.values()) kept.add(sample);
  for (const { low, high } of extremes.values()) kept.add(low.sample).add(high.sample);
  return [...kept].toSorted((a, b) => a.at - b.at);
}

interface Seen {
  readonly sample: DaySample;
  readonly value: number;
}
