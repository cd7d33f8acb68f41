import { channels } from './channels.ts';
import type { ChannelState, DayState } from './day-state.ts';
import { energyOf, moneyOf, openingMoney, totalAfter, type DayEnergy } from './energy-day.ts';
import { createPackedReader, createPackedWriter, type PackedReader } from './codec/packed-bytes.ts';
import type { DayPrice } from './plant-prices.ts';

/** Sums of one channel over the closed days of a month, mWh. */
export interface ChannelMonth {
  energy: number;
  days: number;
  /** Days whose energy was integrated from power. */
  estimatedDays: number;
  /** The total counter's first level, when the device's first reading of it lies in this month; else -1. */
  opening: number;
  /** Energy of the days before that reading's day, and what the total grew from it on. */
  before: number;
  since: number;
  /** Undefined where no price was known. */
  money: MonthMoney | undefined;
}

/** What the energies of a month were worth, millionths of the currency. */
export interface MonthMoney {
  energy: number;
  /** Where there is an opening: its price for a kWh, and the worth of `before` and `since`. */
  openingPrice: number;
  before: number;
  since: number;
}

/** By channel number. */
export type MonthState = (ChannelMonth | undefined)[];

/** Adds a closed day, later than all before it. */
export function addDay(month: MonthState, day: DayState): void {
  for (const [number, channel] of day.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (!channel || !energy) continue;
    const sums = (month[number] ??= { energy: 0, days: 0, estimatedDays: 0, opening: -1, before: 0, since: 0, money: undefined });
    const { total } = channel;
    const price = day.prices[number];
    if (price) addMoney((sums.money ??= { energy: 0, openingPrice: 0, before: 0, since: 0 }), price, channel, energy, sums.opening >= 0);
    if (total && total.opening >= 0) {
      sums.opening = total.opening;
      sums.before = sums.energy;
      sums.since = total.energy;
    } else if (sums.opening >= 0) sums.since += energy.mwh;
    sums.energy += energy.mwh;
    sums.days += 1;
    if (energy.estimated) sums.estimatedDays += 1;
  }
}

function addMoney(money: MonthMoney, price: DayPrice, channel: ChannelState, energy: DayEnergy, opened: boolean): void {
  const ofDay = moneyOf(price, energy)!;
  if (channel.total && channel.total.opening >= 0) {
    money.openingPrice = price.price;
    money.before = money.energy;
    money.since = moneyOf(price, { mwh: channel.total.energy, amount: channel.total.amount })!;
  } else if (opened) money.since += ofDay;
  money.energy += ofDay;
}

/** The total after a month of closed days, mWh; agrees with `totalAfter` day by day. */
export const totalAfterMonth = (totalBefore: number, sums: ChannelMonth): number =>
  sums.opening >= 0 ? Math.max(totalBefore + sums.before, sums.opening) + sums.since : totalBefore + sums.energy;

/** What a month adds to the worth of a total; agrees with `totalMoneyOf` day by day. */
export const totalMoneyOfMonth = (totalBefore: number, { opening, before }: ChannelMonth, money: MonthMoney): number =>
  opening >= 0 ? money.before + openingMoney(money.openingPrice, totalBefore + before, opening) + money.since : money.energy;

/** The total after a day, by channel number. */
export function totalsAfter(totalsBefore: readonly number[], day: DayState): number[] {
  return channels.map((_, number) => {
    const before = totalsBefore[number] ?? 0;
    const channel = day.channels[number];
    const energy = channel && energyOf(channel);
    return channel && energy ? totalAfter(before, channel, energy) : before;
  });
}

const VERSION = 2;
// Before money: nothing is known of it.
const MONEYLESS = 1;
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
    writer.whole(sums.before);
    writer.whole(sums.since);
    writeMoney(sums);
  }
  return writer.take();
}

function writeMoney({ money, opening }: ChannelMonth): void {
  // 0 = none
  writer.whole(money ? money.energy + 1 : 0);
  if (!money || opening < 0) return;
  writer.real(money.openingPrice);
  writer.whole(money.before);
  writer.whole(money.since);
}

export function decodeMonth(bytes: Uint8Array): MonthState {
  const reader = createPackedReader(bytes);
  const version = reader.byte();
  if (version !== VERSION && version !== MONEYLESS) throw new RangeError(`a stored month has version ${version}, which this release does not know`);
  const month: MonthState = [];
  for (let left = reader.whole(); left > 0; left--) {
    const number = reader.byte();
    const energy = reader.whole();
    const days = reader.whole();
    const estimatedDays = reader.whole();
    const opening = reader.whole() - 1;
    const before = reader.whole();
    const since = reader.whole();
    month[number] = { energy, days, estimatedDays, opening, before, since, money: version === MONEYLESS ? undefined : readMoney(reader, opening) };
  }
  return month;
}

function readMoney(reader: PackedReader, opening: number): MonthMoney | undefined {
  const energy = reader.whole() - 1;
  if (energy < 0) return undefined;
  if (opening < 0) return { energy, openingPrice: 0, before: 0, since: 0 };
  return { energy, openingPrice: reader.real(), before: reader.whole(), since: reader.whole() };
}
