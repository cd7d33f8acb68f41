import { describe, expect, test } from 'vitest';
import {
  energyValue,
  forget,
  keptOf,
  newCounter,
  nextDayToday,
  nextDayTotal,
  type Counter,
  type CounterDay,
} from '../../packages/server/src/measurements/energy/counter.ts';
import { calendarOfZone } from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { observeCounter } from '../../packages/server/src/measurements/energy/observe-counter.ts';

const MWH = 1_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-06-15T00:00:00Z');
const calendar = calendarOfZone('UTC');
const hourAt = (hour: number): number => START + Math.round(hour * HOUR_MS);

/** Hours after the day's beginning, and kWh. */
type Reading = readonly [hour: number, kwh: number];

interface Step {
  readonly name: string;
  readonly daily?: boolean;
  readonly day?: Partial<CounterDay>;
  readonly readings: readonly Reading[];
  /** Growth of the day, kWh. */
  readonly kwh: number;
  readonly base: Reading;
  readonly broken?: boolean;
  readonly pending?: number;
  readonly left?: Reading;
  readonly crossing?: { readonly fromHour: number; readonly kwh: number };
  /** Worth of the growth, where prices vary. */
  readonly amount?: number;
}

// A counter can grow by 4 kW: 2 kWh in a quarter of an hour or less, 5 in an hour, 9 in two, with 1 kWh of tolerance.
const LIMITS = { limitW: 4000, resetLimitW: 4000 };

/** Observes readings of the day before and of the day, as the fold does. */
function observed({ daily = false, day, readings }: Pick<Step, 'daily' | 'day' | 'readings'>) {
  let counter = newCounter();
  let crossing: ReturnType<typeof observeCounter>;
  let startAt = START - 2 * DAY_MS;
  for (const [hour, kwh] of readings) {
    const at = hourAt(hour);
    if (hour >= 0 && startAt < START) {
      startAt = START;
      if (counter.seen) counter = daily ? nextDayToday(counter) : nextDayTotal(counter, at);
    }
    crossing = observeCounter(
      counter,
      Math.round(kwh * MWH),
      at,
      { startAt, sinceAt: 0, steps: undefined, calendar, ...day },
      { ...LIMITS, daily },
    );
  }
  return { counter, crossing };
}

