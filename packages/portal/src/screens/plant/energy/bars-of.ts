import type { Formats } from '../../../i18n/formats-of.ts';
import { addDays } from '../../../i18n/plant-time.ts';
import type { Bar, BarFact } from '../../../parts/charts/energy-bars.tsx';
import type { EnergyRow, Length } from './energy-rows.ts';

/** The amounts of money of a period. */
const MONEY = {
  earned: ({ money }: EnergyRow) => money,
  paid: ({ gridPurchasedIncome }: EnergyRow) => gridPurchasedIncome,
  received: ({ gridSellIncome }: EnergyRow) => gridSellIncome,
} as const;

export type Money = keyof typeof MONEY;

const ENERGIES = {
  produced: ({ energy }: EnergyRow) => energy,
  consumed: ({ consumeEnergy }: EnergyRow) => consumeEnergy,
  bought: ({ gridPurchasedEnergy }: EnergyRow) => gridPurchasedEnergy,
  sold: ({ gridSellEnergy }: EnergyRow) => gridSellEnergy,
  charged: ({ batteryChargeEnergy }: EnergyRow) => batteryChargeEnergy,
  discharged: ({ batteryDischargeEnergy }: EnergyRow) => batteryDischargeEnergy,
} as const;

export type Energy = keyof typeof ENERGIES;

interface BarsRequest {
  readonly rows: readonly EnergyRow[];
  readonly length: Length;
  readonly month: string;
  readonly formats: Formats;
  readonly currency: string | undefined;
  /** The amounts that are read beside the bars, with their names. */
  readonly money: readonly (readonly [Money, string])[];
}

/** The bars of a month, a year or all years: one for every period, also for those without readings. */
export function barsOf(request: BarsRequest): Bar[] {
  const { rows, length, month, formats } = request;
  const byKey = new Map(rows.map((row) => [keyOf(row, length), row]));
  return keysOf(rows, length, month).map((key) => {
    const row = byKey.get(key);
    return { key, ...namesOf(key, length, formats), ...figuresOf(row ? [row] : [], request) };
  });
}

/** The energies and amounts of several rows together, such as those of a whole month. */
export function figuresOf(
  rows: readonly EnergyRow[],
  { formats, currency, money }: Pick<BarsRequest, 'formats' | 'currency' | 'money'>,
): Pick<Required<Bar>, 'kwh' | 'facts'> {
  const facts = money.flatMap(([key, label]): BarFact[] => {
    const amount = sum(rows.map(MONEY[key]));
    return amount === undefined ? [] : [{ label, text: formats.money(amount, currency), amount, unit: currency ?? '' }];
  });
  return { kwh: Object.fromEntries(Object.entries(ENERGIES).map(([key, of]) => [key, sum(rows.map(of))])), facts };
}

/** The sum of what is known; undefined if nothing is. */
function sum(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, figure) => total + figure, 0);
}

function keyOf(row: EnergyRow, length: Length): string {
  if (length === 'years') return 'year' in row ? String(row.year) : '';
  const date = 'dateStr' in row ? (row.dateStr ?? '') : '';
  return length === 'days' ? date : date.slice(0, 7);
}

function keysOf(rows: readonly EnergyRow[], length: Length, month: string): string[] {
  if (length === 'years') return rows.map((row) => keyOf(row, length)).toSorted();
  if (length === 'months') return Array.from({ length: 12 }, (_, i) => `${month.slice(0, 4)}-${String(i + 1).padStart(2, '0')}`);
  const first = `${month}-01`;
  return Array.from({ length: 31 }, (_, i) => addDays(first, i)).filter((day) => day.startsWith(month));
}

function namesOf(key: string, length: Length, formats: Formats): Pick<Bar, 'label' | 'short'> {
  if (length === 'years') return { label: key, short: key };
  if (length === 'months') return { label: formats.month(key), short: formats.shortMonth(key) };
  return { label: formats.day(key), short: String(Number(key.slice(8))) };
}
