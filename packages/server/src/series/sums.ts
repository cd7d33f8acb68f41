import type { Db } from '../storage/database.ts';
import { channels } from '../energy/channels.ts';
import { NO_CARRY, type Carry, type ChannelSums, type DayState, type MoneySums } from '../energy/day-state.ts';
import { energyOf, moneyOf, totalMoneyOf } from '../energy/energy-day.ts';
import { addDay, totalAfterMonth, totalMoneyOfMonth, totalsAfter, type MonthState } from '../energy/month-state.ts';
import { daysOfMonth, monthOf, yearOf } from '../calendar/plant-calendar.ts';
import type { DayRow, MonthRow, Series } from './port.ts';

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
      money: moneyAfter(past, { sameMonth, sameYear }, state, number),
    };
  }
  return { day, sums };
}

function moneyAfter(
  past: ChannelSums | undefined,
  { sameMonth, sameYear }: { sameMonth: boolean; sameYear: boolean },
  { prices, channels: states }: DayState,
  number: number,
): MoneySums | undefined {
  const price = prices[number];
  const channel = states[number];
  const energy = channel && energyOf(channel);
  const before = past?.money ?? NO_MONEY;
  if (!price || !energy) return past?.money && { ...before, day: 0, month: sameMonth ? before.month : 0, year: sameYear ? before.year : 0 };
  const added = moneyOf(price, energy)!;
  return {
    day: added,
    month: (sameMonth ? before.month : 0) + added,
    year: (sameYear ? before.year : 0) + added,
    total: before.total + totalMoneyOf(price, past?.total ?? 0, channel, energy),
  };
}

const NO_MONEY: MoneySums = { day: 0, month: 0, year: 0, total: 0 };

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
  const sums: (ChannelSums | undefined)[] = [];
  for (const { month, state: ofMonth } of months) {
    const [inMonth, inYear] = [month === monthOf(day), Math.trunc(month / 100) === yearOf(day)];
    for (const [number, energies] of ofMonth.entries()) {
      if (!energies) continue;
      const channel = (sums[number] ??= { day: 0, estimated: false, month: 0, year: 0, total: 0, money: undefined });
      if (energies.money) {
        const money = (channel.money ??= { ...NO_MONEY });
        if (inMonth) money.month += energies.money.energy;
        if (inYear) money.year += energies.money.energy;
        money.total += totalMoneyOfMonth(channel.total, energies, energies.money);
      }
      if (inMonth) channel.month += energies.energy;
      if (inYear) channel.year += energies.energy;
      channel.total = totalAfterMonth(channel.total, energies);
    }
  }
  for (const [number, channel] of state.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (!energy) continue;
    const sum = sums[number]!;
    Object.assign(sum, { day: energy.mwh, estimated: energy.estimated });
    if (sum.money) sum.money.day = moneyOf(state.prices[number], energy) ?? 0;
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
