import { quantities, type QuantityName, type Values } from '@helioport/contract/quantities';

/** Units of what has a mean; of counters, states and shares, the last value counts. */
const MEAN_UNITS: ReadonlySet<string> = new Set(['W', 'Var', 'VA', 'V', 'A', 'mA', 'Hz', 'W/m²']);

const isMean = (name: QuantityName): boolean => MEAN_UNITS.has(quantities.get(name)!.unit);

interface Entry {
  sum: number;
  count: number;
  last: number;
}

/** What a device measured since its last report. */
export interface Minute {
  add(values: Values, at: number): void;
  /** The means and the last values, with the time of the last measurement; undefined if there was none. Begins anew. */
  take(): { readonly at: number; readonly values: Values } | undefined;
}

export function createMinute(): Minute {
  let entries = new Map<QuantityName, Entry>();
  let lastAt = 0;
  return {
    add(values, at) {
      lastAt = Math.max(lastAt, at);
      for (const [name, value] of Object.entries(values) as [QuantityName, number][]) {
        const entry = entries.get(name) ?? { sum: 0, count: 0, last: value };
        entry.sum += value;
        entry.count += 1;
        entry.last = value;
        entries.set(name, entry);
      }
    },
    take() {
      if (entries.size === 0) return undefined;
      const values: { [Name in QuantityName]?: number } = {};
      for (const [name, { sum, count, last }] of entries)
        values[name] = isMean(name) ? Math.round((sum / count) * 1000) / 1000 : last;
      const at = lastAt;
      [entries, lastAt] = [new Map(), 0];
      return { at, values };
    },
  };
}
