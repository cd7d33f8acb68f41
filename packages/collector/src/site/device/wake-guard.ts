import type { QuantityName, Values } from '@helioport/contract';

/** A device that was silent for this long has slept. */
const ASLEEP_MS = 300_000;
/** For this long after it has woken up, its counters may show what they showed before it had read its memory. */
const WAKING_MS = 60_000;

export type Counters = { readonly [Name in QuantityName]?: number };

/** Leaves out what a device shows while it wakes up and that is below what its counters have shown before. */
export interface WakeGuard {
  /** The counters so far, to be kept for the next start. */
  readonly counters: Counters;
  filter(values: Values, at: number): { readonly values: Values; readonly dropped: number };
}

export function createWakeGuard(known: Counters = {}): WakeGuard {
  const counters: { [Name in QuantityName]?: number } = { ...known };
  let lastAt = -Infinity;
  let wokeAt = -Infinity;
  return {
    counters,
    filter(values, at) {
      if (at - lastAt > ASLEEP_MS) wokeAt = at;
      lastAt = at;
      const isWaking = at - wokeAt < WAKING_MS;
      const kept: { [Name in QuantityName]?: number } = {};
      let dropped = 0;
      for (const [name, value] of Object.entries(values) as [QuantityName, number][]) {
        const before = name.endsWith('Kwh') ? counters[name] : undefined;
        if (isWaking && before !== undefined && value < before) {
          dropped++;
          continue;
        }
        kept[name] = value;
        if (name.endsWith('Kwh')) counters[name] = value;
      }
      return { values: kept, dropped };
    },
  };
}
