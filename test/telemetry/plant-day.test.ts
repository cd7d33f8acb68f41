import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayOf,
  daysOfMonth,
  dayWindow,
  noonOf,
  offsetAt,
  wallTime,
  type Zones,
} from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { localDate } from './naive-model.ts';

const HOUR = 3_600_000;
const one = (timeZone: string): Zones => [{ fromAt: 0, timeZone }];
const hours = (zones: Zones, day: number): number => {
  const { startAt, endAt } = dayWindow(zones, day);
  return (endAt - startAt) / HOUR;
};
const iso = (at: number): string => new Date(at).toISOString();

describe('the calendar of a plant', () => {
  test.each([
    ['Europe/Berlin', 20260329, 23, '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', 20261025, 25, '2026-10-24T22:00:00.000Z'],
    ['America/Denver', 20260308, 23, '2026-03-08T07:00:00.000Z'],
    ['America/Denver', 20261101, 25, '2026-11-01T06:00:00.000Z'],
    ['Australia/Lord_Howe', 20260405, 24.5, '2026-04-04T13:00:00.000Z'],
    ['Australia/Lord_Howe', 20261004, 23.5, '2026-10-03T13:30:00.000Z'],
    ['Asia/Kathmandu', 20260615, 24, '2026-06-14T18:15:00.000Z'],
    ['Pacific/Marquesas', 20260615, 24, '2026-06-15T09:30:00.000Z'],
    ['Pacific/Kiritimati', 20260615, 24, '2026-06-14T10:00:00.000Z'],
    ['UTC', 20260615, 24, '2026-06-15T00:00:00.000Z'],
  ])('in %s %i has %d hours and begins at %s %s', (timeZone, day, length, start) => {
    const zones = one(timeZone);
    expect([hours(zones, day), iso(dayWindow(zones, day).startAt)]).toEqual([length, start]);
  });

  test('a day without a midnight begins when the clocks have been put forward', () => {
    // 2018-11-04: Sao Paulo went from 23:59 to 01:00.
    const zones = one('America/Sao_Paulo');
    expect([wallTime(zones, dayWindow(zones, 20181104).startAt), hours(zones, 20181104)]).toEqual([
      '2018-11-04 01:00:00',
      23,
    ]);
  });

  test('a midnight that comes twice begins one day', () => {
    // 2010-11-07: St. John's went from 00:01 back to 23:01 of the day before.
    const zones = one('America/St_Johns');
    const { startAt } = dayWindow(zones, 20101107);
    expect(iso(startAt)).toBe('2010-11-07T02:30:00.000Z');
    expect(localDate('America/St_Johns', startAt + 2 * 60_000)).toBe(20101106);
    expect([
      dayOf(zones, startAt - 1),
      dayOf(zones, startAt),
      dayOf(zones, startAt + 2 * 60_000),
    ]).toEqual([20101106, 20101107, 20101107]);
  });

  test('a day that a zone skipped has no time', () => {
    const zones = one('Pacific/Apia');
    expect(hours(zones, 20111230)).toBe(0);
    const { startAt } = dayWindow(zones, 20111231);
    expect([dayOf(zones, startAt - 1), dayOf(zones, startAt)]).toEqual([20111229, 20111231]);
  });

  test('a plant that moves to another zone loses and repeats no day', () => {
    const movedAt = Date.parse('2026-06-15T20:00:00Z');
    const west = [
      { fromAt: 0, timeZone: 'Asia/Tokyo' },
      { fromAt: movedAt, timeZone: 'America/New_York' },
    ];
    // 05:00 on the 16th in Tokyo becomes 16:00 on the 15th in New York: the 16th goes on until midnight there.
    expect([
      dayOf(west, movedAt - 1),
      dayOf(west, movedAt),
      dayOf(west, movedAt + 9 * HOUR),
    ]).toEqual([20260616, 20260616, 20260616]);
    expect(hours(west, 20260616)).toBe(37);
    const east = [
      { fromAt: 0, timeZone: 'America/New_York' },
      { fromAt: movedAt, timeZone: 'Asia/Tokyo' },
    ];
    expect([dayOf(east, movedAt - 1), dayOf(east, movedAt)]).toEqual([20260615, 20260616]);
    expect(hours(east, 20260615)).toBe(16);
  });

  test('noon is 12:00 on the wall, also when clocks change', () => {
    for (const day of [20260329, 20261025, 20260615])
      expect(wallTime(one('Europe/Berlin'), noonOf(one('Europe/Berlin'), day))).toMatch(
        / 12:00:00$/,
      );
    expect(wallTime(one('Asia/Kathmandu'), noonOf(one('Asia/Kathmandu'), 20260615))).toBe(
      '2026-06-15 12:00:00',
    );
  });

  test('months and days are counted in the calendar', () => {
    expect(addDays(20251231, 1)).toBe(20260101);
    expect(addDays(20240301, -1)).toBe(20240229);
    expect(daysOfMonth(202602)).toEqual({ fromDay: 20260201, toDay: 20260228 });
    expect(offsetAt(one('Australia/Lord_Howe'), Date.parse('2026-01-01T00:00:00Z'))).toBe(
      11 * HOUR,
    );
  });

  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/Denver',
    'Asia/Kathmandu',
    'Pacific/Marquesas',
    'Pacific/Kiritimati',
    'Africa/Casablanca',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  );
  const instant = fc.integer({
    min: Date.parse('2000-01-02T00:00:00Z'),
    max: Date.parse('2037-12-30T00:00:00Z'),
  });

  test('each instant lies in the window of its day, which is the date on the wall', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const zones = one(timeZone);
        const day = dayOf(zones, at);
        const { startAt, endAt } = dayWindow(zones, day);
        expect(at >= startAt && at < endAt).toBe(true);
        expect(day).toBe(localDate(timeZone, at));
        const noon = noonOf(zones, day);
        expect(noon >= startAt && noon < endAt).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('days follow one another without gap, and never run backwards, whatever zones a plant had', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(zone, instant), { minLength: 1, maxLength: 4 }),
        instant,
        (moves, at) => {
          const times = [...new Set(moves.map(([, fromAt]) => fromAt))].toSorted((a, b) => a - b);
          const zones = times.map((fromAt, i) => ({
            fromAt: i === 0 ? 0 : fromAt,
            timeZone: moves[i]![0],
          }));
          for (const around of [at, ...times]) {
            const day = dayOf(zones, around);
            const window = dayWindow(zones, day);
            expect(around >= window.startAt && around < window.endAt).toBe(true);
            expect(dayWindow(zones, addDays(day, 1)).startAt).toBe(window.endAt);
            expect(dayOf(zones, window.endAt)).toBeGreaterThan(day);
            expect(dayOf(zones, window.startAt - 1)).toBeLessThan(day);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
