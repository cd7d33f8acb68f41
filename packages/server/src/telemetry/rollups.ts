import type { Values } from '@helioport/contract';
import { channels, type Channel } from './channels.ts';
import { MWH_PER_KWH } from './counter.ts';
import type { DayState } from './day-state.ts';
import { energyOf } from './energy-day.ts';
import { addDay, totalsAfter, type MonthState } from './month-state.ts';
import { monthOf, yearOf } from './plant-day.ts';
import type { DayRow, MonthRow } from './series.ts';
import type { DayRollup, EnergiesToDate, Energy, Latest, MonthRollup } from './telemetry.ts';

const kwh = (mwh: number): number => mwh / MWH_PER_KWH;

/** A stored day in words of the product. */
export function dayRollup({ binding, day, state }: DayRow): DayRollup {
  const peaked = !Number.isNaN(state.peakPowerW);
  return {
    binding,
    day,
    firstAt: state.firstAt,
    lastAt: state.last.at,
    samples: state.samples,
    peakPowerW: peaked ? state.peakPowerW : null,
    peakPowerAt: peaked ? state.peakPowerAt : null,
    energies: energiesOf(state),
  };
}

/** The energies of a day, as far as it has gone. */
export function energiesOf(state: DayState): { [C in Channel]?: Energy } {
  const energies: { [C in Channel]?: Energy } = {};
  for (const [number, channel] of state.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (energy) energies[channels[number]!] = { energyKwh: kwh(energy.mwh), estimated: energy.estimated };
  }
  return energies;
}

/** A stored newest day in words of the product. */
export function latestOfRow(row: DayRow): Latest {
  const { state, day } = row;
  const values: { -readonly [Name in keyof Values]: Values[Name] } = {};
  const valuesAt: { [name: string]: number } = {};
  for (const { fields, index, at, value } of state.older) {
    const name = fields.names[index]!;
    values[name] = value;
    valuesAt[name] = at;
  }
  for (const [i, name] of state.last.fields.names.entries()) {
    const value = state.last.values[i]!;
    if (Number.isNaN(value)) continue;
    values[name] = value;
    valuesAt[name] = state.last.at;
  }
  return { ...dayRollup(row), values, valuesAt, energiesToDate: (today) => energiesToDate(state, day, today) };
}

function energiesToDate(state: DayState, day: number, today: number): { [C in Channel]?: EnergiesToDate } {
  const carry = state.carry ?? [];
  const totals = totalsAfter(
    carry.map((sums) => sums?.total ?? 0),
    state,
  );
  const energies: { [C in Channel]?: EnergiesToDate } = {};
  for (const [number, name] of channels.entries()) {
    const before = carry[number];
    const channel = state.channels[number];
    const energy = channel && energyOf(channel);
    if (!before && !energy) continue;
    const added = energy?.mwh ?? 0;
    energies[name] = {
      dayKwh: day === today ? kwh(added) : 0,
      monthKwh: monthOf(day) === monthOf(today) ? kwh((before?.month ?? 0) + added) : 0,
      yearKwh: yearOf(day) === yearOf(today) ? kwh((before?.year ?? 0) + added) : 0,
      totalKwh: kwh(totals[number]!),
      estimated: day === today && (energy?.estimated ?? false),
    };
  }
  return energies;
}

/** Months with the open day of each binding added to its month. */
export function monthRollups(months: readonly MonthRow[], newest: ReadonlyMap<number, DayRow>, fromMonth: number, toMonth: number): MonthRollup[] {
  const states = new Map<string, MonthRow>(months.map((row) => [`${row.binding} ${row.month}`, row]));
  for (const { binding, day, state } of newest.values()) {
    const month = monthOf(day);
    if (month < fromMonth || month > toMonth) continue;
    const key = `${binding} ${month}`;
    const closed = states.get(key)?.state ?? [];
    const withOpen: MonthState = closed.map((sums) => sums && { ...sums });
    addDay(withOpen, state);
    states.set(key, { binding, month, state: withOpen });
  }
  return [...states.values()].toSorted((a, b) => a.binding - b.binding || a.month - b.month).map(monthRollup);
}

function monthRollup({ binding, month, state }: MonthRow): MonthRollup {
  const energies: { [C in Channel]?: Energy } = {};
  for (const [number, sums] of state.entries()) {
    if (sums) energies[channels[number]!] = { energyKwh: kwh(sums.energy), estimated: sums.estimatedDays > 0 };
  }
  return { binding, month, energies };
}
