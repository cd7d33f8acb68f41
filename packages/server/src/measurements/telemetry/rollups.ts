import type { Values } from '@helioport/contract';
import { energyChannels, type EnergyChannel } from '../energy/channels.ts';
import { MWH_PER_KWH } from '../energy/counter.ts';
import { NO_CARRY, type DayState, type MoneySums } from '../energy/day-state.ts';
import { dayEnergyOf, moneyOf } from '../energy/day-energy.ts';
import { addDay, type MonthState } from '../energy/month-state.ts';
import { monthOf, yearOf } from '../../platform/calendar/plant-calendar.ts';
import type { DayRow, MonthRow } from '../series/port.ts';
import { sumsAfter } from '../series/sums.ts';
import type {
  AmountsToDate,
  DayRollup,
  EnergiesToDate,
  Energy,
  Latest,
  MonthEnergy,
  MonthRollup,
} from './telemetry.ts';

const kwh = (mwh: number): number => mwh / MWH_PER_KWH;
/** Internally, amounts are whole millionths of the currency. */
const MICROS = 1_000_000;
export const units = (micros: number | undefined): number | undefined =>
  micros === undefined ? undefined : micros / MICROS;

/** A stored day as a roll-up, with energies by name of the channel. */
export function dayRollup({ binding, day, state }: DayRow): DayRollup {
  const energies = energiesOf(state);
  const { production } = energies;
  // If a counter shows that nothing was produced, no power was a peak.
  const peaked =
    state.peakPowerW === 0 ||
    (state.peakPowerW > 0 && !(production && production.energyKwh === 0 && !production.estimated));
  return {
    bindingNo: binding,
    day,
    firstAt: state.firstAt,
    lastAt: state.last.at,
    samples: state.samples,
    peakPowerW: peaked ? state.peakPowerW : null,
    peakPowerAt: peaked ? state.peakPowerAt : null,
    energies,
  };
}

/** The energies of a day so far. */
export function energiesOf(state: DayState): { [C in EnergyChannel]?: Energy } {
  const energies: { [C in EnergyChannel]?: Energy } = {};
  for (const number of state.channels.keys()) {
    const energy = dayEnergyOf(state, number);
    if (energy)
      energies[energyChannels[number]!] = {
        energyKwh: kwh(energy.mwh),
        estimated: energy.estimated,
        amount: units(moneyOf(state.prices[number], energy)),
      };
  }
  return energies;
}

/** A stored newest day, with values by name of the quantity and energies by name of the channel. */
export function latestOfRow(row: DayRow): Latest {
  const { state } = row;
  const { fields, values: measured } = state.last;
  const values: { -readonly [Name in keyof Values]: Values[Name] } = {};
  const olderAt: { [name: string]: number } = {};
  for (const { fields: ofOlder, index, at, value } of state.older) {
    const name = ofOlder.names[index]!;
    values[name] = value;
    olderAt[name] = at;
  }
  for (let i = 0; i < measured.length; i++)
    if (!Number.isNaN(measured[i]!)) values[fields.names[i]!] = measured[i]!;
  return {
    ...dayRollup(row),
    values,
    olderAt,
    energiesToDate: (today) => energiesToDate(row, today),
  };
}

/**
 * The energies up to local day `today`. Readings may be up to a day ahead of the clock: then `today` is before the row's day, and
 * the sums are those from before that day.
 */
function energiesToDate(row: DayRow, today: number): { [C in EnergyChannel]?: EnergiesToDate } {
  const { day, sums } = today < row.day ? (row.state.carry ?? NO_CARRY) : sumsAfter(row);
  const energies: { [C in EnergyChannel]?: EnergiesToDate } = {};
  for (const [number, name] of energyChannels.entries()) {
    const channel = sums[number];
    if (!channel) continue;
    energies[name] = {
      ...(channel.days > 0 && {
        dayKwh: day === today ? kwh(channel.day) : 0,
        monthKwh: monthOf(day) === monthOf(today) ? kwh(channel.month) : 0,
        yearKwh: yearOf(day) === yearOf(today) ? kwh(channel.year) : 0,
      }),
      totalKwh: kwh(channel.total + channel.before),
      ...(channel.before > 0 && { countedBeforeKwh: kwh(channel.before) }),
      estimated: day === today && channel.estimated,
      days: channel.days,
      highestShare: channel.highestShare / 1000,
      amounts: channel.money && amountsToDate(channel.money, channel.days > 0, day, today),
    };
  }
  return energies;
}

const amountsToDate = (
  money: MoneySums,
  known: boolean,
  day: number,
  today: number,
): AmountsToDate => ({
  ...(known && {
    day: day === today ? money.day / MICROS : 0,
    month: monthOf(day) === monthOf(today) ? money.month / MICROS : 0,
    year: yearOf(day) === yearOf(today) ? money.year / MICROS : 0,
  }),
  total: (money.total + money.before) / MICROS,
  ...(money.before > 0 && { countedBefore: money.before / MICROS }),
});

/** Roll-ups of months, with the open day of each binding added to its month. */
export function monthRollups(
  months: readonly MonthRow[],
  newest: ReadonlyMap<number, DayRow>,
  fromMonth: number,
  toMonth: number,
): MonthRollup[] {
  const states = new Map<string, MonthRow>(
    months.map((row) => [`${row.binding} ${row.month}`, row]),
  );
  for (const { binding, day, state } of newest.values()) {
    const month = monthOf(day);
    if (month < fromMonth || month > toMonth) continue;
    const key = `${binding} ${month}`;
    const closed = states.get(key)?.state ?? [];
    const withOpen: MonthState = closed.map(
      (sums) => sums && { ...sums, money: sums.money && { ...sums.money } },
    );
    addDay(withOpen, state);
    states.set(key, { binding, month, state: withOpen });
  }
  return [...states.values()]
    .toSorted((a, b) => a.binding - b.binding || a.month - b.month)
    .map(monthRollup);
}

function monthRollup({ binding, month, state }: MonthRow): MonthRollup {
  const energies: { [C in EnergyChannel]?: MonthEnergy } = {};
  for (const [number, sums] of state.entries()) {
    if (!sums || sums.days === 0) continue;
    const { energy, days, estimatedDays, highestShare, money } = sums;
    energies[energyChannels[number]!] = {
      energyKwh: kwh(energy),
      estimated: estimatedDays > 0,
      amount: units(money?.energy),
      days,
      highestShare: highestShare / 1000,
    };
  }
  return { bindingNo: binding, month, energies };
}
