import { quantities, type QuantityName, type Values } from '@helioport/contract/quantities';

/** No device of a house is larger; a device whose rating is known is judged by that instead. */
const POWER_AT_MOST_W = 1_000_000;

/** The values that can be, and how many others there were. A total of 0 is what a device shows before it knows it. */
export function judged(values: Values): { readonly values: Values; readonly dropped: number } {
  const kept: { [Name in QuantityName]?: number } = {};
  let dropped = 0;
  for (const [name, value] of Object.entries(values) as [QuantityName, number][]) {
    if (name.endsWith('TotalKwh') && value === 0) continue;
    const { bounds } = quantities.get(name)!;
    const [atLeast, atMost] = bounds === 'power' ? [-POWER_AT_MOST_W, POWER_AT_MOST_W] : bounds;
    if (value >= atLeast && value <= atMost) kept[name] = value;
    else dropped++;
  }
  return { values: kept, dropped };
}
