import type { DayRow } from './series.ts';

/** A day as it is stored. */
export interface StoredDay {
  readonly binding: number;
  readonly day: number;
  readonly lastAt: number;
  readonly state: Uint8Array;
}

interface Known {
  readonly stored: StoredDay;
  readonly row: DayRow;
}

const BINDINGS_AT_MOST = 10_000;

/**
 * Decodes the newest days of bindings, by binding; a day with the bytes that it had last time is the same object, so that
 * what was made from it still holds. Nobody may change these rows.
 */
export function createRememberedDays(): (
  stored: readonly StoredDay[],
  decode: (rows: readonly StoredDay[]) => Promise<DayRow[]>,
) => Promise<Map<number, DayRow>> {
  const known = new Map<number, Known>();

  const remember = (stored: StoredDay, row: DayRow): void => {
    known.delete(stored.binding);
    known.set(stored.binding, { stored, row });
    if (known.size > BINDINGS_AT_MOST) known.delete(known.keys().next().value!);
  };

  return async (stored, decode) => {
    const rows = new Map<number, DayRow>();
    const changed: StoredDay[] = [];
    for (const day of stored) {
      const before = known.get(day.binding);
      if (before && isSame(before.stored, day)) rows.set(day.binding, before.row);
      else changed.push(day);
    }
    if (changed.length === 0) return rows;
    for (const [i, row] of (await decode(changed)).entries()) {
      remember(changed[i]!, row);
      rows.set(row.binding, row);
    }
    return rows;
  };
}

const isSame = (a: StoredDay, b: StoredDay): boolean => a.day === b.day && a.lastAt === b.lastAt && Buffer.compare(a.state, b.state) === 0;
