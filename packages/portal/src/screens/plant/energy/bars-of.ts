import type { Formats } from '../../../i18n/formats-of.ts';
import { addDays } from '../../../i18n/plant-time.ts';
import type { Bar } from '../../../parts/charts/energy-bars.tsx';
import type { EnergyRow, Length } from './energy-rows.ts';

interface BarsRequest {
  readonly rows: readonly EnergyRow[];
  readonly length: Length;
  readonly month: string;
  readonly formats: Formats;
  readonly currency: string | undefined;
  /** The name of what a period earned. */
  readonly earned: string;
}

/** The bars of a month, a year or all years: one for every period, also for those without readings. */
export function barsOf({ rows, length, month, formats, currency, earned }: BarsRequest): Bar[] {
  const byKey = new Map(rows.map((row) => [keyOf(row, length), row]));
  return keysOf(rows, length, month).map((key) => {
    const row = byKey.get(key);
    return {
      key,
      ...namesOf(key, length, formats),
      kwh: {
        produced: row?.energy,
        consumed: row?.consumeEnergy,
        bought: row?.gridPurchasedEnergy,
        sold: row?.gridSellEnergy,
        charged: row?.batteryChargeEnergy,
        discharged: row?.batteryDischargeEnergy,
      },
      ...(row?.money !== undefined && { facts: [{ label: earned, text: formats.money(row.money, currency), amount: row.money, unit: currency ?? '' }] }),
    };
  });
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
