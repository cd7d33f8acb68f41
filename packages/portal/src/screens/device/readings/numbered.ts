import type { Device } from '../device.ts';

/** One string of modules, or one phase, as reported. */
export interface Numbered {
  readonly number: number;
  readonly voltageV: number | undefined;
  readonly currentA: number | undefined;
  readonly powerW: number | undefined;
}

type Figures = Readonly<Record<string, unknown>>;

const figure = (record: Figures, key: string): number | undefined => {
  const value = record[key];
  return typeof value === 'number' ? value : undefined;
};

const STRINGS = 32;

const isMeasured = ({ voltageV, currentA, powerW }: Numbered): boolean =>
  [voltageV, currentA, powerW].some((value) => (value ?? 0) !== 0);

/** The strings in a reading of an inverter, dead ones included: as many as it has inputs, and at least up to the last one on which something is measured. */
export function stringsOf(record: Figures): readonly Numbered[] {
  const all = Array.from({ length: STRINGS }, (_, i) => {
    const [voltageV, currentA, powerW] = [`uPv${i + 1}`, `iPv${i + 1}`, `pow${i + 1}`].map((key) =>
      figure(record, key),
    );
    const product =
      voltageV === undefined || currentA === undefined ? undefined : voltageV * currentA;
    return { number: i + 1, voltageV, currentA, powerW: powerW ?? product };
  });
  return all.slice(
    0,
    Math.max(all.findLastIndex(isMeasured) + 1, (figure(record, 'dcInputType') ?? -1) + 1),
  );
}

const PHASE_KEYS: Readonly<
  Partial<Record<Device['kind'], (phase: 1 | 2 | 3) => readonly [string, string, string]>>
> = {
  inverter: (phase) => [`uAc${phase}`, `iAc${phase}`, `p${'ABC'[phase - 1]}`],
  epm: (phase) => [`uAc${phase}`, `iAc${phase}`, `pAc${phase}`],
  ammeter: (phase) => [`u${'ABC'[phase - 1]}`, `i${'ABC'[phase - 1]}`, `p${'ABC'[phase - 1]}`],
};

/** The phases on which something is measured. */
export function phasesOf({ kind, record }: Device): readonly Numbered[] {
  const keysOf = PHASE_KEYS[kind];
  if (!keysOf) return [];
  return ([1, 2, 3] as const)
    .map((number) => {
      const [voltageV, currentA, powerW] = keysOf(number).map((key) => figure(record, key));
      return { number, voltageV, currentA, powerW };
    })
    .filter(isMeasured);
}

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
