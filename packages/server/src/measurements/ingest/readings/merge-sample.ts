import type { QuantityName } from '@helioport/contract';
import type { DaySample } from '../../energy/day-state.ts';
import { inStoredOrder } from '../../energy/field-list.ts';
import { settled, type FieldsOf } from './settle-fields.ts';

/**
 * Merges a reading into a sample of the same instant: new quantities are added, different values replace old ones.
 * Returns the same sample if the reading adds nothing new.
 */
export function mergeSample(sample: DaySample, reading: DaySample, fieldsOf: FieldsOf): DaySample {
  const values = new Map<QuantityName, number>();
  for (const { fields, values: given } of [sample, reading]) {
    for (const [i, name] of fields.names.entries())
      if (!Number.isNaN(given[i]!)) values.set(name, given[i]!);
  }
  if (hasValues(sample, values)) return sample;
  const fields = fieldsOf(inStoredOrder([...values.keys()]));
  return {
    at: sample.at,
    fields,
    values: Float64Array.from(fields.names, (name) => values.get(name) ?? Number.NaN),
  };
}

/** Whether a sample has these values and no others; NaN in its list stands for an absent one. */
function hasValues(
  { fields, values }: DaySample,
  wanted: ReadonlyMap<QuantityName, number>,
): boolean {
  let present = 0;
  for (const [i, name] of fields.names.entries()) {
    if (Number.isNaN(values[i]!)) continue;
    if (wanted.get(name) !== values[i]) return false;
    present += 1;
  }
  return present === wanted.size;
}

/** Samples after merging some readings, and how many of the readings were new or changed something. */
export interface Merged {
  readonly changed: readonly DaySample[];
  /** Stored samples to which readings added nothing. */
  readonly kept: readonly DaySample[];
  readonly news: number;
}

/** Merges readings, ascending by time, into the samples that `storedAt` finds; for equal instants, the later reading wins. */
export function mergeReadings(
  storedAt: (at: number) => DaySample | undefined,
  readings: readonly DaySample[],
  fieldsOf: FieldsOf,
): Merged {
  const changed: DaySample[] = [];
  const kept: DaySample[] = [];
  let news = 0;
  for (const reading of readings) {
    const last = changed.at(-1);
    const again = last?.at === reading.at;
    const known = again ? last : storedAt(reading.at);
    const merged = known ? mergeSample(known, reading, fieldsOf) : settled(reading, fieldsOf);
    if (merged === known) {
      if (!again) kept.push(merged);
      continue;
    }
    news += 1;
    if (again) changed[changed.length - 1] = merged;
    else changed.push(merged);
  }
  return { changed, kept, news };
}
