import type { Db } from '../../platform/storage/database.ts';
import { NO_CARRY } from '../energy/day-state.ts';
import { END_OF_DAYS, LAST_MONTH, monthOf } from '../../platform/calendar/plant-calendar.ts';
import type { DayWorkspace } from './day-workspace.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import { carryFromMonths, isEmptyMonth, rebuildMonths } from '../series/sums.ts';

/** How the rows of a binding differ from what is stored. */
export interface Anew {
  readonly gone: { readonly days: readonly number[]; readonly months: readonly number[] };
  readonly days: readonly DayRow[];
  readonly months: readonly MonthRow[];
}

/**
 * Calculates the recalculated days as they are to be stored, and the months and sums that follow from them; only reads. `newest`: the binding's newest
 * day so far; `months`: its months, if they have been read.
 */
export async function calculateAnew(
  db: Db,
  series: Series,
  binding: number,
  newest: DayRow | undefined,
  shelf: DayWorkspace,
  months?: readonly MonthRow[],
): Promise<Anew> {
  if (newest) await shelf.find(newest.day);
  const carryBefore = newest?.state.carry;
  const open = await shelf.before(END_OF_DAYS);
  const changed = shelf.changed();
  const openDay = open?.day ?? 0;
  const closed = [...changed].flatMap(([day, state]) => (day < openDay || !state ? [day] : []));
  // Only the open day has changed: months and sums are those of the days before it.
  if (open && newest?.day === openDay && closed.length === 0 && carryBefore) {
    open.state.carry = carryBefore;
    return { gone: NOTHING, days: [{ binding, day: openDay, state: open.state }], months: [] };
  }
  if (newest && newest.day < openDay) closed.push(newest.day);
  // A closed day is open again if no later day is left.
  if (newest && newest.day > openDay) closed.push(openDay);
  const stored = months ?? (await series.months(db, [binding], 0, LAST_MONTH));
  const outdated = new Set(closed.filter((day) => day > 0).map(monthOf));
  const made = await rebuildMonths(shelf, binding, outdated, changed, openDay);
  if (newest && newest.day !== open?.day) {
    const former = shelf.peekDay(newest.day);
    if (former) former.carry = undefined;
  }
  if (open) {
    const last = await shelf.before(open.day);
    open.state.carry = last
      ? carryFromMonths(monthsUpTo(monthOf(last.day), stored, made), last)
      : NO_CARRY;
  }
  const days = [...shelf.changed()];
  return {
    gone: {
      days: days.flatMap(([day, state]) => (state ? [] : [day])),
      months: stored.flatMap(({ month }) =>
        made.some((one) => one.month === month && isEmptyMonth(one)) ? [month] : [],
      ),
    },
    days: days.flatMap(([day, state]) => (state ? [{ binding, day, state }] : [])),
    months: made.filter((row) => !isEmptyMonth(row)),
  };
}

const NOTHING: Anew['gone'] = { days: [], months: [] };

/** Stores recalculated days, and the months and sums that follow from them. */
export async function writeAnew(
  db: Db,
  series: Series,
  binding: number,
  newest: DayRow | undefined,
  shelf: DayWorkspace,
): Promise<void> {
  const { gone, days, months } = await calculateAnew(db, series, binding, newest, shelf);
  if (gone.days.length + gone.months.length > 0) await series.remove(db, binding, gone);
  await series.put(db, { days, months });
}

/** The months of a binding up to `last`, ascending. Recalculated months replace stored ones. */
function monthsUpTo(
  last: number,
  stored: readonly MonthRow[],
  made: readonly MonthRow[],
): MonthRow[] {
  const byMonth = new Map([...stored, ...made].map((row) => [row.month, row]));
  return [...byMonth.values()]
    .filter(({ month }) => month <= last)
    .toSorted((a, b) => a.month - b.month);
}
