import { addDays, calendarOfZone, wallOfDay } from '../../platform/calendar/plant-calendar.ts';
import { createLocalZone } from '../../platform/calendar/local-zone.ts';
import type { Instant } from '../../platform/storage/database.ts';

/** When summaries are sent: at seven by the account's wall clock, that of the week on Mondays. */
const MORNING_MS = 7 * 3_600_000;

const MONDAY = 1;
const weekDayOf = (day: number): number => new Date(wallOfDay(day)).getUTCDay();

/** The Monday on or before a day. */
export const mondayOf = (day: number): number => addDays(day, -((weekDayOf(day) + 6) % 7));

/** Seven o'clock of a local day; if the clock skips it, the next moment that there is. */
const morningOf = (timeZone: string, day: number): Instant =>
  createLocalZone(timeZone).firstReaching(wallOfDay(day) + MORNING_MS);

/** The first morning after an instant. */
export function nextMorning(timeZone: string, after: Instant): Instant {
  const today = calendarOfZone(timeZone).dayOf(after);
  const morning = morningOf(timeZone, today);
  return morning > after ? morning : morningOf(timeZone, addDays(today, 1));
}

/** The first Monday morning after an instant. */
export function nextMonday(timeZone: string, after: Instant): Instant {
  for (let day = calendarOfZone(timeZone).dayOf(after); ; day = addDays(day, 1)) {
    if (weekDayOf(day) === MONDAY && morningOf(timeZone, day) > after)
      return morningOf(timeZone, day);
  }
}

/** The last Monday morning that has come. */
export function lastMonday(
  timeZone: string,
  at: Instant,
): { readonly day: number; readonly at: Instant } {
  for (let day = calendarOfZone(timeZone).dayOf(at); ; day = addDays(day, -1)) {
    if (weekDayOf(day) === MONDAY && morningOf(timeZone, day) <= at)
      return { day, at: morningOf(timeZone, day) };
  }
}
