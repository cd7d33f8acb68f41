import type { Values } from '@helioport/contract';
import type { Sample } from '../energy/day-state.ts';
import type { StoredReading } from './telemetry.ts';

const CHART_ROWS = 2_880;
const CHART_SLOT_MS = 30_000;

/** A stored sample as a reading, with values by name of the quantity. */
export function readingOf({ at, fields, values }: Sample): StoredReading {
  const named: { -readonly [Name in keyof Values]: Values[Name] } = {};
  for (const [i, name] of fields.names.entries())
    if (!Number.isNaN(values[i]!)) named[name] = values[i]!;
  return { at, values: named };
}

/**
 * Thins out rows for a chart. Up to 2,880 rows are kept as they are. If there are more, only the last one of each 30 s is kept; if the span is longer
 * than a day, the slots are longer than 30 s.
 */
export function downsample<Row extends { readonly at: number }>(
  rows: readonly Row[],
  fromAt: number,
  toAt: number,
): Row[] {
  if (rows.length <= CHART_ROWS) return [...rows];
  const slotMs = Math.max(CHART_SLOT_MS, Math.ceil((toAt - fromAt) / CHART_ROWS));
  const slotOf = (row: Row): number => Math.floor((row.at - fromAt) / slotMs);
  return rows.filter((row, i) => i === rows.length - 1 || slotOf(rows[i + 1]!) !== slotOf(row));
}
