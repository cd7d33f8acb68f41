import type { Db } from '../storage/database.ts';
import { channels } from './channels.ts';
import { NO_CARRY, type Carry, type ChannelSums, type DayState } from './day-state.ts';
import { energyOf } from './energy-day.ts';
import { addDay, totalAfterMonth, totalsAfter, type MonthState } from './month-state.ts';
import { daysOfMonth, monthOf, yearOf } from './plant-day.ts';
import type { DayRow, MonthRow, Series } from './series.ts';

/** How things stand at the end of a day, given how they stood at the end of the one before it. */
export function sumsAfter({ day, state }: DayRow): Carry {
  const before = state.carry ?? NO_CARRY;
  const totals = totalsAfter(totalsOf(before), state);
  const sameMonth = monthOf(before.day) === monthOf(day);
  const sameYear = yearOf(before.day) === yearOf(day);
  const sums: (ChannelSums | undefined)[] = [];
  for (const number of channels.keys()) {
    const channel = state.channels[number];
    const energy = channel && energyOf(channel);
    const past = before.sums[number];
    if (!past && !energy) continue;
    const added = energy?.mwh ?? 0;
    sums[number] = {
      day: added,
      estimated: energy?.estimated ?? false,
      month: (sameMonth && past ? past.month : 0) + added,
      year: (sameYear && past ? past.year : 0) + added,
      total: totals[number]!,
    };
  }
  return { day, sums };
}

/** The totals of a carry, by channel number. */
export const totalsOf = (carry: Carry): number[] => channels.map((_, number) => carry.sums[number]?.total ?? 0);

/** The totals after some months, by channel number. */
export function totalsAfterMonths(months: readonly MonthRow[]): number[] {
  const totals = channels.map(() => 0);
  for (const { state } of months) {
    for (const [number, sums] of state.entries()) if (sums) totals[number] = totalAfterMonth(totals[number]!, sums);
  }
  return totals;
}

/** The totals of a binding before a day: from the months before the day's, and the days of its month up to it. */
export function totalsBefore(binding: number, day: number, months: readonly MonthRow[], days: readonly DayRow[]): number[] {
  const state: MonthState = [];
  for (const row of days) if (row.day < day) addDay(state, row.state);
  return totalsAfterMonths([...months, { binding, month: monthOf(day), state }]);
}

/** How things stand at the end of a closed day, made from all months up to its own. */
export function carryFromMonths(months: readonly MonthRow[], { day, state }: { day: number; state: DayState }): Carry {
  const totals = totalsAfterMonths(months);
  const sums: (ChannelSums | undefined)[] = [];
  for (const { month, state: ofMonth } of months) {
    for (const [number, energies] of ofMonth.entries()) {
      if (!energies) continue;
      const channel = (sums[number] ??= { day: 0, estimated: false, month: 0, year: 0, total: totals[number]! });
      if (month === monthOf(day)) channel.month += energies.energy;
      if (Math.trunc(month / 100) === yearOf(day)) channel.year += energies.energy;
    }
  }
  for (const [number, channel] of state.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (energy) Object.assign(sums[number]!, { day: energy.mwh, estimated: energy.estimated });
  }
  return { day, sums };
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
