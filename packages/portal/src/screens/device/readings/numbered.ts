import type { QuantityName } from '@helioport/contract';
import type { DeviceValues } from '../device.ts';

/** One string of modules, or one phase, as reported. */
export interface Numbered {
  readonly number: number;
  readonly voltageV: number | undefined;
  readonly currentA: number | undefined;
  readonly powerW: number | undefined;
}

type Keys = readonly [voltage: QuantityName, current: QuantityName, power: QuantityName];

/** The quantities of each string that an inverter may have, from 1. */
export const stringKeys = Array.from({ length: 32 }, (_, i): Keys => [
  `dcVoltage${i + 1}V`,
  `dcCurrent${i + 1}A`,
  `dcPower${i + 1}W`,
]);

const phaseKeys = [1, 2, 3].map((i): Keys => [`acVoltage${i}V`, `acCurrent${i}A`, `acPower${i}W`]);

const numberedOf = (values: DeviceValues, keys: readonly Keys[]): readonly Numbered[] =>
  keys.map(([voltage, current, power], i) => ({
    number: i + 1,
    voltageV: values[voltage],
    currentA: values[current],
    powerW: values[power],
  }));

const isMeasured = ({ voltageV, currentA, powerW }: Numbered): boolean =>
  [voltageV, currentA, powerW].some((value) => (value ?? 0) !== 0);

/** The strings in a reading of an inverter, dead ones included: as many as it has inputs, and at least up to the last one on which something is measured. */
export function stringsOf(values: DeviceValues, inputs = 0): readonly Numbered[] {
  const all = numberedOf(values, stringKeys).map((one) => {
    const { voltageV, currentA, powerW } = one;
    const product =
      voltageV === undefined || currentA === undefined ? undefined : voltageV * currentA;
    return { ...one, powerW: powerW ?? product };
  });
  return all.slice(0, Math.max(all.findLastIndex(isMeasured) + 1, inputs));
}

/** The phases on which something is measured. */
export const phasesOf = (values: DeviceValues): readonly Numbered[] =>
  numberedOf(values, phaseKeys).filter(isMeasured);

/** By how much a string must be below the others to stand out; of two strings, which may lie on different roofs, only one that is all but dead. */
const ODD_BELOW = 0.7;
const ODD_OF_TWO_BELOW = 0.1;
/** In weak light, strings differ for many reasons. */
export const COMPARED_FROM_W = 100;

/** The power of the strongest string, W. */
export const strongestW = (strings: readonly Numbered[]): number =>
  Math.max(0, ...strings.map(({ powerW }) => powerW ?? 0));

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** How much less a string gives than the others do, in percent; undefined if it does not stand out. */
export function belowOthersPercent(
  strings: readonly Numbered[],
  string: Numbered,
): number | undefined {
  const others = strings.filter((one) => one !== string).map(({ powerW }) => powerW ?? 0);
  if (others.length === 0) return undefined;
  const usual = median(others);
  const share = (string.powerW ?? 0) / usual;
  return usual >= COMPARED_FROM_W && share < (others.length === 1 ? ODD_OF_TWO_BELOW : ODD_BELOW)
    ? Math.round((1 - share) * 100)
    : undefined;
}
