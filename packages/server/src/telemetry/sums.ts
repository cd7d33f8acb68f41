import type { Db } from '../storage/database.ts';
import { channels } from './channels.ts';
import type { ChannelCarry, DayState } from './day-state.ts';
import { energyOf } from './energy-day.ts';
import { addDay, totalAfterMonth, totalsAfter, type MonthState } from './month-state.ts';
import { daysOfMonth, monthOf, yearOf } from './plant-day.ts';
import type { DayRow, MonthRow, Series } from './series.ts';

/** Sums before a day, made by adding the day before it (the newest until now) to that one's own. */
export function carryAfter(previous: DayRow, day: number): (ChannelCarry | undefined)[] {
  const carry = previous.state.carry ?? [];
  const totals = totalsAfter(
    carry.map((sums) => sums?.total ?? 0),
    previous.state,
  );
  const sameMonth = monthOf(previous.day) === monthOf(day);
  const sameYear = yearOf(previous.day) === yearOf(day);
  const next: (ChannelCarry | undefined)[] = [];
  for (const number of channels.keys()) {
    const before = carry[number];
    const channel = previous.state.channels[number];
    const energy = channel && energyOf(channel);
    if (!before && !energy) continue;
    const added = energy?.mwh ?? 0;
    next[number] = {
      month: sameMonth ? (before?.month ?? 0) + added : 0,
      year: sameYear ? (before?.year ?? 0) + added : 0,
      total: totals[number]!,
    };
  }
  return next;
}

/** Sums before a day, made from the months up to it, the closed days of its own month included. */
export function carryFromMonths(months: readonly MonthRow[], day: number): (ChannelCarry | undefined)[] {
  const carry: (ChannelCarry | undefined)[] = [];
  for (const { month, state } of months) {
    for (const [number, sums] of state.entries()) {
      if (!sums) continue;
      const before = (carry[number] ??= { month: 0, year: 0, total: 0 });
      if (month === monthOf(day)) before.month += sums.energy;
      if (Math.trunc(month / 100) === yearOf(day)) before.year += sums.energy;
      before.total = totalAfterMonth(before.total, sums);
    }
  }
  return carry;
}

/** Sums before any day, made from closed months and the days of its month before it. */
export async function findCarry(db: Db, series: Series, binding: number, day: number): Promise<(ChannelCarry | undefined)[]> {
  const month = monthOf(day);
  const state: MonthState = [];
  for (const row of await series.days(db, [binding], daysOfMonth(month).fromDay, day - 1)) addDay(state, row.state);
  const months = await series.months(db, [binding], 0, month - 1);
  return carryFromMonths([...months, { binding, month, state }], day);
}

/** Makes months anew from their stored days; `changed` stands for stored ones, and days from `openDay` on are not closed. */
export async function rebuildMonths(
  db: Db,
  series: Series,
  binding: number,
  months: ReadonlySet<number>,
  changed: ReadonlyMap<number, DayState>,
  openDay: number,
): Promise<MonthRow[]> {
  const rows: MonthRow[] = [];
  for (const month of [...months].toSorted((a, b) => a - b)) {
    const { fromDay, toDay } = daysOfMonth(month);
    const days = new Map((await series.days(db, [binding], fromDay, toDay)).map(({ day, state }) => [day, state]));
    for (const [day, state] of changed) if (monthOf(day) === month) days.set(day, state);
    const state: MonthState = [];
    for (const day of [...days.keys()].toSorted((a, b) => a - b)) if (day < openDay) addDay(state, days.get(day)!);
    rows.push({ binding, month, state });
  }
  return rows;
}
