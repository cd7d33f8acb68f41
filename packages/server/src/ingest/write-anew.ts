import type { Db } from '../storage/database.ts';
import { NO_CARRY, type Carry, type DayState } from '../energy/day-state.ts';
import { monthOf } from '../calendar/plant-calendar.ts';
import type { DayShelf } from './day-shelf.ts';
import type { DayRow, Series } from '../series/port.ts';
import { carryFromMonths, rebuildMonths } from '../series/sums.ts';

const END_OF_DAYS = 99_999_999;

/** Stores recalculated days and the sums that follow from them. `newest`: the binding's newest day so far. */
export async function writeAnew(db: Db, series: Series, binding: number, newest: DayRow | undefined, shelf: DayShelf): Promise<void> {
  if (newest) await shelf.find(newest.day);
  const open = await shelf.before(END_OF_DAYS);
  const changed = shelf.changed();
  const openDay = open?.day ?? 0;
  const closed = [...changed].flatMap(([day, state]) => (day < openDay || !state ? [day] : []));
  if (newest && newest.day < openDay) closed.push(newest.day);
  // A closed day is open again if no later day is left.
  if (newest && newest.day > openDay) closed.push(openDay);
  await series.put(db, { months: await rebuildMonths(db, series, binding, new Set(closed.filter((day) => day > 0).map(monthOf)), changed, openDay) });
  if (newest && newest.day !== open?.day) {
    const former = shelf.atHand(newest.day);
    if (former) former.carry = undefined;
  }
  if (open) open.state.carry = await carryInto(db, series, binding, await shelf.before(open.day));
  const rows = [...shelf.changed()];
  const removed = rows.flatMap(([day, state]) => (state ? [] : [day]));
  if (removed.length > 0) await series.remove(db, binding, { days: removed });
  await series.put(db, { days: rows.flatMap(([day, state]) => (state ? [{ binding, day, state }] : [])) });
}

/** The carry at the end of the day before the open one. */
async function carryInto(db: Db, series: Series, binding: number, last: { readonly day: number; readonly state: DayState } | undefined): Promise<Carry> {
  if (!last) return NO_CARRY;
  return carryFromMonths(await series.months(db, [binding], 0, monthOf(last.day)), last);
}
