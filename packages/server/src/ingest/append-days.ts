import type { Db } from '../storage/database.ts';
import { NO_CARRY, openDay, reachesBack, type DayState, type Sample } from '../energy/day-state.ts';
import { stepDay } from '../energy/energy-day.ts';
import { addDay, type MonthState } from '../energy/month-state.ts';
import { monthOf } from '../calendar/plant-calendar.ts';
import { dayRules, type BoundDevice } from './reporters.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import { sumsAfter } from '../series/sums.ts';

/** A binding's newest day, stepped on, and the days that were opened after it. */
export interface AppendedDays {
  readonly device: BoundDevice;
  /** Ascending; the first is the stored newest day unless `begins`. */
  readonly days: DayRow[];
}

/** Whether samples from `at` on can be added to the newest day without looking at any other stored day. */
export function isAppend(device: BoundDevice, newest: DayRow | undefined, at: number): boolean {
  if (!newest) return true;
  if (at <= newest.state.last.at) return false;
  const { startAt, endAt } = device.calendar.dayWindow(newest.day);
  return at >= endAt || !reachesBack(newest.state, startAt, at);
}

/** Folds samples, all newer than the stored ones and ascending, onto the newest day. Reads and writes nothing. */
export function appendDays(device: BoundDevice, newest: DayRow | undefined, samples: readonly Sample[]): AppendedDays {
  const { calendar, binding } = device;
  const days: DayRow[] = newest ? [newest] : [];
  let current = newest?.state;
  let previous: DayState | undefined;
  let window = newest ? calendar.dayWindow(newest.day) : { startAt: 0, endAt: 0 };
  let rules = dayRules(device, window);
  for (const sample of samples) {
    if (!current || sample.at >= window.endAt) {
      const day = calendar.dayOf(sample.at);
      window = calendar.dayWindow(day);
      rules = dayRules(device, window);
      previous = current;
      current = openDay(previous, sample, rules.prices.prices);
      days.push({ binding, day, state: current });
    }
    stepDay(current, sample, rules, previous);
  }
  return { device, days };
}

/** Closes all days but the last of each: their sums go into their month and before the next day. Returns the months. */
export async function closeDays(db: Db, series: Series, appended: readonly AppendedDays[]): Promise<MonthRow[]> {
  const closing = appended.filter(({ days }) => days.length > 1);
  const firsts = closing.map(({ days }) => days[0]!);
  const months = new Map<string, MonthRow>();
  if (firsts.length > 0) {
    const wanted = firsts.map(({ day }) => monthOf(day));
    // A month can only be stored already if it is the one of the first day that closes now.
    const stored = await series.months(
      db,
      firsts.map(({ binding }) => binding),
      Math.min(...wanted),
      Math.max(...wanted),
    );
    for (const row of stored) months.set(`${row.binding} ${row.month}`, row);
  }
  const changed = new Set<MonthRow>();
  for (const { days } of closing) {
    for (const [i, next] of days.entries()) {
      const day = days[i - 1];
      if (!day) continue;
      next.state.carry = sumsAfter(day);
      day.state.carry = undefined;
      const key = `${day.binding} ${monthOf(day.day)}`;
      let row = months.get(key);
      if (!row) months.set(key, (row = { binding: day.binding, month: monthOf(day.day), state: [] as MonthState }));
      addDay(row.state, day.state);
      changed.add(row);
    }
  }
  for (const { days } of appended) days.at(-1)!.state.carry ??= NO_CARRY;
  return [...changed];
}
