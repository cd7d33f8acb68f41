import { readFileSync } from 'node:fs';
import { operations } from '@helioport/contract';
import { expect, test } from 'vitest';
import { GIVEN_UP_AFTER_MS } from '../../packages/server/src/outbound/notifications/messages/settle.ts';
import { ITEMS_AT_ONCE } from '../../packages/server/src/outbound/notifications/messages/plan.ts';
import { quietUntil } from '../../packages/server/src/outbound/notifications/messages/quiet.ts';
import {
  HOLD_AT_MOST_MS,
  HOLD_MS,
  PAUSE_MS,
  releaseToPeople,
  releaseToPrograms,
  type Item,
} from '../../packages/server/src/outbound/notifications/messages/timing.ts';
import {
  lastMonday,
  nextMonday,
  nextMorning,
} from '../../packages/server/src/outbound/notifications/mornings.ts';
import { PLANTS_AT_MOST } from '../../packages/server/src/outbound/notifications/weekly/review.ts';

const at = (text: string): number => Date.parse(text);
const iso = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
const NIGHT = { from: 22 * 60, to: 7 * 60 };
const MINUTE = 60_000;

test.each([
  ['2026-06-15T20:00:00Z', '2026-06-16T05:00:00Z'],
  ['2026-06-15T19:59:59Z', undefined],
  ['2026-06-16T04:59:59Z', '2026-06-16T05:00:00Z'],
  ['2026-06-16T05:00:00Z', undefined],
  // The nights in which clocks are put forward and back have eight and ten hours.
  ['2026-03-28T21:00:00Z', '2026-03-29T05:00:00Z'],
  ['2026-10-24T20:00:00Z', '2026-10-25T06:00:00Z'],
])('quiet hours from 22 to 7 in Berlin, at %s, last until %s', (now, until) => {
  expect(iso(quietUntil(NIGHT, 'Europe/Berlin', at(now)))).toBe(until);
});

test('quiet hours within a day, those that end in an hour that is skipped or comes twice, and none', () => {
  const noon = { from: 12 * 60, to: 14 * 60 };
  expect(iso(quietUntil(noon, 'UTC', at('2026-06-15T12:00:00Z')))).toBe('2026-06-15T14:00:00Z');
  expect(quietUntil(noon, 'UTC', at('2026-06-15T14:00:00Z'))).toBeUndefined();
  expect(quietUntil(noon, 'UTC', at('2026-06-15T11:59:59Z'))).toBeUndefined();
  const early = { from: 22 * 60, to: 2 * 60 + 30 };
  // 02:30 does not exist; 03:00 follows 01:59.
  expect(iso(quietUntil(early, 'Europe/Berlin', at('2026-03-29T00:30:00Z')))).toBe(
    '2026-03-29T01:00:00Z',
  );
  // 02:30 exists twice, and it is quiet before each.
  expect(iso(quietUntil(early, 'Europe/Berlin', at('2026-10-25T00:10:00Z')))).toBe(
    '2026-10-25T00:30:00Z',
  );
  expect(iso(quietUntil(early, 'Europe/Berlin', at('2026-10-25T01:10:20Z')))).toBe(
    '2026-10-25T01:30:00Z',
  );
  expect(quietUntil(null, 'UTC', 0)).toBeUndefined();
  expect(quietUntil({ from: 60, to: 60 }, 'UTC', at('2026-06-15T01:00:00Z'))).toBeUndefined();
});

test.each([
  ['Europe/Berlin', '2026-06-15T04:59:59Z', '2026-06-15T05:00:00Z'],
  ['Europe/Berlin', '2026-06-15T05:00:00Z', '2026-06-22T05:00:00Z'],
  // The week in which clocks change.
  ['Europe/Berlin', '2026-03-27T12:00:00Z', '2026-03-30T05:00:00Z'],
  ['Europe/Berlin', '2026-10-23T12:00:00Z', '2026-10-26T06:00:00Z'],
  ['Pacific/Kiritimati', '2026-06-14T16:00:00Z', '2026-06-14T17:00:00Z'],
  ['America/Los_Angeles', '2026-06-15T13:00:00Z', '2026-06-15T14:00:00Z'],
])('after %s %s, the next Monday morning is at %s', (zone, now, monday) => {
  expect(iso(nextMonday(zone, at(now)))).toBe(monday);
});

test('the last Monday morning is the one that has come', () => {
  expect(lastMonday('Europe/Berlin', at('2026-06-15T05:00:00Z'))).toEqual({
    day: 20260615,
    at: at('2026-06-15T05:00:00Z'),
  });
  expect(lastMonday('Europe/Berlin', at('2026-06-15T04:59:59Z'))).toEqual({
    day: 20260608,
    at: at('2026-06-08T05:00:00Z'),
  });
  expect(lastMonday('Europe/Berlin', at('2026-06-21T21:59:59Z')).day).toBe(20260615);
});

