import type { Values } from '@helioport/contract';
import type { DaySample } from '../energy/day-state.ts';
import type { StoredReading } from './telemetry.ts';

/** How many rows a chart has at most; a day with more samples is read in pieces. */
export const CHART_ROWS = 2_880;
const CHART_SLOT_MS = 30_000;

/** A stored sample as a reading, with values by name of the quantity. */
export function readingOf({ at, fields, values }: DaySample): StoredReading {
  const named: { -readonly [Name in keyof Values]: Values[Name] } = {};
  for (const [i, name] of fields.names.entries())
    if (!Number.isNaN(values[i]!)) named[name] = values[i]!;
  return { at, values: named };
}

/** The rows of a chart, made one by one. */
export interface Thinning<Row> {
  /** Adds the row of an instant, later than all before. It is made when the next one is added, or at the end, if at all. */
  add(at: number, make: () => Row): void;
  end(): Row[];
}

/**
 * Thins out the rows of a chart as they come, so that few are made and held. Up to 2,880 rows are kept as they are. If there are more, only the last one
 * of each 30 s is kept; if the span is longer than a day, the slots are longer than 30 s.
 */
export function createThinning<Row extends { readonly at: number }>(
  fromAt: number,
  toAt: number,
): Thinning<Row> {
  const slotMs = Math.max(CHART_SLOT_MS, Math.ceil((toAt - fromAt) / CHART_ROWS));
  const slotOf = (at: number): number => Math.floor((at - fromAt) / slotMs);
  let rows: Row[] = [];
  let count = 0;
  let last: { readonly at: number; readonly make: () => Row } | undefined;
  const isThin = (): boolean => count > CHART_ROWS;

  /** Makes the last row, unless one in the same slot follows. */
  function settle(nextAt: number): void {
    if (!last || (isThin() && slotOf(nextAt) === slotOf(last.at))) return;
    const before = rows.at(-1);
    if (isThin() && before && slotOf(before.at) === slotOf(last.at)) rows.pop();
    rows.push(last.make());
  }

  return {
    add(at, make) {
      count += 1;
      settle(at);
      if (count === CHART_ROWS + 1)
        rows = rows.filter((row, i) => slotOf(row.at) !== slotOf(rows[i + 1]?.at ?? at));
      last = { at, make };
    },
    end() {
      settle(Number.POSITIVE_INFINITY);
      return rows;
    },
  };
}
