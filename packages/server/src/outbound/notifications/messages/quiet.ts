import { MINUTE_MS } from '@helioport/contract/durations';
import { addDays, calendarOfZone, wallOfDay } from '../../../platform/calendar/plant-calendar.ts';
import { createLocalZone } from '../../../platform/calendar/local-zone.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { NotificationSettings } from '../settings/settings.ts';

/** When the quiet hours end that an instant is in; undefined if it is in none. Where clocks change, what counts is what they show. */
export function quietUntil(
  quiet: NotificationSettings['quiet'],
  timeZone: string,
  at: Instant,
): Instant | undefined {
  if (quiet === null || quiet.from === quiet.to) return undefined;
  const zone = createLocalZone(timeZone);
  const today = calendarOfZone(timeZone).dayOf(at);
  const minute = Math.floor((at + zone.offsetAt(at) - wallOfDay(today)) / MINUTE_MS);
  const { from, to } = quiet;
  const isOver = from < to ? minute < from || minute >= to : minute < from && minute >= to;
  if (isOver) return undefined;
  const endDay = from < to || minute < to ? today : addDays(today, 1);
  const end = zone.firstReaching(wallOfDay(endDay) + to * MINUTE_MS);
  // After the clock was put back over the end, it is quiet again until it shows the end a second time.
  return end > at ? end : at - (at % MINUTE_MS) + (to - minute) * MINUTE_MS;
}
