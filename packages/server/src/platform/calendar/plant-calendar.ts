import { DAY_MS } from '@helioport/contract/durations';
import { createCache } from '../kernel/cache.ts';
import { createLocalZone, type LocalZone } from './local-zone.ts';

/** A zone and when it came into force (epoch ms); the first applies from the beginning of time. */
export interface ZoneSince {
  readonly fromAt: number;
  readonly timeZone: string;
}

/** A plant's zone history, ascending by fromAt, never empty. */
export type Zones = readonly ZoneSince[];

/** The instants of a local day: startAt is included, endAt is not. Both are equal for a day that the zone skipped. */
export interface DayWindow {
  readonly startAt: number;
  readonly endAt: number;
}

/**
 * The local calendar of a plant across DST and changes of its zone. Days are yyyymmdd and never run
 * backwards: an instant belongs to the latest day that the plant's wall clock has shown so far.
 */
export interface PlantCalendar {
  dayOf(at: number): number;
  dayWindow(day: number): DayWindow;
  /** 12:00 on that day's wall clock; the middle of the day's window if 12:00 is outside it. */
  noonOf(day: number): number;
  /** Milliseconds by which the plant's wall clock is ahead of UTC at an instant. */
  offsetAt(at: number): number;
}

const calendars = new WeakMap<Zones, PlantCalendar>();
const calendarsByText = createCache<string, PlantCalendar>(2_000);

/** The calendar of a zone history; equal histories share one calendar. */
export function calendarOf(zones: Zones): PlantCalendar {
  const known = calendars.get(zones);
  if (known) return known;
  const text = zones.map((zone) => `${zone.fromAt} ${zone.timeZone}`).join(',');
  let calendar = calendarsByText.get(text);
  if (!calendar) calendarsByText.set(text, (calendar = createCalendar(zones)));
  calendars.set(zones, calendar);
  return calendar;
}

const zoneHistories = new Map<string, Zones>();

/** The history of a plant that has never changed its zone. All such plants in a zone share one list, so that `calendarOf` finds their calendar at once. */
export function zonesSinceEver(timeZone: string): Zones {
  let zones = zoneHistories.get(timeZone);
  if (!zones) zoneHistories.set(timeZone, (zones = [{ fromAt: 0, timeZone }]));
  return zones;
}

/** The calendar of a plant that never changed its zone. */
export const calendarOfZone = (timeZone: string): PlantCalendar =>
  calendarOf(zonesSinceEver(timeZone));

/** Name of the zone in force at an instant. */
export const timeZoneAt = (zones: Zones, at: number): string =>
  (zones.findLast(({ fromAt }) => fromAt <= at) ?? zones[0]!).timeZone;

/** The local day (yyyymmdd) of an instant. */
export const dayOf = (zones: Zones, at: number): number => calendarOf(zones).dayOf(at);
/** The instants of a local day, as `PlantCalendar.dayWindow`. */
export const dayWindow = (zones: Zones, day: number): DayWindow => calendarOf(zones).dayWindow(day);
/** Noon of a local day, epoch ms. */
export const noonOf = (zones: Zones, day: number): number => calendarOf(zones).noonOf(day);
/** Milliseconds by which the plant's wall clock is ahead of UTC. */
export const offsetAt = (zones: Zones, at: number): number => calendarOf(zones).offsetAt(at);
/** What the plant's wall clock shows: `yyyy-MM-dd HH:mm:ss`. */
export const wallTime = (zones: Zones, at: number): string =>
  new Date(at + offsetAt(zones, at)).toISOString().slice(0, 19).replace('T', ' ');

/** Later than any day (yyyymmdd) and any month (yyyymm): for ranges without an end. */
export const [END_OF_DAYS, LAST_MONTH] = [99_999_999, 999_912] as const;

/** The month (yyyymm) of a day. */
export const monthOf = (day: number): number => Math.trunc(day / 100);
/** The year (yyyy) of a day. */
export const yearOf = (day: number): number => Math.trunc(day / 10_000);

/** A day as text: `2026-11-06`. */
export const dayText = (day: number): string =>
  String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