const steps: Step[] = [
  // Growth
  {
    name: 'growth at the limit counts',
    readings: [
      [1, 100],
      [2, 105],
    ],
    kwh: 5,
    base: [2, 105],
  },
  {
    name: 'growth above it waits',
    readings: [
      [1, 100],
      [2, 105.001],
    ],
    kwh: 0,
    base: [1, 100],
    pending: 105.001,
  },
  {
    name: 'a counter at 0 that stands still is read',
    readings: [
      [1, 0],
      [5, 0],
    ],
    kwh: 0,
    base: [5, 0],
  },
  // A jump that a second reading confirms
  {
    name: 'a jump is confirmed by growth at the limit',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 200],
      [3, 205],
    ],
    kwh: 6,
    broken: true,
    base: [3, 205],
    left: [1, 100],
  },
  {
    name: 'but not by another jump',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 200],
      [3, 290],
    ],
    kwh: 1,
    base: [1, 100],
    pending: 290,
  },
  {
    name: 'a jump from 0 leaves that level',
    readings: [
      [0.5, 0],
      [1, 0],
      [2, 500],
      [3, 501],
    ],
    kwh: 1,
    base: [3, 501],
  },
  {
    name: 'a jump after two readings of 0 still leaves the level before them',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 0],
      [2.25, 0],
      [3, 700],
      [3.25, 700],
    ],
    kwh: 1,
    broken: true,
    base: [3.25, 700],
    left: [1, 100],
  },
  // Midnight
  {
    name: 'growth since midnight is the day’s',
    readings: [
      [-1, 99],
      [0, 100],
      [0.5, 101],
    ],
    kwh: 1,
    base: [0.5, 101],
  },
  {
    name: 'growth from before is divided',
    readings: [
      [-0.5, 100],
      [0.5, 101],
    ],
    kwh: 0,
    base: [0.5, 101],
    crossing: { fromHour: -0.5, kwh: 1 },
  },
  {
    name: 'no growth is not',
    readings: [
      [-0.5, 100],
      [0.5, 100],
    ],
    kwh: 0,
    base: [0.5, 100],
  },
  {
    name: 'growth is valued at the prices since the last reading',
    day: { steps: { fromAts: [START, hourAt(1)], prices: [1, 3] } },
    readings: [
      [1, 100],
      [3, 104],
    ],
    kwh: 4,
    amount: 12,
    base: [3, 104],
  },
  {
    name: 'of two jumps the later one leaves its level',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 200],
      [2.25, 200],
      [3, 300],
      [3.25, 300],
    ],
    kwh: 1,
    broken: true,
    base: [3.25, 300],
    left: [2.25, 200],
  },
  // A fall
  {
    name: 'a reset right after the first reading counts likewise',
    readings: [
      [1, 100],
      [2, 4],
      [2.5, 5],
    ],
    kwh: 5,
    base: [2.5, 5],
    left: [1, 100],
  },
  {
    name: 'a roll-over at the limit counts',
    readings: [
      [0.5, 998],
      [1, 999],
      [2, 4],
      [2.5, 5],
    ],
    kwh: 7,
    base: [2.5, 5],
    left: [1, 999],
  },
  {
    name: 'a reset at the limit of the time in which it happened counts',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 5],
      [2.5, 6],
    ],
    kwh: 7,
    base: [2.5, 6],
    left: [1, 100],
  },
  {
    name: 'a fall to more than that is another device’s level, however long the next reading is ahead',
    readings: [
      [0.5, 99],
      [1, 100],
      [1.5, 4],
      [20, 5.5],
    ],
    kwh: 2.5,
    broken: true,
    base: [20, 5.5],
    left: [1, 100],
  },
  {
    name: 'a fall of no more than the day has counted is a correction',
    readings: [
      [0.5, 99],
      [1, 102],
      [1.5, 100.5],
      [2, 100.6],
    ],
    kwh: 1.6,
    base: [2, 100.6],
    left: [1, 102],
  },
  {
    name: 'a counter that fell from before the last tenth of its range was reset',
    readings: [
      [0.5, 898],
      [1, 899],
      [2, 4],
      [2.5, 5],
    ],
    kwh: 6,
    base: [2.5, 5],
    left: [1, 899],
  },
  {
    name: 'a reset before midnight is divided',
    readings: [
      [-2, 99],
      [-1, 100],
      [1, 4],
      [1.5, 5],
    ],
    kwh: 1,
    base: [1.5, 5],
    left: [-1, 100],
    crossing: { fromHour: -1, kwh: 4 },
  },
  // A return
  {
    name: 'a return may be a kilowatt-hour lower',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 12],
      [2.25, 12],
      [2.5, 99],
    ],
    kwh: 1,
    base: [2.5, 100],
  },
  {
    name: 'no lower',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 12],
      [2.25, 12],
      [2.5, 98.9],
    ],
    kwh: 1,
    broken: true,
    base: [2.25, 12],
    left: [1, 100],
    pending: 98.9,
  },
  {
    name: 'a return yields what grew at the limit',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 12],
      [2.25, 12],
      [3, 109],
    ],
    kwh: 10,
    base: [3, 109],
  },
  {
    name: 'growth at the limit of the new level is no return',
    readings: [
      [0.5, 99],
      [1, 100],
      [2, 12],
      [2.25, 12],
      [24.25, 101],
    ],
    kwh: 90,
    broken: true,
    base: [24.25, 101],
    left: [1, 100],
  },
  {
    name: 'a return to a level of midnight is the day’s',
    readings: [
      [-0.5, 99],
      [0, 100],
      [0.5, 12],
      [0.75, 12],
      [2, 104],
    ],
    kwh: 4,
    base: [2, 104],
  },
  {
    name: 'a return to a level of the day before is divided',
    readings: [
      [-1, 100],
      [0.5, 12],
      [0.75, 12],
      [1, 104],
    ],
    kwh: 0,
    base: [1, 104],
    crossing: { fromHour: -1, kwh: 4 },
  },
  {
    name: 'even if it is a single step',
    readings: [
      [-2, 99],
      [-1, 100],
      [0.5, 12],
      [0.75, 12],
      [1, 100.1],
    ],
    kwh: 0,
    base: [1, 100.1],
    crossing: { fromHour: -1, kwh: 0.1 },
  },
  {
    name: 'a return is valued at the prices since the counter left',
    day: { steps: { fromAts: [START, hourAt(1)], prices: [1, 3] } },
    readings: [
      [0.5, 99],
      [1, 100],
      [1.5, 12],
      [1.75, 12],
      [3, 104],
    ],
    kwh: 5,
    amount: 13,
    base: [3, 104],
  },
  {
    name: 'from 0 a counter returns, even if it could have grown as far',
    readings: [
      [0.5, 2],
      [1, 3],
      [2, 0],
      [2.25, 0],
      [3, 3.2],
    ],
    kwh: 1.2,
    base: [3, 3.2],
  },
  // Daily counters
  {
    name: 'a daily counter of whole kilowatt-hours has a step of one',
    daily: true,
    readings: [
      [1, 5],
      [2, 4],
    ],
    kwh: 5,
    base: [2, 5],
  },
  {
    name: 'another one has a step of a tenth',
    daily: true,
    readings: [
      [1, 5],
      [2, 4.5],
    ],
    kwh: 5,
    base: [1, 5],
    pending: 4.5,
  },
  {
    name: 'a daily counter begins with what the day can have yielded',
    daily: true,
    readings: [[1, 5]],
    kwh: 5,
    base: [1, 5],
  },
  { name: 'not with more', daily: true, readings: [[1, 5.1]], kwh: 0, base: [1, 5.1] },
  {
    name: 'also where the device came with the day',
    daily: true,
    day: { sinceAt: START },
    readings: [[1, 5]],
    kwh: 5,
    base: [1, 5],
  },
  {
    name: 'not where it came later',
    daily: true,
    day: { sinceAt: START + 1 },
    readings: [[1, 5]],
    kwh: 0,
    base: [1, 5],
  },
  {
    name: 'a daily counter that still shows the level of the evening yields nothing',
    daily: true,
    readings: [
      [-4, 5],
      [2, 5],
    ],
    kwh: 0,
    base: [2, 5],
  },
  {
    name: 'but if it goes on from there without a reset, that level was the day’s',
    daily: true,
    readings: [
      [-4, 5],
      [2, 5],
      [3, 6],
    ],
    kwh: 6,
    base: [3, 6],
  },
  {
    name: 'an equal level is not that of the evening if it is read at noon',
    daily: true,
    readings: [
      [-4, 5],
      [12, 5],
    ],
    kwh: 5,
    base: [12, 5],
  },
  {
    name: 'or twenty hours later',
    daily: true,
    readings: [
      [-18, 5],
      [2, 5],
    ],
    kwh: 5,
    base: [2, 5],
  },
  {
    name: 'one that was read on the day before has been reset, and shows the day at its limit',
    daily: true,
    readings: [
      [-1, 9],
      [1, 5],
    ],
    kwh: 5,
    base: [1, 5],
  },
  {
    name: 'but no more than that',
    daily: true,
    readings: [
      [-1, 9],
      [1, 5.5],
    ],
    kwh: 0,
    base: [-1, 9],
    pending: 5.5,
  },
  {
    name: 'a level that the day cannot have reached is that of the whole day before',
    daily: true,
    readings: [
      [-30, 9],
      [1, 5.5],
    ],
    kwh: 0,
    base: [1, 5.5],
    crossing: { fromHour: -24, kwh: 5.5 },
  },
  {
    name: 'a level of exactly midnight is that of the day before',
    daily: true,
    readings: [
      [-1, 9],
      [0, 9.5],
    ],
    kwh: 0,
    base: [0, 9.5],
    crossing: { fromHour: -1, kwh: 0.5 },
  },
  {
    name: 'so is the very first one',
    daily: true,
    readings: [[0, 9.5]],
    kwh: 0,
    base: [0, 9.5],
    crossing: { fromHour: -24, kwh: 9.5 },
  },
  {
    name: 'unless the device came with the day',
    daily: true,
    day: { sinceAt: START },
    readings: [[0, 9.5]],
    kwh: 0,
    base: [0, 9.5],
  },
  {
    name: 'and one that fell to about zero by midnight, since it was reset a little early',
    daily: true,
    readings: [
      [-0.5, 9],
      [0, 0.2],
    ],
    kwh: 0,
    base: [0, 0.2],
    crossing: { fromHour: -0.5, kwh: 0.2 },
  },
  {
    name: 'a late reset takes back what the first reading of the day brought, which was that of the day before',
    daily: true,
    readings: [
      [-12, 3],
      [6, 7.3],
      [6.25, 7.3],
      [6.5, 0],
      [6.75, 0.1],
    ],
    kwh: 0.1,
    base: [6.75, 0.1],
    left: [6.25, 7.3],
    crossing: { fromHour: -12, kwh: 4.3 },
  },
  {
    name: 'what was seen to grow before it stays',
    daily: true,
    readings: [
      [-12, 3],
      [6, 7.3],
      [6.25, 7.5],
      [6.5, 0],
      [6.75, 0.1],
    ],
    kwh: 0.3,
    base: [6.75, 0.1],
    left: [6.25, 7.5],
    crossing: { fromHour: -12, kwh: 4.3 },
  },
  {
    name: 'a fall that does not reach about zero is a correction',
    daily: true,
    readings: [
      [6, 4],
      [6.25, 3.5],
      [6.5, 3.5],
    ],
    kwh: 3.5,
    base: [6.5, 3.5],
    left: [6, 4],
  },
  {
    name: 'a single fall changes nothing',
    daily: true,
    readings: [
      [6, 4],
      [6.25, 3.5],
      [6.5, 5],
    ],
    kwh: 5,
    base: [6.5, 5],
  },
  {
    name: 'a daily counter that grew for an hour around midnight is divided',
    daily: true,
    readings: [
      [-0.5, 5],
      [0.5, 5.5],
    ],
    kwh: 0,
    base: [0.5, 5.5],
    crossing: { fromHour: -0.5, kwh: 0.5 },
  },
  {
    name: 'after a level of exactly midnight, the counter starts anew',
    daily: true,
    readings: [
      [0, 1],
      [0.5, 0.9],
    ],
    kwh: 0.9,
    base: [0.5, 0.9],
  },
];

