import type { Db } from '../storage/database.ts';
import { NO_CARRY } from '../energy/day-state.ts';
import { END_OF_DAYS, LAST_MONTH, monthOf } from '../calendar/plant-calendar.ts';
import type { DayShelf } from './day-shelf.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import { carryFromMonths, isEmptyMonth, rebuildMonths } from '../series/sums.ts';

/** Stores recalculated days, and the months and sums that follow from them. `newest`: the binding's newest day so far. */
export async function writeAnew(db: Db, series: Series, binding: number, newest: DayRow | undefined, shelf: DayShelf): Promise<void> {
  if (newest) await shelf.find(newest.day);
  const open = await shelf.before(END_OF_DAYS);
  const changed = shelf.changed();
  const openDay = open?.day ?? 0;
  const closed = [...changed].flatMap(([day, state]) => (day < openDay || !state ? [day] : []));
  if (newest && newest.day < openDay) closed.push(newest.day);
  // A closed day is open again if no later day is left.
  if (newest && newest.day > openDay) closed.push(openDay);
  const stored = await series.months(db, [binding], 0, LAST_MONTH);
  const outdated = new Set(closed.filter((day) => day > 0).map(monthOf));
  const made = await rebuildMonths(db, series, binding, outdated, changed, openDay);
  if (newest && newest.day !== open?.day) {
    const former = shelf.atHand(newest.day);
    if (former) former.carry = undefined;
  }
  if (open) {
    const last = await shelf.before(open.day);
    open.state.carry = last ? carryFromMonths(monthsUpTo(monthOf(last.day), stored, made), last) : NO_CARRY;
  }
  const days = [...shelf.changed()];
  const gone = {
    days: days.flatMap(([day, state]) => (state ? [] : [day])),
    months: stored.flatMap(({ month }) => (made.some((one) => one.month === month && isEmptyMonth(one)) ? [month] : [])),
  };
  if (gone.days.length + gone.months.length > 0) await series.remove(db, binding, gone);
  await series.put(db, {
    days: days.flatMap(([day, state]) => (state ? [{ binding, day, state }] : [])),
    months: made.filter((row) => !isEmptyMonth(row)),
  });
}

/** The months of a binding up to `last`, ascending. Recalculated months replace stored ones. */
function monthsUpTo(last: number, stored: readonly MonthRow[], made: readonly MonthRow[]): MonthRow[] {
  const byMonth = new Map([...stored, ...made].map((row) => [row.month, row]));
  return [...byMonth.values()].filter(({ month }) => month <= last).toSorted((a, b) => a.month - b.month);
}
