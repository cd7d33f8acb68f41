import { expect, test } from 'vitest';
import type { Report } from '../../packages/collector/src/report.ts';
import { createSiteTime } from '../../packages/collector/src/site/site-time.ts';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const SECOND = 1_000;

/** A machine: its clock, and how long it has run. */
function machine(clockAt: number, notBefore = 0) {
  const delivered: Report[] = [];
  // A process counts in fractions of a millisecond.
  const state = { clock: clockAt, uptime: 5 * SECOND + 0.123_4 };
  const time = createSiteTime({
    clock: { now: () => state.clock },
    uptime: () => state.uptime,
    notBefore,
    deliver: (report) => delivered.push(report) > 0,
  });
  return {
    time,
    state,
    pass(ms: number): void {
      state.clock += ms;
      state.uptime += ms;
    },
    measure: () => time.report({ readings: [{ sn: 'A', at: time.now(), values: {} }] }, 'live'),
    times: () => delivered.flatMap(({ readings = [] }) => readings.map(({ at }) => at)),
  };
}

test('what is measured on a machine that starts in 1970 is dated when the network has set its clock', () => {
  const one = machine(0);
  one.measure();
  one.pass(600 * SECOND);
  one.measure();
  one.pass(60 * SECOND);
  expect(one.time.isKnown).toBe(false);
  one.state.clock = NOON;
  one.time.check();
  expect(one.times()).toEqual([NOON - 660 * SECOND, NOON - 60 * SECOND]);
  one.pass(SECOND);
  one.measure();
  expect(one.times().at(-1)).toBe(NOON + SECOND);
  expect(one.times().every(Number.isInteger)).toBe(true);
});

test('the word of the server dates it as well, and goes before a clock that is minutes off', () => {
  const one = machine(0);
  one.measure();
  one.pass(90 * SECOND);
  one.time.heard(NOON);
  expect(one.times()).toEqual([NOON - 90 * SECOND]);
  one.pass(60 * SECOND);
  expect(one.time.now()).toBe(NOON + 60 * SECOND);
  // The network sets the clock, by a few seconds elsewhere: that is as good.
  one.state.clock = NOON + 63 * SECOND;
  one.time.heard(NOON + 60 * SECOND);
  expect(one.time.now()).toBe(NOON + 63 * SECOND);
});

test('times are whole milliseconds, as the server takes them, though the uptime has fractions', () => {
  const one = machine(NOON);
  one.state.uptime += 0.0723;
  one.pass(20 * SECOND);
  one.state.uptime += 0.4;
  one.measure();
  one.pass(20 * SECOND);
  one.measure();
  expect(one.times()).toHaveLength(2);
  for (const at of [...one.times(), one.time.now()]) expect(Number.isInteger(at)).toBe(true);
});

test('a clock that goes on where the machine was switched off is not believed', () => {
  const yesterday = NOON - 86_400 * SECOND;
  const one = machine(yesterday, yesterday + 3_600 * SECOND);
  one.measure();
  one.pass(60 * SECOND);
  one.time.check();
  expect(one.time.isKnown).toBe(false);
  one.state.clock = NOON;
  one.measure();
  expect(one.times()).toEqual([NOON - 60 * SECOND, NOON]);
});

test('a clock that can be right is believed when the server has said nothing for ten seconds', () => {
  const one = machine(NOON);
  one.measure();
  expect(one.times()).toEqual([]);
  one.pass(10 * SECOND);
  one.time.check();
  expect(one.times()).toEqual([NOON]);
});

test('a report is on the disk as soon as the time is known, be it from the machine or from the server', () => {
  const unset = machine(0);
  expect(unset.measure()).toBe(false);
  unset.time.heard(NOON);
  expect(unset.measure()).toBe(true);
  const set = machine(NOON);
  expect(set.measure()).toBe(false);
  set.pass(20 * SECOND);
  expect([set.measure(), set.measure()]).toEqual([true, true]);
});

test.each([
  Date.UTC(9999, 11, 31),
  Date.UTC(2100, 0, 2),
  Date.UTC(2025, 0, 1),
  0,
  -1,
  Infinity,
  NaN,
])('a time that cannot be is not believed, whoever tells it: %d', (told) => {
  const set = machine(NOON);
  set.time.heard(told);
  expect(set.time.now()).toBe(NOON);
  const unset = machine(0);
  unset.time.heard(told);
  unset.measure();
  expect([unset.time.isKnown, unset.times()]).toEqual([false, []]);
  unset.time.heard(NOON);
  expect(unset.times()).toEqual([NOON]);
});
