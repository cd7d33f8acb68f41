import { weekDays } from '@helioport/contract';
import type { Hours } from '../../../packages/server/src/control/strategies/plan/week-spans.ts';

/** What a wall clock shows. */
export interface WallClock {
  /** 0 = Monday. */
  readonly weekDay: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a zone's wall clock shows at an instant, found without the server's calendar. */
export function wallClock(timeZone: string, at: number): WallClock {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  return {
    weekDay: weekDays.indexOf(parts['weekday']!.toLowerCase() as 'mon'),
    minute: Number(parts['hour']) * 60 + Number(parts['minute']),
  };
}

/** Whether a clock shows a time within hours. */
export function isWithin(
  { days = weekDays, start, end }: Hours,
  { weekDay, minute }: WallClock,
): boolean {
  const [from, to] = [start, end].map(
    (clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)),
  ) as [number, number];
  const today = days.includes(weekDays[weekDay]!);
  const yesterday = days.includes(weekDays[(weekDay + 6) % 7]!);
  return from < to
    ? today && minute >= from && minute < to
    : (today && minute >= from) || (yesterday && minute < to);
}
