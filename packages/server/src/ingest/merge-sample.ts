import type { QuantityName } from '@helioport/contract';
import type { Sample } from '../energy/day-state.ts';
import { inStoredOrder } from '../energy/field-list.ts';
import type { FieldLists } from '../series/field-lists.ts';

/** Field lists that must be made before a transaction can go on; it is begun again after that. */
export class FieldListsWanted extends Error {
  readonly names: readonly QuantityName[];
  constructor(names: readonly QuantityName[]) {
    super('a field list is wanted');
    this.names = names;
  }
}

/**
 * What a sample becomes by a reading of the same instant: other quantities are added, other values replace.
 * The same sample when the reading says nothing new.
 * @throws FieldListsWanted
 */
export function mergeSample(sample: Sample, reading: Sample, fieldLists: FieldLists): Sample {
  const values = new Map<QuantityName, number>();
  for (const { fields, values: given } of [sample, reading]) {
    for (const [i, name] of fields.names.entries()) if (!Number.isNaN(given[i]!)) values.set(name, given[i]!);
  }
  const names = inStoredOrder([...values.keys()]);
  const fields = fieldLists.find(names);
  if (!fields) throw new FieldListsWanted(names);
  const merged = { at: sample.at, fields, values: Float64Array.from(fields.names, (name) => values.get(name) ?? Number.NaN) };
  return sameValues(sample, merged) ? sample : merged;
}

function sameValues(a: Sample, b: Sample): boolean {
  return a.fields === b.fields && a.values.every((value, i) => value === b.values[i] || (Number.isNaN(value) && Number.isNaN(b.values[i])));
}

/** Samples after some readings were taken in, and how many of the readings were new or changed something. */
export interface Merged {
  readonly changed: readonly Sample[];
  readonly news: number;
}

/** Takes in readings ascending by time; of those of one instant a later one wins. Throws FieldListsWanted. */
export function mergeReadings(stored: ReadonlyMap<number, Sample>, readings: readonly Sample[], fieldLists: FieldLists): Merged {
  const changed: Sample[] = [];
  let news = 0;
  for (const reading of readings) {
    const last = changed.at(-1);
    const again = last?.at === reading.at;
    const known = again ? last : stored.get(reading.at);
    const merged = known ? mergeSample(known, reading, fieldLists) : reading;
    if (merged === known) continue;
    news += 1;
    if (again) changed[changed.length - 1] = merged;
    else changed.push(merged);
  }
  return { changed, news };
}
