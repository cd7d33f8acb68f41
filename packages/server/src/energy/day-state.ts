import { GAP_MS, newCounter, nextDayCounter, type Counter } from './counter.ts';
import type { FieldList } from './field-list.ts';
import type { DayPrice } from './plant-prices.ts';

/** One sample of a device: what it measured at one instant. */
export interface Sample {
  /** Epoch ms. */
  readonly at: number;
  readonly fields: FieldList;
  /** One value per field; NaN where a list is wider than the sample. */
  readonly values: Float64Array;
}

/** What is remembered of a power for its integral. */
export interface PowerTrace {
  /** Last power, W; 0 or more. */
  lastW: number;
  lastAt: number;
  /** Integral over this day, W x ms. */
  areaWms: number;
  /** Integral of power times price over this day, kept only on days with more than one price. */
  amountWms: number;
  /** Measured on this day at all. */
  seen: boolean;
}

/** One energy channel on one day. */
export interface ChannelState {
  total: Counter | undefined;
  today: Counter | undefined;
  power: PowerTrace | undefined;
}

/** Sums of one channel at the end of a day, mWh: of that day, of its month, its year, and of everything up to it. */
export interface ChannelSums {
  day: number;
  /** The day's energy was integrated from power. */
  estimated: boolean;
  month: number;
  year: number;
  total: number;
  /** What they were worth at the prices in force; undefined where no price was ever known. */
  money: MoneySums | undefined;
}

/** Sums of money, millionths of the currency: whole numbers, so that sums of them are exact in any order. */
export interface MoneySums {
  day: number;
  month: number;
  year: number;
  total: number;
}

/** How things stood at the end of the last closed day. */
export interface Carry {
  /** yyyymmdd; 0 when no day was closed. */
  readonly day: number;
  /** By channel number. */
  readonly sums: readonly (ChannelSums | undefined)[];
}

export const NO_CARRY: Carry = { day: 0, sums: [] };

/** A value of `latest` that the newest sample lacks. */
export interface OlderValue {
  readonly fields: FieldList;
  readonly index: number;
  readonly at: number;
  readonly value: number;
}

/** A fold over the samples of one binding and local day, in the order of their times; everything that the next day goes on from. */
export interface DayState {
  firstAt: number;
  samples: number;
  /** Highest acPowerW; NaN without any. */
  peakPowerW: number;
  peakPowerAt: number;
  /** The newest sample. */
  last: Sample;
  /** Values of the hour before it that it lacks. */
  older: readonly OlderValue[];
  /** By channel number; undefined = never reported. */
  channels: (ChannelState | undefined)[];
  /** What a kWh of each is worth on this day; undefined = no price is known. */
  prices: readonly (DayPrice | undefined)[];
  /** On a binding's newest day only. */
  carry: Carry | undefined;
}

/** The state of a new day before its first sample is taken in, which counts as `last` already. */
export function openDay(previous: DayState | undefined, first: Sample, prices: DayState['prices']): DayState {
  return {
    firstAt: first.at,
    samples: 0,
    peakPowerW: Number.NaN,
    peakPowerAt: 0,
    last: previous?.last ?? { at: 0, fields: first.fields, values: first.values },
    older: previous?.older ?? [],
    channels: previous ? previous.channels.map((channel) => channel && nextDayChannel(channel, first.at)) : [],
    prices,
    carry: undefined,
  };
}

function nextDayChannel({ total, today, power }: ChannelState, at: number): ChannelState {
  return {
    total: total && nextDayCounter(total),
    today: today && nextDayCounter(today),
    power: power && at - power.lastAt <= GAP_MS ? { ...power, areaWms: 0, amountWms: 0, seen: false } : undefined,
  };
}

/** The channel's total counter, made on first use; likewise the next. */
export const totalOf = (channel: ChannelState): Counter => (channel.total ??= newCounter());
/** The channel's counter of the day. */
export const todayOf = (channel: ChannelState): Counter => (channel.today ??= newCounter());

/** Whether a sample at `at` may still move energy to the day before: something was last read there, at most GAP_MS ago. */
export function reachesBack(state: DayState, startAt: number, at: number): boolean {
  if (at - startAt > GAP_MS) return false;
  const reaches = (from: number): boolean => from < startAt && at - from <= GAP_MS;
  return state.channels.some(
    (channel) =>
      channel &&
      ((channel.total && (reaches(channel.total.baseAt) || reaches(channel.total.pendingAt))) ||
        (channel.today && (reaches(channel.today.baseAt) || reaches(channel.today.pendingAt))) ||
        (channel.power && reaches(channel.power.lastAt))),
  );
}
