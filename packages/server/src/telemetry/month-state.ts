import { channels } from './channels.ts';
import type { DayState } from './day-state.ts';
import { energyOf, totalAfter } from './energy-day.ts';
import { createPackedReader, createPackedWriter } from './packed-bytes.ts';

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
}

/** By channel number. */
export type MonthState = (ChannelMonth | undefined)[];

/** Adds a closed day, later than all before it. */
export function addDay(month: MonthState, day: DayState): void {
  for (const [number, channel] of day.channels.entries()) {
    const energy = channel && energyOf(channel);
    if (!channel || !energy) continue;
    const sums = (month[number] ??= { energy: 0, days: 0, estimatedDays: 0, opening: -1, before: 0, since: 0 });
    const { total } = channel;
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

/** The total after a month of closed days, mWh; agrees with `totalAfter` day by day. */
export const totalAfterMonth = (totalBefore: number, sums: ChannelMonth): number =>
  sums.opening >= 0 ? Math.max(totalBefore + sums.before, sums.opening) + sums.since : totalBefore + sums.energy;

/** The total after a day, by channel number. */
export function totalsAfter(totalsBefore: readonly number[], day: DayState): number[] {
  return channels.map((_, number) => {
    const before = totalsBefore[number] ?? 0;
    const channel = day.channels[number];
    const energy = channel && energyOf(channel);
    return channel && energy ? totalAfter(before, channel, energy) : before;
  });
}

const VERSION = 1;
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
  }
  return writer.take();
}

export function decodeMonth(bytes: Uint8Array): MonthState {
  const reader = createPackedReader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new RangeError(`a stored month has version ${version}, which this release does not know`);
  const month: MonthState = [];
  for (let left = reader.whole(); left > 0; left--) {
    month[reader.byte()] = {
      energy: reader.whole(),
      days: reader.whole(),
      estimatedDays: reader.whole(),
      opening: reader.whole() - 1,
      before: reader.whole(),
      since: reader.whole(),
    };
  }
  return month;
}
