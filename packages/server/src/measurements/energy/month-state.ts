import type { ChannelState, DayState } from './day-state.ts';
import {
  countedBefore,
  dayEnergyOf,
  moneyOf,
  receivedShareOf,
  type DayEnergy,
} from './day-energy.ts';
import { createPackedReader, createPackedWriter, type PackedReader } from './codec/packed-bytes.ts';
import type { DayPrice } from './plant-prices.ts';

/** Sums of one channel over the closed days of a month, mWh. */
export interface ChannelMonth {
  energy: number;
  days: number;
  /** Number of days whose energy was estimated (`DayEnergy.estimated`). */
  estimatedDays: number;
  /** Level of the opening (`Counter.opening`), mWh, if the device's first reading is in this month; else -1. */
  opening: number;
  /** Energy of the month's days before the day of the opening. */
  beforeOpening: number;
  /** The highest share of any of these days (`shareOf`, thousandths); 0 = unknown. */
  highestShare: number;
  /** Undefined if no price was known. */
  money: MonthMoney | undefined;
}

/** The value of a month's energy, millionths of the currency. */
export interface MonthMoney {
  energy: number;
  /** The price per kWh on the day of the opening, if there is one. */
  openingPrice: number;
}

/** Sums by channel number. */
export type MonthState = (ChannelMonth | undefined)[];

/** Adds a closed day, which must be later than all before it. */
export function addDay(month: MonthState, day: DayState): void {
  for (const [number, channel] of day.channels.entries()) {
    if (!channel) continue;
    const energy = dayEnergyOf(day, number);
    const opening = channel.total?.opening?.level ?? -1;
    if (!energy && opening < 0) continue;
    const sums = (month[number] ??= {
      energy: 0,
      days: 0,
      estimatedDays: 0,
      opening: -1,
      beforeOpening: 0,
      highestShare: 0,
      money: undefined,
    });
    if (opening >= 0) {
      sums.opening = opening;
      sums.beforeOpening = sums.energy;
    }
    const price = day.prices[number];
    if (price) addMoney((sums.money ??= { energy: 0, openingPrice: 0 }), price, channel, energy);
    if (!energy) continue;
    sums.energy += energy.mwh;
    sums.days += 1;
    sums.highestShare = Math.max(sums.highestShare, receivedShareOf(day, number, energy.mwh));
    if (energy.estimated) sums.estimatedDays += 1;
  }
}

function addMoney(
  money: MonthMoney,
  price: DayPrice,
  { total }: ChannelState,
  energy: DayEnergy | undefined,
): void {
  if (total?.opening) money.openingPrice = price.price;
  if (energy) money.energy += moneyOf(price, energy)!;
}

/** Energy up to a day, mWh: that of all recorded days, and what the device had counted before them. */
export interface Totals {
  readonly energy: number;
  readonly before: number;
}

export const NO_TOTALS: Totals = { energy: 0, before: 0 };

/** The totals after a month of closed days, as if `totalsAfterDay` were applied to each of its days. */
export const totalsAfterMonth = ({ energy, before }: Totals, sums: ChannelMonth): Totals => ({
  energy: energy + sums.energy,
  before: before + countedBefore(energy + sums.beforeOpening, sums.opening),
});

/** The totals of a channel, by its number, after a day. */
export const totalsAfterDay = (
  { energy, before }: Totals,
  day: DayState,
  number: number,
): Totals => ({
  energy: energy + (dayEnergyOf(day, number)?.mwh ?? 0),
  before: before + countedBefore(energy, day.channels[number]?.total?.opening?.level ?? -1),
});

/** Value of the energy that a device had counted before its first reading, at the price of the day of that reading, millionths of the currency. */
export const beforeMoney = (price: number, before: number): number => Math.round(before * price);

const VERSION = 4;
// The formats of earlier releases: without money; with the counter's growth since the opening; without the plant's bounds.
const [MONEYLESS, PLAIN, SHARELESS] = [1, 2, 3] as const;
const writer = createPackedWriter();

export function encodeMonth(month: MonthState): Buffer {
  writer.byte(VERSION);
  writer.whole(month.filter((sums) => sums !== undefined).length);
  for (const [number, sums] of month.entries()) {
    if (!sums) continue;
    writer.byte(number);
    writer.whole(sums.energy);
    writer.whole(sums.days);
    writer.whole(sums.estimatedDays);
    // 0 = none
    writer.whole(sums.opening + 1);
    writer.whole(sums.beforeOpening);
    writer.whole(sums.highestShare);
    // 0 = none
    writer.whole(sums.money ? sums.money.energy + 1 : 0);
    if (sums.money && sums.opening >= 0) writer.real(sums.money.openingPrice);
  }
  return writer.take();
}

export function decodeMonth(bytes: Uint8Array): MonthState {
  const reader = createPackedReader(bytes);
  const version = reader.byte();
  if (version < MONEYLESS || version > VERSION)
    throw new RangeError(`a stored month has version ${version}, which this release does not know`);
  const month: MonthState = [];
  for (let left = reader.whole(); left > 0; left--) {
    const number = reader.byte();
    const energy = reader.whole();
    const days = reader.whole();
    const estimatedDays = reader.whole();
    const opening = reader.whole() - 1;
    const beforeOpening = reader.whole();
    // Skips the counter's growth since the opening.
    if (version <= PLAIN) reader.whole();
    const highestShare = version <= SHARELESS ? 0 : reader.whole();
    const money = version === MONEYLESS ? undefined : readMoney(reader, opening, version);
    month[number] = { energy, days, estimatedDays, opening, beforeOpening, highestShare, money };
  }
  return month;
}

function readMoney(reader: PackedReader, opening: number, version: number): MonthMoney | undefined {
  const energy = reader.whole() - 1;
  if (energy < 0) return undefined;
  if (opening < 0) return { energy, openingPrice: 0 };
  const openingPrice = reader.real();
  if (version <= PLAIN) {
    reader.whole();
    reader.whole();
  }
  return { energy, openingPrice };
}
