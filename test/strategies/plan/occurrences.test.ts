import { weekDays } from '@helioport/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offsetChanges } from '../../../packages/server/src/platform/calendar/offset-changes.ts';
import {
  calendarOfZone,
  zonesSinceEver,
} from '../../../packages/server/src/platform/calendar/plant-calendar.ts';
import { occurrences } from '../../../packages/server/src/control/strategies/plan/occurrences.ts';
import {
  firstOverlap,
  outside,
  weekSpans,
  type Hours,
} from '../../../packages/server/src/control/strategies/plan/week-spans.ts';
import { isWithin, wallClock } from './naive-plan.ts';

const MINUTE_MS = 60_000;

/** When hours apply between two instants, as `from to` in UTC. */
function timesOf(hours: Hours, timeZone: string, from: string, to: string): string[] {
  const found = occurrences(
    zonesSinceEver(timeZone),
    weekSpans([hours]),
    Date.parse(from),
    Date.parse(to),
  );
  return found.map(({ fromAt, toAt }) =>
    [fromAt, toAt]
      .map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '))
      .join(' to '),
  );
}

/** Zones, the local days on which they change their clocks, and the hour that is skipped or repeated. */
const changes = [
  { timeZone: 'Europe/Berlin', spring: '2026-03-29', autumn: '2026-10-25' },
  { timeZone: 'America/New_York', spring: '2026-03-08', autumn: '2026-11-01' },
  // By half an hour.
  { timeZone: 'Australia/Lord_Howe', spring: '2026-10-04', autumn: '2026-04-05' },
] as const;

