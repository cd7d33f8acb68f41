import {
  forget,
  GAP_MS,
  newCounter,
  nextDayToday,
  nextDayTotal,
  type EnergyCounter,
} from './counter.ts';
import type { FieldList } from './field-list.ts';
import type { DayPrice } from './plant-prices.ts';
import type { Receipt } from './receipts.ts';

/** One sample of a device: its measurements at one instant. */
export interface DaySample {
  /** Epoch ms. */
  readonly at: number;
  readonly fields: FieldList;
  /** One value per field; NaN for fields that the sample lacks. */
  readonly values: Float64Array;
}

/** The integral of a channel's power. */
export interface PowerTrace {
  /** Last power, W; 0 or more. */
  lastW: number;
  lastAt: number;
  /** Integral over this day, W x ms. */
  areaWms: number;
  /** Integral of power times price over this day, kept only on days with more than one price. */
  amountWms: number;
  /** Whether the power was measured on this day. */
  seen: boolean;
  /** Whether the channel had been reported before, on this day or an earlier one. */
  paired: boolean;
}

/** One energy channel on one day. */
export interface ChannelState {
  total: EnergyCounter | undefined;
  today: EnergyCounter | undefined;
  power: PowerTrace | undefined;
  /** The receipts that later days have given to this one. */
  receipts: Receipt[] | undefined;
}

/** Sums of one channel at the end of a day, mWh: of that day, of its month, its year, and of all days up to it. */
export interface ChannelSums {
  day: number;
  /** Whether the day's energy was integrated from power or is a share of a longer gap. */
  estimated: boolean;
  month: number;
  year: number;
  total: number;
  /** Energy that the device had counted before its first recorded day. */
  before: number;
  /** Number of days, up to this one, with a known energy. */
  days: number;
  /** The highest share of any of these days (`shareOf`, thousandths); 0 = unknown. */
  highestShare: number;
  /** Value of these energies at the prices in force; undefined if no price was ever known. */
  money: MoneySums | undefined;
}

/** Sums of money in millionths of the currency: whole numbers, so that adding them is exact in any order. */
export interface MoneySums {
  day: number;
  month: number;
  year: number;
  total: number;
  before: number;
}

/** The sums at the end of the last closed day. */
export interface Carry {
  /** yyyymmdd; 0 when no day was closed. */
  readonly day: number;
  /** Sums by channel number. */
  readonly sums: readonly (ChannelSums | undefined)[];
}

export const NO_CARRY: Carry = { day: 0, sums: [] };

/** A recent value of a quantity that the newest sample lacks. */
export interface OlderValue {
  readonly fields: FieldList;
  readonly index: number;
  readonly at: number;
  readonly value: number;
}

/** The result of folding one binding's samples on one local day, in time order. It contains all that the next day needs to continue. */
export interface DayState {
  firstAt: number;
  samples: number;
  /** Highest acPowerW; NaN if there is none. */
  peakPowerW: number;
  peakPowerAt: number;
  /** The newest sample. */
  last: DaySample;
  /** Values that the newest sample lacks, from the hour before it. */
  older: readonly OlderValue[];
  /** Channels by number; undefined = never reported. */
  channels: (ChannelState | undefined)[];
  /**
   * Whether no reading of a daily counter was taken for jitter, and areas are whole numbers: then samples between two others can be added without the
   * rest of the day (insert-samples.ts). False for days of earlier releases.
   */
  isSteady: boolean;
  /** The earliest day to which this one gave receipts, yyyymmdd; 0 = none. */
  reachesTo: number;
  /** The price per kWh on this day, by channel number; undefined = unknown. */
  prices: readonly (DayPrice | undefined)[];
  /** The most that the day can have yielded, mWh by channel number; undefined = unknown. */
  atMost: readonly (number | undefined)[];
  /** The most that all devices of the plant together can have produced on the day, mWh; undefined = unknown. */
  plantAtMost: number | undefined;
  /** Set only on a binding's newest day. */
  carry: Carry | undefined;
}

/** The facts that a new day needs besides its samples. */
export type DayTerms = Pick<DayState, 'prices' | 'atMost' | 'plantAtMost'>;

/** The state of a new day before its first sample is processed. Without a previous day, `last` already has the fields and values of that sample. */
export const openDay = (
  previous: DayState | undefined,
  first: DaySample,
  terms: DayTerms,
): DayState =>
  previous
    ? dayAfter(previous, first.at, first.at, terms)
    : {
        ...EMPTY,
        firstAt: first.at,
        last: { at: 0, fields: first.fields, values: first.values },
        channels: [],
        ...terms,
      };

/** A day after `previous` without readings, which passes on what the next day needs to continue. */
export const silentDay = (previous: DayState, startAt: number, terms: DayTerms): DayState =>
  dayAfter(previous, previous.last.at, startAt, terms);

/** A day without readings before the first reading of a device. */
export const dayBeforeAll = (first: DaySample, terms: DayTerms): DayState => ({
  ...EMPTY,
  firstAt: first.at,
  last: first,
  channels: [],
  ...terms,
});

/** The first day of a device in a new plant, continued from its last day in the old one. Growth from there on belongs to the new plant. */
export function dayAfterMove(
  previous: DayState,
  first: DaySample,
  startAt: number,
  terms: DayTerms,
): DayState {
  const state = openDay(previous, first, terms);
  for (const channel of state.channels) {
    if (!channel) continue;
    for (const counter of [channel.total, channel.today]) {
      if (!counter) continue;
      counter.baseAt = Math.max(counter.baseAt, startAt);
      forget(counter);
    }
    if (channel.power && channel.power.lastAt < startAt) channel.power = undefined;
  }
  return state;
}

const EMPTY = {
  samples: 0,
  peakPowerW: Number.NaN,
  peakPowerAt: 0,
  older: [],
  isSteady: true,
  reachesTo: 0,
  carry: undefined,
};

const dayAfter = (previous: DayState, firstAt: number, at: number, terms: DayTerms): DayState => ({
  ...EMPTY,
  firstAt,
  last: previous.last,
  older: previous.older,
  channels: previous.channels.map((channel) => channel && nextDayChannel(channel, at)),
  ...terms,
});

function nextDayChannel({ total, today, power }: ChannelState, at: number): ChannelState {
  return {
    total: total && nextDayTotal(total, at),
    today: today && nextDayToday(today),
    power:
      power && at - power.lastAt <= GAP_MS
        ? { ...power, areaWms: 0, amountWms: 0, seen: false, paired: true }
        : undefined,
    receipts: undefined,
  };
}

/** The channel's total counter, created on first use. */
export const dayTotalOf = (channel: ChannelState): EnergyCounter =>
  (channel.total ??= newCounter());
/** The channel's daily counter, created on first use. */
export const todayOf = (channel: ChannelState): EnergyCounter => (channel.today ??= newCounter());
