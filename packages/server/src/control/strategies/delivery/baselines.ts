import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';
import type { BaselineName } from '@helioport/contract';
import { occurrences } from '../plan/occurrences.ts';
import {
  addDays,
  calendarOf,
  dayOf,
  wallOfDay,
  type Zones,
} from '../../../platform/calendar/plant-calendar.ts';
import { meanPower, type PowerPoint } from './mean-power.ts';

/** A baseline for one settlement interval. */
export interface Baseline {
  /** Null if it cannot be known. */
  readonly powerW: number | null;
  /** On how many days it rests; null for other baselines. */
  readonly days: number | null;
}

/** The measured power of one device, and when it was asked for something. */
export interface MeasuredPower {
  readonly zones: Zones;
  /** Ascending. */
  readonly points: readonly PowerPoint[];
  /** Readings further apart leave a gap, ms. */
  readonly bridgeMs: number;
  /** All times in which any strategy asked the device for something, ascending and apart. */
  readonly asked: readonly { readonly fromAt: number; readonly toAt: number }[];
}

/** How many comparable days are used, how many there must be, and among how many they are looked for. */
const DAYS_WANTED = 10;
const DAYS_NEEDED = 5;
const DAYS_LOOKED_AT = 20;
/** How far comparable days are looked for, in days. */
export const LOOK_BACK_DAYS = 60;
/** The hours of a comparable day must have been measured for this part at least. */
const MEASURED_SHARE = 0.9;
const BEFORE_MS = 15 * 60_000;
/** A reading this long before may still be joined to the next one. */
const REACH_MS = 60 * 60_000;

/** Estimates what there would have been in a stretch of time, in which the device was asked for something. */
export type EstimateBaseline = (fromAt: number, toAt: number) => Baseline;

export function createBaseline(name: BaselineName, measured: MeasuredPower): EstimateBaseline {
  if (name === 'meterBeforeAfter') return (fromAt) => meterBefore(measured, fromAt);
  const { zones } = measured;
  const byDay = new Map<number, readonly OtherDay[]>();
  return (fromAt, toAt) => {
    const day = dayOf(zones, fromAt);
    let days = byDay.get(day);
    if (!days)
      byDay.set(day, (days = comparableDays(measured, day).map((other) => otherDay(zones, other))));
    return meanOfDays(measured, days, fromAt, toAt);
  };
}

/** A day of comparison, and by how much its clock was ahead of UTC; null if that changed. */
interface OtherDay {
  readonly day: number;
  readonly offset: number | null;
}

function otherDay(zones: Zones, day: number): OtherDay {
  const { dayWindow, offsetAt } = calendarOf(zones);
  const { startAt, endAt } = dayWindow(day);
  const offset = offsetAt(startAt);
  return { day, offset: offsetAt(endAt - 1) === offset ? offset : null };
}

/** From when on readings are needed for a baseline of what was asked between two instants. */
export function neededSince(
  name: BaselineName,
  measured: Pick<MeasuredPower, 'zones' | 'asked'>,
  fromAt: number,
  toAt: number,
): number {
  const { zones, asked } = measured;
  const first = asked.find((stretch) => stretch.toAt > fromAt);
  const beforeAt = Math.min(fromAt, first?.fromAt ?? fromAt) - BEFORE_MS - REACH_MS;
  if (name === 'meterBeforeAfter') return beforeAt;
  const firstDay = dayOf(zones, fromAt);
  // After a week, both kinds of day have occurred, and later ones do not reach back further.
  const days = Array.from({ length: 7 }, (_, i) => addDays(firstDay, i)).filter(
    (day) => calendarOf(zones).dayWindow(day).startAt < toAt,
  );
  const furthest = days.flatMap((day) => comparableDays(measured, day).at(-1) ?? []);
  return Math.min(beforeAt, ...furthest.map((day) => calendarOf(zones).dayWindow(day).startAt));
}

/**
 * Days of the same kind, Monday to Friday or weekend, on which nobody asked the device for anything; the last one first. There are more of them than are
 * needed, for days that were not measured.
 */
function comparableDays(
  { zones, asked }: Pick<MeasuredPower, 'zones' | 'asked'>,
  day: number,
): number[] {
  const days: number[] = [];
  for (let back = 1; back <= LOOK_BACK_DAYS && days.length < DAYS_LOOKED_AT; back += 1) {
    const other = addDays(day, -back);
    const { startAt, endAt } = calendarOf(zones).dayWindow(other);
    if (
      isWeekend(other) === isWeekend(day) &&
      !asked.some(({ fromAt, toAt }) => fromAt < endAt && toAt > startAt)
    )
      days.push(other);
  }
  return days;
}

/** The mean of the same hours on the first of these days on which they were measured, and shown by the plant's clock once. */
function meanOfDays(
  { zones, points, bridgeMs }: MeasuredPower,
  days: readonly OtherDay[],
  fromAt: number,
  toAt: number,
): Baseline {
  const wallAt = fromAt + calendarOf(zones).offsetAt(fromAt);
  const powers: number[] = [];
  for (const other of days) {
    if (powers.length === DAYS_WANTED) break;
    const hours = sameHours(zones, wallAt, toAt - fromAt, other);
    if (!hours) continue;
    const { powerW, gapMs } = meanPower(points, hours.fromAt, hours.toAt, bridgeMs);
    if (powerW !== null && gapMs <= (1 - MEASURED_SHARE) * (hours.toAt - hours.fromAt))
      powers.push(powerW);
  }
  if (powers.length < DAYS_NEEDED) return { powerW: null, days: powers.length };
  return {
    powerW: powers.reduce((sum, power) => sum + power, 0) / powers.length,
    days: powers.length,
  };
}

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(wallOfDay(day)).getUTCDay());

const DAY_MINUTES = 1_440;

/**
 * When another day has the hours that begin at a time of the wall clock; undefined if the clocks skip or repeat a part of them there.
 * @param wallAt milliseconds as if it were UTC
 */
function sameHours(
  zones: Zones,
  wallAt: number,
  lengthMs: number,
  { day, offset }: OtherDay,
): { readonly fromAt: number; readonly toAt: number } | undefined {
  if (offset !== null) {
    const fromAt = wallOfDay(day) + (wallAt % DAY_MS) - offset;
    return { fromAt, toAt: fromAt + lengthMs };
  }
  const midnight = ((new Date(wallOfDay(day)).getUTCDay() + 6) % 7) * DAY_MINUTES;
  const fromMinute = midnight + (Math.floor(wallAt / MINUTE_MS) % DAY_MINUTES);
  const { startAt, endAt } = calendarOf(zones).dayWindow(day);
  const found = occurrences(
    zones,
    [{ index: 0, fromMinute, toMinute: fromMinute + lengthMs / MINUTE_MS }],
    startAt,
    endAt + lengthMs,
  );
  return found.length === 1 && found[0]!.toAt - found[0]!.fromAt === lengthMs
    ? found[0]
    : undefined;
}

/** The power just before the stretch of asking to which an interval belongs. */
function meterBefore({ points, bridgeMs, asked }: MeasuredPower, fromAt: number): Baseline {
  const first = asked.find((span) => span.fromAt <= fromAt && span.toAt > fromAt);
  if (!first) return { powerW: null, days: null };
  return {
    powerW: meanPower(points, first.fromAt - BEFORE_MS, first.fromAt, bridgeMs).powerW,
    days: null,
  };
}
