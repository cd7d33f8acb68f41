import type { HistoryDoubts } from './account.ts';

/** An object of an answer, of which nothing is known. */
export type ForeignRow = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is ForeignRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; anything else counts as none. */
export const rowsIn = (value: unknown): ForeignRow[] =>
  Array.isArray(value) ? value.filter(isRow) : [];

export const rowOf = (value: unknown): ForeignRow => (isRow(value) ? value : {});

const TEXT_AT_MOST = 100;

/** A text that is not empty; digits may be a number. */
export function textIn(row: ForeignRow, name: string): string | undefined {
  const value = row[name];
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const shown = text.trim().slice(0, TEXT_AT_MOST);
  return shown === '' ? undefined : shown;
}

/** A finite number, which may be written as text. */
export function answeredNumber(value: unknown): number | undefined {
  const number =
    typeof value === 'string' && value.trim() !== ''
      ? Number(value)
      : typeof value === 'number'
        ? value
        : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

const FACTORS: Readonly<Record<'kWh' | 'W', Readonly<Record<string, number>>>> = {
  kWh: { wh: 0.001, kwh: 1, mwh: 1e3, gwh: 1e6 },
  W: { w: 1, kw: 1e3, mw: 1e6, gw: 1e9 },
};

/** An amount, and the smallest step that its unit can show with three decimals. */
export interface Amount {
  readonly value: number;
  readonly step: number;
}

/**
 * An amount in a wanted unit. Its own unit is named beside it; `...Pec` is what it is multiplied by to be in that unit. Without a unit, it is in `unit`.
 */
export function amountIn(
  row: ForeignRow,
  name: string,
  unit: 'kWh' | 'W',
  doubts: HistoryDoubts,
): Amount | undefined {
  const value = answeredNumber(row[name]);
  if (value === undefined) {
    if (row[name] !== undefined && row[name] !== null && row[name] !== '')
      doubts.add(`${name} is no number`);
    return undefined;
  }
  const written = textIn(row, `${name}Str`) ?? unit;
  const factor = FACTORS[unit][written.toLowerCase()];
  if (factor === undefined) {
    doubts.add(`${name} is in the unknown unit ${JSON.stringify(written)}`);
    return undefined;
  }
  const multiplier = answeredNumber(row[`${name}Pec`]) ?? 1;
  if (!(multiplier > 0)) {
    doubts.add(`${name} has an impossible multiplier`);
    return undefined;
  }
  return { value: value * multiplier * factor, step: 0.001 * factor };
}