/** The day `days` later (or earlier) in the calendar. */
export function addDays(day: number, days: number): number {
  return dayOfWall(wallOfDay(day) + days * DAY_MS);
}

/** All days from one to another, ascending; none if that is earlier. */
export function daysBetween(fromDay: number, toDay: number): number[] {
  const days: number[] = [];
  for (let day = fromDay; day <= toDay; day = addDays(day, 1)) days.push(day);
  return days;
}

/** First and last day of a month (yyyymm). */
export function daysOfMonth(month: number): { fromDay: number; toDay: number } {
  const last = new Date(Date.UTC(Math.trunc(month / 100), month % 100, 0)).getUTCDate();
  return { fromDay: month * 100 + 1, toDay: month * 100 + last };
}

/** 00:00 of a day on the wall clock, in milliseconds as if it showed UTC. */
export const wallOfDay = (day: number): number =>
  Date.UTC(yearOf(day), (monthOf(day) % 100) - 1, day % 100);

/** The day of a wall-clock time (milliseconds as if it were UTC). */
export function dayOfWall(wall: number): number {
  const date = new Date(wall);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

const HALF_DAY_MS = 43_200_000;
const WINDOWS_KEPT = 5_000;

interface Era {
  readonly fromAt: number;
  readonly toAt: number;
  readonly zone: LocalZone;
}

const isIn = ({ startAt, endAt }: DayWindow, at: number): boolean => at >= startAt && at < endAt;

function createCalendar(zones: Zones): PlantCalendar {
  const eras: Era[] = zones.map(({ timeZone, fromAt }, i) => ({
    fromAt: i === 0 ? Number.NEGATIVE_INFINITY : fromAt,
    toAt: zones[i + 1]?.fromAt ?? Number.POSITIVE_INFINITY,
    zone: createLocalZone(timeZone),
  }));
  const windows = createCache<number, DayWindow>(WINDOWS_KEPT);
  // Almost every call is about the same day as the one before, or at midnight about one of the same two days, so remember them.
  let last: { day: number; window: DayWindow } = { day: 0, window: { startAt: 0, endAt: 0 } };
  let former = last;

  /** The first instant at which the wall clock shows that day or a later one. */
  const startOf = (day: number): number => {
    const wall = wallOfDay(day);
    for (const { fromAt, toAt, zone } of eras) {
      const at = Math.max(fromAt, zone.firstReaching(wall));
      if (at < toAt) return at;
    }
    throw new RangeError(`no instant reaches day ${day}`);
  };

  const windowOf = (day: number): DayWindow => {
    if (day === last.day) return last.window;
    if (day === former.day) return former.window;
    let window = windows.get(day);
    if (!window)
      windows.set(day, (window = { startAt: startOf(day), endAt: startOf(addDays(day, 1)) }));
    return window;
  };

  const wallOffset = (at: number): number =>
    eras.findLast((era) => era.fromAt <= at)!.zone.offsetAt(at);

  return {
    dayWindow: windowOf,
    offsetAt: wallOffset,
    dayOf(at) {
      if (isIn(last.window, at)) return last.day;
      [last, former] = [former, last];
      if (isIn(last.window, at)) return last.day;
      let day = 0;
      for (const { fromAt, toAt, zone } of eras) {
        if (fromAt > at) break;
        const end = Math.min(at, toAt - 1);
        day = Math.max(day, dayOfWall(end + zone.offsetAt(end)));
      }
      // The wall clock may have shown a later day before it was put back.
      while (windowOf(day).endAt <= at) day = addDays(day, 1);
      last = { day, window: windowOf(day) };
      return day;
    },
    noonOf(day) {
      const { startAt, endAt } = windowOf(day);
      const guess = startAt + HALF_DAY_MS;
      const noon = wallOfDay(day) + HALF_DAY_MS - wallOffset(guess);
      const settled = wallOfDay(day) + HALF_DAY_MS - wallOffset(noon);
      return settled >= startAt && settled < endAt ? settled : Math.floor((startAt + endAt) / 2);
    },
  };
}
