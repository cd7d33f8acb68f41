import type { Formats } from '../../../i18n/formats-of.ts';
import type { ChartBar, BarFact, BarSplit, Figures } from '../../../parts/charts/bars.ts';
import { textOfDay } from '../../../i18n/plant-time.ts';
import { ofAllLoads } from '../../../parts/loads.ts';
import type { Texts } from '../texts/en.ts';
import type { EnergyTableRow } from './energy-rows.ts';
import { daysOf, type Length } from './period.ts';
import { splitOf, type Split } from './split.ts';

type Amount = (row: EnergyTableRow) => number | undefined;

/** The amounts of money of a period. */
const MONEY = {
  /** Saved and received together, where both are known. */
  worth: ({ worth, worthOf }) => (worthOf === 'savedAndSold' ? worth : undefined),
  saved: ({ saved }) => saved,
  sold: ({ exportIncome }) => exportIncome,
  received: ({ exportIncome }) => exportIncome,
  paid: ({ importCost }) => importCost,
  /** A tariff for what was produced, wherever it went. */
  produced: ({ income }) => income,
} as const satisfies Record<string, Amount>;

export type Money = keyof typeof MONEY;

export const ENERGIES = {
  produced: ({ kwh }) => kwh.production,
  consumed: ({ kwh }) => ofAllLoads(kwh.load, kwh.backup),
  bought: ({ kwh }) => kwh.gridImport,
  sold: ({ kwh }) => kwh.gridExport,
  charged: ({ kwh }) => kwh.batteryCharge,
  discharged: ({ kwh }) => kwh.batteryDischarge,
} as const satisfies Record<string, Amount>;

export type Energy = keyof typeof ENERGIES;

interface FiguresRequest {
  readonly formats: Formats;
  readonly currency: string | undefined;
  /** The amounts that are read beside the bars. */
  readonly money: readonly Money[];
  readonly t: Texts['bars'];
}

interface BarsRequest extends FiguresRequest {
  readonly rows: readonly EnergyTableRow[];
  readonly length: Length;
  /** A day of the period. */
  readonly day: string;
  /** The first day of the record, before which a year has no bars. */
  readonly firstDay: string | undefined;
}

/** The bars of a week, a month, a year or all years: one for every period, also for those without readings. */
export function barsOf(request: BarsRequest): ChartBar[] {
  const { rows, length, formats } = request;
  const byKey = new Map(rows.map((row) => [keyOf(row, length), row]));
  return keysOf(request).map((key) => {
    const row = byKey.get(key);
    return { key, ...namesOf(key, length, formats), ...figuresOf(row ? [row] : [], request) };
  });
}

/** The energies and amounts of several rows together, such as those of a whole month. */
export function figuresOf(
  rows: readonly EnergyTableRow[],
  { formats, currency, money, t }: FiguresRequest,
): Figures {
  const facts = money.flatMap((key): BarFact[] => {
    const amount = sum(rows.map((row) => MONEY[key](row)));
    return amount === undefined
      ? []
      : [
          {
            label: t.amounts[key],
            text: formats.money(amount, currency),
            amount: rounded(amount, 2),
            unit: currency ?? '',
          },
        ];
  });
  const pairs = (whole: Energy, grid: Energy) =>
    splitOf(rows.map((row) => [ENERGIES[whole](row), ENERGIES[grid](row)]));
  const split = (
    label: string,
    of: Split | undefined,
    own: BarSplit['own'],
    grid: BarSplit['grid'],
  ): BarSplit[] => (of ? [{ ...of, label, own, grid }] : []);
  return {
    kwh: Object.fromEntries(
      Object.entries(ENERGIES).map(([key, of]) => {
        const kwh = sum(rows.map(of));
        return [key, kwh === undefined ? undefined : rounded(kwh, 3)];
      }),
    ),
    facts,
    splits: [
      ...split(
        t.selfUse,
        pairs('produced', 'sold'),
        [t.used, '--hp-production'],
        [t.sold, '--hp-grid'],
      ),
      ...split(
        t.selfSufficiency,
        pairs('consumed', 'bought'),
        [t.own, '--hp-consumption'],
        [t.bought, '--hp-import'],
      ),
    ],
  };
}

/** The sum of what is known; undefined if nothing is. */
function sum(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, figure) => total + figure, 0);
}

/** Files show no more decimals than meters have, and cents. */
const rounded = (figure: number, decimals: number): number =>
  Math.round(figure * 10 ** decimals) / 10 ** decimals;

/** How much of a day `2026-11-06` names a period. */
const KEY_LENGTHS = { week: 10, days: 10, months: 7, years: 4 } as const;

const keyOf = ({ day }: EnergyTableRow, length: Length): string =>
  textOfDay(day).slice(0, KEY_LENGTHS[length]);

function keysOf({ rows, length, day, firstDay = '' }: BarsRequest): string[] {
  if (length === 'years') return rows.map((row) => keyOf(row, length)).toSorted();
  if (length !== 'months') return daysOf(length, day);
  const months = Array.from(
    { length: 12 },
    (_, i) => `${day.slice(0, 4)}-${String(i + 1).padStart(2, '0')}`,
  );
  return months.filter((month) => month >= firstDay.slice(0, 7));
}

function namesOf(key: string, length: Length, formats: Formats): Pick<ChartBar, 'label' | 'short'> {
  if (length === 'years') return { label: key, short: key };
  if (length === 'months') return { label: formats.month(key), short: formats.shortMonth(key) };
  return {
    label: formats.day(key),
    short: length === 'week' ? formats.weekday(key) : String(Number(key.slice(8))),
  };
}