test.each(steps)(
  '$name',
  ({ kwh, base, broken = false, pending, left, crossing, amount = 0, ...given }) => {
    const { counter, crossing: found } = observed(given);
    const { level, at } = counter.left ?? {};
    expect([
      counter.energy / MWH,
      counter.amount / MWH,
      counter.broken,
      counter.pending?.level,
    ]).toEqual([kwh, amount, broken, pending && pending * MWH]);
    expect([counter.baseAt, counter.base]).toEqual([hourAt(base[0]), base[1] * MWH]);
    expect([at, level, counter.left?.booked]).toEqual(
      left ? [hourAt(left[0]), left[1] * MWH, false] : [undefined, undefined, undefined],
    );
    expect(found?.crossings.map(({ fromAt, growth }) => [fromAt, growth / MWH])).toEqual(
      crossing && [[hourAt(crossing.fromHour), crossing.kwh]],
    );
  },
);

test.each([
  [true, 5, true],
  [false, 1, true],
  [false, 1.01, false],
])(
  'a counter (daily: %s) read first at %s o’clock knows the whole day: %s',
  (daily, hour, complete) => {
    expect(observed({ daily, readings: [[hour, 1]] }).counter.complete).toBe(complete);
  },
);

test('a first reading that was an error is replaced by the level that is confirmed after it, less what the day had yielded before', () => {
  const counter = newCounter();
  const read = (hour: number, kwh: number) =>
    observeCounter(
      counter,
      kwh * MWH,
      hourAt(hour),
      { startAt: START, sinceAt: 0, steps: undefined, calendar },
      { ...LIMITS, daily: false },
    );
  read(1, 500);
  Object.assign(counter, { opening: { level: 497 * MWH, energy: 3 * MWH }, energy: 3 * MWH });
  read(2, 20);
  read(2.5, 21);
  expect([counter.opening, counter.energy, counter.left, counter.broken]).toEqual([
    { level: 17 * MWH, energy: 3 * MWH },
    4 * MWH,
    undefined,
    false,
  ]);
});

