import { energyChannels } from '../energy/channels.ts';
import {
  countedBefore,
  dayEnergyOf,
  moneyOf,
  receivedShareOf,
  type DayEnergy,
} from '../energy/day-energy.ts';
import {
  NO_CARRY,
  type Carry,
  type ChannelSums,
  type DayState,
  type MoneySums,
} from '../energy/day-state.ts';
import {
  addDay,
  beforeMoney,
  NO_TOTALS,
  totalsAfterMonth,
  type MonthState,
  type Totals,
} from '../energy/month-state.ts';
import { daysOfMonth, monthOf, yearOf } from '../../platform/calendar/plant-calendar.ts';
import type { DayRow, MonthRow } from './port.ts';

/** The carry at the end of a day, given the carry at the end of the day before. */
export function sumsAfter({ day, state }: DayRow): Carry {
  const before = state.carry ?? NO_CARRY;
  const sameMonth = monthOf(before.day) === monthOf(day);
  const sameYear = yearOf(before.day) === yearOf(day);
  const sums: (ChannelSums | undefined)[] = [];
  for (const number of energyChannels.keys()) {
    const energy = dayEnergyOf(state, number);
    const opening = state.channels[number]?.total?.opening?.level ?? -1;
    const past = before.sums[number];
    if (!past && !energy && opening < 0) continue;
    const added = energy?.mwh ?? 0;
    const counted = countedBefore(past?.total ?? 0, opening);
    sums[number] = {
      day: added,
      estimated: energy?.estimated ?? false,
      month: (sameMonth && past ? past.month : 0) + added,
      year: (sameYear && past ? past.year : 0) + added,
      total: (past?.total ?? 0) + added,
      before: (past?.before ?? 0) + counted,
      days: (past?.days ?? 0) + (energy ? 1 : 0),
      highestShare: Math.max(past?.highestShare ?? 0, receivedShareOf(state, number, added)),
      money: moneyAfter(past, { sameMonth, sameYear }, { state, number, energy, counted }),
    };
  }
  return { day, sums };
}

function moneyAfter(
  past: ChannelSums | undefined,
  { sameMonth, sameYear }: { sameMonth: boolean; sameYear: boolean },
  {
    state,
    number,
    energy,
    counted,
  }: { state: DayState; number: number; energy: DayEnergy | undefined; counted: number },
): MoneySums | undefined {
  const price = state.prices[number];
  if (!past?.money && !(price && (energy || state.channels[number]?.total?.opening)))
    return undefined;
  const before = past?.money ?? NO_MONEY;
  const added = (price && energy && moneyOf(price, energy)) ?? 0;
  return {
    day: added,
    month: (sameMonth ? before.month : 0) + added,
    year: (sameYear ? before.year : 0) + added,
    total: before.total + added,
    before: before.before + (price && counted > 0 ? beforeMoney(price.price, counted) : 0),
  };
}

const NO_MONEY: MoneySums = { day: 0, month: 0, year: 0, total: 0, before: 0 };

/** The totals of a binding before a day, by channel number: those of the months before its month, and of the days before it in its month. */
export function totalsBefore(
  binding: number,
  day: number,
  months: readonly MonthRow[],
  days: readonly DayRow[],
): Totals[] {
  const state: MonthState = [];
  for (const row of days) if (row.day < day) addDay(state, row.state);
  const totals = energyChannels.map(() => NO_TOTALS);
  for (const month of [...months, { binding, month: monthOf(day), state }]) {
    for (const [number, sums] of month.state.entries())
      if (sums) totals[number] = totalsAfterMonth(totals[number]!, sums);
  }
  return totals;
}

/** The carry at the end of a closed day, computed from all months up to its own. */
export function carryFromMonths(
  months: readonly MonthRow[],
  { day, state }: { day: number; state: DayState },
): Carry {
  const sums: (ChannelSums | undefined)[] = [];
  for (const { month, state: ofMonth } of months) {
    const [inMonth, inYear] = [month === monthOf(day), Math.trunc(month / 100) === yearOf(day)];
    for (const [number, energies] of ofMonth.entries()) {
      if (!energies) continue;
      const channel = (sums[number] ??= {
        day: 0,
        estimated: false,
        month: 0,
        year: 0,
        total: 0,
        before: 0,
        days: 0,
        highestShare: 0,
        money: undefined,
      });
      const { energy, before } = totalsAfterMonth(
        { energy: channel.total, before: channel.before },
        energies,
      );
      if (energies.money) {
        const money = (channel.money ??= { ...NO_MONEY });
        if (inMonth) money.month += energies.money.energy;
        if (inYear) money.year += energies.money.energy;
        money.total += energies.money.energy;
        if (before > channel.before)
          money.before += beforeMoney(energies.money.openingPrice, before - channel.before);
      }
      if (inMonth) channel.month += energies.energy;
      if (inYear) channel.year += energies.energy;
      channel.total = energy;
      channel.before = before;
      channel.days += energies.days;
      channel.highestShare = Math.max(channel.highestShare, energies.highestShare);
    }
  }
  for (const number of state.channels.keys()) {
    const energy = dayEnergyOf(state, number);
    if (!energy) continue;
    const sum = sums[number]!;
    Object.assign(sum, { day: energy.mwh, estimated: energy.estimated });
    if (sum.money) sum.money.day = moneyOf(state.prices[number], energy) ?? 0;
  }
  return { day, sums };
}

/** Whether nothing is known about a month; such months are not stored. */
export const isEmptyMonth = ({ state }: MonthRow): boolean =>
  state.every((sums) => sums === undefined);

/** Where the stored days of a binding are read, from one to another, both included. */
export interface StoredDays {
  stored(fromDay: number, toDay: number): Promise<readonly DayRow[]>;
}

/**
 * Recalculates months from their stored days. `changed` overrides stored days (undefined = removed); days from `openDay` on are
 * left out, since they are not closed.
 */
export async function rebuildMonths(
  from: StoredDays,
  binding: number,
  months: ReadonlySet<number>,
  changed: ReadonlyMap<number, DayState | undefined>,
  openDay: number,
): Promise<MonthRow[]> {
  const rows: MonthRow[] = [];
  for (const month of [...months].toSorted((a, b) => a - b)) {
    const { fromDay, toDay } = daysOfMonth(month);
    const days = new Map<number, DayState | undefined>(
      (await from.stored(fromDay, toDay)).map(({ day, state }) => [day, state]),
    );
    for (const [day, state] of changed) if (monthOf(day) === month) days.set(day, state);
    const state: MonthState = [];
    for (const [day, ofDay] of [...days].toSorted(([a], [b]) => a - b))
      if (ofDay && day < openDay) addDay(state, ofDay);
    rows.push({ binding, month, state });
  }
  return rows;
}

/** The months that closed days of a binding add up to; days and months are ascending. `begun`, the days before them in their first month, is added to. */
export function monthsOfDays(
  binding: number,
  days: readonly Pick<DayRow, 'day' | 'state'>[],
  begun?: MonthRow,
): MonthRow[] {
  const months: MonthRow[] = begun ? [begun] : [];
  for (const { day, state } of days) {
    let last = months.at(-1);
    if (last?.month !== monthOf(day))
      months.push((last = { binding, month: monthOf(day), state: [] }));
    addDay(last.state, state);
  }
  return months;
}