test.each([
  ['UTC', '2026-06-15T06:59:59Z', '2026-06-15T07:00:00Z'],
  ['UTC', '2026-06-15T07:00:00Z', '2026-06-16T07:00:00Z'],
  ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T06:00:00Z'],
  ['Pacific/Auckland', '2026-06-15T23:00:00Z', '2026-06-16T19:00:00Z'],
])('in %s, the morning after %s is %s', (zone, now, morning) => {
  expect(iso(nextMorning(zone, at(now)))).toBe(morning);
});

const item = (alarmId: string, since: number, level = 2): Item => ({
  alarmId,
  level,
  since,
  announced: 0,
});
const day = { quiet: null, urgentPasses: true, timeZone: 'UTC', notifiedAt: null };
const T = at('2026-06-15T12:00:00Z');
const midnight = at('2026-06-15T23:00:00Z');

test('alarms are held for two minutes, and while more come for ten at most', () => {
  const one = [item('1', T)];
  expect(releaseToPeople(one, day, T + 2 * MINUTE - 1)).toEqual({
    items: [],
    nextAt: T + 2 * MINUTE,
  });
  expect(releaseToPeople(one, day, T + 2 * MINUTE)).toEqual({ items: one, nextAt: undefined });
  const stream = [item('1', T), item('2', T + 9 * MINUTE)];
  expect(releaseToPeople(stream, day, T + 9.5 * MINUTE)).toEqual({
    items: [],
    nextAt: T + 10 * MINUTE,
  });
  expect(releaseToPeople(stream, day, T + 10 * MINUTE).items).toEqual(stream);
  expect(releaseToPrograms(stream, day, T + 9.5 * MINUTE)).toEqual({
    items: [],
    nextAt: T + 10 * MINUTE,
  });
  expect(releaseToPeople([], day, T)).toEqual({ items: [], nextAt: undefined });
});

test('people are notified every quarter of an hour at most, except of emergencies; programs at once', () => {
  const notified = { ...day, notifiedAt: T - 5 * MINUTE };
  const one = [item('1', T)];
  expect(releaseToPeople(one, notified, T + 2 * MINUTE)).toEqual({
    items: [],
    nextAt: T + 10 * MINUTE,
  });
  expect(releaseToPeople(one, notified, T + 10 * MINUTE).items).toEqual(one);
  expect(releaseToPrograms(one, day, T + 2 * MINUTE).items).toEqual(one);
  const both = [item('1', T), item('2', T, 3)];
  expect(releaseToPeople(both, notified, T + 2 * MINUTE)).toEqual({
    items: both,
    nextAt: undefined,
  });
});

test('in quiet hours nothing is sent but emergencies, if they may pass', () => {
  const quiet = { ...day, quiet: NIGHT };
  const morning = at('2026-06-16T07:00:00Z');
  const both = [item('1', midnight), item('2', midnight, 3)];
  expect(releaseToPeople(both, quiet, midnight + 2 * MINUTE)).toEqual({
    items: [both[1]],
    nextAt: morning,
  });
  expect(releaseToPeople(both, quiet, midnight + MINUTE)).toEqual({
    items: [],
    nextAt: midnight + 2 * MINUTE,
  });
  expect(releaseToPeople([both[0]!], quiet, midnight + 2 * MINUTE)).toEqual({
    items: [],
    nextAt: morning,
  });
  expect(releaseToPeople(both, { ...quiet, urgentPasses: false }, midnight + 2 * MINUTE)).toEqual({
    items: [],
    nextAt: morning,
  });
  expect(releaseToPeople(both, quiet, morning).items).toEqual(both);
  // Programs, if they have quiet hours, alike.
  expect(releaseToPrograms(both, quiet, midnight + 2 * MINUTE)).toEqual({
    items: [both[1]],
    nextAt: morning,
  });
  expect(releaseToPrograms([both[0]!], quiet, midnight + 2 * MINUTE)).toEqual({
    items: [],
    nextAt: morning,
  });
  expect(releaseToPrograms(both, { ...quiet, urgentPasses: false }, midnight + 2 * MINUTE)).toEqual(
    { items: [], nextAt: morning },
  );
  expect(releaseToPrograms(both, quiet, morning).items).toEqual(both);
});

test('the page about news says how long things take, and names the operations', () => {
  const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8');
  expect(page).toContain(`${HOLD_MS / MINUTE} minutes after it was noticed`);
  expect(page).toContain(`collected for at most ${HOLD_AT_MOST_MS / MINUTE} minutes`);
  expect(page).toContain(`${PAUSE_MS / MINUTE} minutes at the earliest`);
  expect(page).toContain(`until it is ${GIVEN_UP_AFTER_MS / (60 * MINUTE)} hours old`);
  expect(page).toContain(`at most ${ITEMS_AT_ONCE} alarms`);
  expect(page).toContain(`first ${PLANTS_AT_MOST} plants`);
  const named = [...page.matchAll(/^\| `(\S+)` \|/gm)].map(([, id]) => id!);
  const own = Object.values(operations).filter(({ family }) => family === 'notifications');
  expect(named.toSorted()).toEqual(own.map(({ id }) => id as string).toSorted());
});