describe('on the next day', () => {
  const left = { level: 100, at: START, leftAt: START + 1, booked: false, given: [] };
  const counter = (change: Partial<Counter>): Counter => ({
    ...newCounter(),
    left,
    seen: true,
    reread: true,
    spread: true,
    ...change,
  });

  test('a total counter starts anew, and remembers for 31 days what it left', () => {
    expect(nextDayTotal(counter({}), START + 31 * DAY_MS)).toEqual({
      ...newCounter(),
      complete: true,
      left,
    });
    expect(nextDayTotal(counter({}), START + 31 * DAY_MS + 1)).toEqual({
      ...newCounter(),
      complete: true,
    });
  });

  test('a daily counter forgets it', () => {
    expect(nextDayToday(counter({ base: 7, energy: 3 }))).toEqual({
      ...newCounter(),
      base: 7,
      complete: true,
    });
    expect(newCounter()).toMatchObject({
      seen: false,
      reread: false,
      broken: false,
      spread: false,
    });
  });

  test.each<[change: Partial<Counter>, booked: boolean]>([
    [{}, false],
    [{ energy: 5, kept: { energy: 5, amount: 0, broken: false, assumed: undefined } }, false],
    [{ energy: 6, kept: { energy: 5, amount: 0, broken: false, assumed: undefined } }, true],
    [{ broken: true }, true],
    [{ broken: true, kept: { energy: 0, amount: 0, broken: true, assumed: undefined } }, false],
    [{ left: { ...left, booked: true } }, true],
  ])('a return would take back what was booked since: %o', (change, booked) => {
    expect(nextDayTotal(counter(change), START + DAY_MS).left?.booked).toBe(booked);
  });
});

test('what is forgotten is the level that waits and the one that was left', () => {
  const counter: Counter = {
    ...newCounter(),
    base: 9,
    pending: { level: 3, at: 1 },
    left: { level: 4, at: 1, leftAt: 2, booked: false, given: [] },
  };
  forget(counter);
  expect(counter).toEqual({ ...newCounter(), base: 9 });
  expect(keptOf(counter)).toEqual({ energy: 0, amount: 0, broken: false, assumed: undefined });
});

test('energy is valued at the mean price of its time', () => {
  const prices = { fromAts: [0, 10], prices: [1, 3] };
  expect([
    energyValue(4, prices, 0, 20),
    energyValue(4, prices, 10, 20),
    energyValue(0, prices, 0, 20),
  ]).toEqual([8, 12, 0]);
});