describe('hours of a plan', () => {
  test('are those of the plant’s wall clock, every day', () => {
    expect(
      timesOf(
        { start: '17:00', end: '20:30' },
        'Asia/Kathmandu',
        '2026-06-01T00:00Z',
        '2026-06-03T00:00Z',
      ),
    ).toEqual(['2026-06-01 11:15 to 2026-06-01 14:45', '2026-06-02 11:15 to 2026-06-02 14:45']);
  });

  test('that end before they begin extend into the next day, and count for the day on which they begin', () => {
    const night: Hours = { days: ['fri', 'sun'], start: '22:00', end: '06:00' };
    // 5 June 2026 is a Friday.
    expect(timesOf(night, 'UTC', '2026-06-01T00:00Z', '2026-06-09T00:00Z')).toEqual([
      '2026-06-01 00:00 to 2026-06-01 06:00',
      '2026-06-05 22:00 to 2026-06-06 06:00',
      '2026-06-07 22:00 to 2026-06-08 06:00',
    ]);
  });

  test('may be the whole day, which then follows itself', () => {
    expect(
      timesOf({ start: '00:00', end: '24:00' }, 'UTC', '2026-06-01T12:00Z', '2026-06-02T12:00Z'),
    ).toEqual(['2026-06-01 12:00 to 2026-06-02 00:00', '2026-06-02 00:00 to 2026-06-02 12:00']);
  });

  test('that the clocks skip are left out, and those that they repeat count twice', () => {
    const berlin = (start: string, end: string, day: string): string[] =>
      timesOf({ start, end }, 'Europe/Berlin', `${day}T00:00+01:00`, `${day}T12:00Z`);
    // 02:00 becomes 03:00 at 01:00 UTC.
    expect(berlin('02:00', '03:00', '2026-03-29')).toEqual([]);
    expect(berlin('02:15', '02:45', '2026-03-29')).toEqual([]);
    expect(berlin('01:00', '02:30', '2026-03-29')).toEqual([
      '2026-03-29 00:00 to 2026-03-29 01:00',
    ]);
    expect(berlin('02:30', '04:00', '2026-03-29')).toEqual([
      '2026-03-29 01:00 to 2026-03-29 02:00',
    ]);
    expect(berlin('01:00', '04:00', '2026-03-29')).toEqual([
      '2026-03-29 00:00 to 2026-03-29 02:00',
    ]);
    // 03:00 becomes 02:00 at 01:00 UTC.
    expect(berlin('02:00', '03:00', '2026-10-25')).toEqual([
      '2026-10-25 00:00 to 2026-10-25 02:00',
    ]);
    expect(berlin('02:15', '02:45', '2026-10-25')).toEqual([
      '2026-10-25 00:15 to 2026-10-25 00:45',
      '2026-10-25 01:15 to 2026-10-25 01:45',
    ]);
    expect(berlin('01:00', '04:00', '2026-10-25')).toEqual([
      '2026-10-24 23:00 to 2026-10-25 03:00',
    ]);
  });

  test.each(changes)(
    'apply in $timeZone whenever its clock shows them, on the days of both changes',
    ({ timeZone, spring, autumn }) => {
      const zones = zonesSinceEver(timeZone);
      const plan: Hours[] = [
        { start: '00:30', end: '02:10' },
        { start: '02:10', end: '02:40' },
        { start: '02:40', end: '03:00' },
        { days: ['sun'], start: '03:00', end: '05:00' },
        { days: ['sat', 'sun'], start: '23:00', end: '00:30' },
      ];
      for (const day of [spring, autumn]) {
        const { startAt, endAt } = calendarOfZone(timeZone).dayWindow(
          Number(day.replaceAll('-', '')),
        );
        const found = occurrences(zones, weekSpans(plan), startAt, endAt);
        expect((endAt - startAt) / MINUTE_MS).not.toBe(1440);
        for (let at = startAt; at < endAt; at += 5 * MINUTE_MS) {
          const clock = wallClock(timeZone, at);
          const expected = plan.flatMap((hours, i) => (isWithin(hours, clock) ? [i] : []));
          expect([
            new Date(at).toISOString(),
            ...found
              .filter(({ fromAt, toAt }) => fromAt <= at && at < toAt)
              .map(({ index }) => index),
          ]).toEqual([new Date(at).toISOString(), ...expected]);
        }
      }
    },
  );

  const clockTime = (most: number) => fc.integer({ min: 0, max: most }).map((n) => 5 * n);
  const text = (minute: number): string =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const hoursOf = fc
    .record({
      days: fc.option(fc.subarray([...weekDays], { minLength: 1 }), { nil: undefined }),
      from: clockTime(287),
      to: clockTime(288),
    })
    .filter(({ from, to }) => from !== to)
    .map(({ days, from, to }): Hours => ({
      ...(days && { days }),
      start: text(from),
      end: text(to),
    }));

  test('apply exactly when the clock shows them, whatever the plan and the owner’s quiet hours', () => {
    const span = fc.record({
      timeZone: fc.constantFrom(
        'Europe/Berlin',
        'America/New_York',
        'Australia/Lord_Howe',
        'Asia/Kathmandu',
        'America/Santiago',
        'Africa/Casablanca',
      ),
      fromAt: fc
        .integer({
          min: Date.parse('2026-01-01') / MINUTE_MS,
          max: Date.parse('2027-01-01') / MINUTE_MS,
        })
        .map((minute) => minute * MINUTE_MS),
    });
    fc.assert(
      fc.property(
        span,
        fc.array(hoursOf, { minLength: 1, maxLength: 4 }),
        fc.array(hoursOf, { maxLength: 2 }),
        ({ timeZone, fromAt }, plan, quiet) => {
          const toAt = fromAt + 2 * 1440 * MINUTE_MS;
          const found = occurrences(
            zonesSinceEver(timeZone),
            outside(weekSpans(plan), weekSpans(quiet)),
            fromAt,
            toAt,
          );
          for (let at = fromAt; at < toAt; at += 35 * MINUTE_MS) {
            const clock = wallClock(timeZone, at);
            const isQuiet = quiet.some((hours) => isWithin(hours, clock));
            const expected = plan.flatMap((hours, i) =>
              !isQuiet && isWithin(hours, clock) ? [i] : [],
            );
            expect(
              found
                .filter((one) => one.fromAt <= at && at < one.toAt)
                .map(({ index }) => index)
                .toSorted((a, b) => a - b),
            ).toEqual(expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('overlap if they have a minute in common on any day', () => {
    const overlap = (...hours: Hours[]): readonly number[] | undefined => {
      const found = firstOverlap(weekSpans(hours));
      return found && [found.span.index, found.other.index];
    };
    expect(
      overlap({ start: '10:00', end: '12:00' }, { start: '12:00', end: '13:00' }),
    ).toBeUndefined();
    expect(overlap({ start: '10:00', end: '12:00' }, { start: '11:59', end: '13:00' })).toEqual([
      1, 0,
    ]);
    expect(overlap({ start: '00:00', end: '24:00' }, { start: '11:59', end: '13:00' })).toEqual([
      1, 0,
    ]);
    expect(
      overlap(
        { days: ['mon'], start: '10:00', end: '12:00' },
        { days: ['tue'], start: '10:00', end: '12:00' },
      ),
    ).toBeUndefined();
    expect(
      overlap(
        { days: ['mon'], start: '22:00', end: '02:00' },
        { days: ['tue'], start: '01:00', end: '03:00' },
      ),
    ).toEqual([1, 0]);
    expect(
      overlap(
        { days: ['mon'], start: '01:00', end: '03:00' },
        { days: ['sun'], start: '22:00', end: '02:00' },
      ),
    ).toEqual([0, 1]);
    expect(
      overlap(
        { start: '10:00', end: '11:00' },
        { start: '10:10', end: '10:20' },
        { start: '10:30', end: '10:40' },
      ),
    ).toEqual([1, 0]);
    // A span of a whole day follows itself and does not overlap.
    expect(overlap({ start: '12:00', end: '11:59' })).toBeUndefined();
  });

  test('overlap with others across the end of the week', () => {
    const night = weekSpans([{ days: ['sun'], start: '22:00', end: '02:00' }]);
    const monday = weekSpans([{ days: ['mon'], start: '01:00', end: '03:00' }]);
    expect(
      [firstOverlap(night, monday), firstOverlap(monday, night)].map(
        (found) => found !== undefined,
      ),
    ).toEqual([true, true]);
    expect(
      firstOverlap(weekSpans([{ days: ['mon'], start: '02:00', end: '03:00' }]), night),
    ).toBeUndefined();
    expect(outside(monday, night)).toEqual([{ index: 0, fromMinute: 120, toMinute: 180 }]);
  });
});

test('the instants at which clocks change are found to the millisecond', () => {
  const between = (from: string, to: string) =>
    offsetChanges(calendarOfZone('Europe/Berlin'), Date.parse(from), Date.parse(to)).map((at) =>
      new Date(at).toISOString(),
    );
  expect(between('2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-10-25T01:00:00.000Z',
  ]);
  expect(between('2026-03-29T01:00Z', '2026-03-30T00:00Z')).toEqual([]);
  expect(between('2026-03-29T00:59:59.999Z', '2026-03-29T01:00Z')).toEqual([]);
  expect(between('2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.001Z')).toEqual([
    '2026-03-29T01:00:00.000Z',
  ]);
});
