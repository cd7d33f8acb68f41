import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { QuantityName } from '../../packages/contract/src/index.ts';
import { calendarOfZone } from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import {
  decodeDay,
  encodeDay,
} from '../../packages/server/src/measurements/energy/codec/day-codec.ts';
import type {
  DayState,
  DaySample,
} from '../../packages/server/src/measurements/energy/day-state.ts';
import {
  createFieldList,
  inStoredOrder,
  type FieldList,
} from '../../packages/server/src/measurements/energy/field-list.ts';
import { plantPrices } from '../../packages/server/src/measurements/energy/plant-prices.ts';
import { insertSamples } from '../../packages/server/src/measurements/energy/insert-samples.ts';
import { appendDays } from '../../packages/server/src/measurements/ingest/append-days.ts';
import { dayRules } from '../../packages/server/src/measurements/bindings/bound-device.ts';
import { effort } from '../support/effort.ts';
import { foldedDevice } from '../telemetry/folding.ts';

const START = Date.parse('2026-06-14T22:00:00Z');

const lists = [
  ['acPowerW', 'energyTodayKwh', 'energyTotalKwh'],
  ['acPowerW', 'gridPowerW', 'energyTotalKwh', 'temperatureC'],
  ['acPowerW', 'energyTodayKwh'],
  ['acPowerW'],
  ['temperatureC'],
].map((names, i) => createFieldList(i + 1, inStoredOrder(names as QuantityName[])));
const listOf = (id: number): FieldList => lists[id - 1]!;

/** What a counter does at a sample: mostly it grows. */
const move = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0.1, 0.3) },
  { weight: 1, arbitrary: fc.constantFrom(1, -0.1, -0.5, -3, 2.6, 40) },
  { weight: 1, arbitrary: fc.constantFrom('zero', 'back', 'below', 'start', 'one') },
);
const step = fc.record({
  afterMs: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(30_000, 300_000) },
    { weight: 1, arbitrary: fc.constantFrom(1, 3_600_000, 3_600_001, 4_000_000) },
  ),
  powerW: fc.oneof(
    { weight: 30, arbitrary: fc.double({ min: -10, max: 9000, noNaN: true }) },
    { weight: 15, arbitrary: fc.constantFrom(0, -0, 8000) },
    { weight: 1, arbitrary: fc.constantFrom(2e9, Number.NaN) },
  ),
  /** The quantities from here on; undefined = those of the sample before. */
  list: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(0, 0, 1, 2, 2, 3, 4) },
  ),
  today: move,
  total: move,
  isLate: fc.nat(4).map((n) => n === 0),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Taken {
  readonly sample: DaySample;
  readonly isLate: boolean;
}

/** The samples of a device. Levels are whole or have a decimal place, since some counters do, and jitter depends on it. */
function samplesOf(
  steps: readonly Step[],
  fromAt: number,
  odd: { from: number; count: number },
): Taken[] {
  let [at, fields] = [fromAt, lists[0]!];
  const levels = { energyTodayKwh: 2, energyTotalKwh: 4000 };
  const highest = { ...levels };
  return steps.map(({ afterMs, powerW, list, isLate, ...moves }, i) => {
    const { today, total } =
      i >= odd.from && i < odd.from + odd.count ? moves : { today: 0.1, total: 0.1 };
    at += afterMs;
    if (list !== undefined) fields = lists[list]!;
    const shown: Record<string, number> = {
      acPowerW: powerW,
      gridPowerW: -powerW,
      temperatureC: 20,
    };
    for (const [name, how] of [
      ['energyTodayKwh', today] as const,
      ['energyTotalKwh', total] as const,
    ]) {
      const special: Record<string, number> = {
        zero: 0,
        back: highest[name],
        below: highest[name] - 1,
        start: 0,
        one: 1,
      };
      const level = Math.max(
        0,
        Math.round((typeof how === 'number' ? levels[name] + how : special[how]!) * 100) / 100,
      );
      shown[name] = level;
      // A counter that cannot be read shows 0 once.
      if (how === 'zero') continue;
      levels[name] = level;
      highest[name] = Math.max(highest[name], level);
    }
    return {
      isLate,
      sample: { at, fields, values: Float64Array.from(fields.names, (name) => shown[name]!) },
    };
  });
}

const calendar = calendarOfZone('Europe/Berlin');
const tariffs = {
  production: [
    { fromAt: 0, pricePerKwh: 0.1, windows: [{ start: '00:15', end: '01:00', pricePerKwh: 0.2 }] },
  ],
};
const device = foldedDevice({ timeZone: 'Europe/Berlin', ratedPowerW: 10_000 });
const priced = foldedDevice({
  timeZone: 'Europe/Berlin',
  ratedPowerW: 10_000,
  prices: plantPrices({ tariffs: JSON.stringify(tariffs), pricePerKwh: null }, calendar),
});
const textOf = (day: number, state: DayState): string =>
  `${day} ${state.last.at} ${encodeDay(state).toString('hex')}`;

test('samples between others leave what a fold of all samples makes, whatever counters do', () => {
  let inserted = 0;
  const plan = fc.record({
    steps: fc.array(step, { minLength: 12, maxLength: 60 }),
    // On the evening before, so that the day continues from another one, or within the day.
    fromAt: fc.constantFrom(
      START - 900_000,
      START - 900_000,
      START + 3_600_000,
      START + 84_600_000,
    ),
    isPriced: fc.nat(4).map((n) => n === 0),
    // Counters behave oddly for a while.
    odd: fc.record({ from: fc.nat(60), count: fc.nat(12) }),
    whichDay: fc.constantFrom(0, 1, 1),
  });
  fc.assert(
    fc.property(plan, ({ steps, fromAt, isPriced, odd, whichDay }) => {
      const all = samplesOf(steps, fromAt, odd);
      const of = isPriced ? priced : device;
      const fold = (wanted: (one: Taken) => boolean) => {
        const samples = all.filter(wanted).map(({ sample }) => sample);
        return {
          samples,
          days: samples.length === 0 ? [] : appendDays(of, undefined, samples).days,
        };
      };
      const { samples: known, days } = fold(({ isLate }) => !isLate);
      const before = days[whichDay];
      if (!before) return;
      const { startAt, endAt } = calendar.dayWindow(before.day);
      const ofDay = all.filter(
        ({ isLate, sample: { at } }) => isLate && at >= startAt && at < endAt,
      );
      for (const some of [ofDay, ...ofDay.map((one) => [one])]) {
        if (some.length === 0) continue;
        const late = some.map(({ sample }) => sample);
        const state = decodeDay(encodeDay(before.state), before.state.last.at, listOf);
        const after = insertSamples(state, known, late, dayRules(of, before.day));
        if (!after) continue;
        inserted += 1;
        // The days after it go on as before.
        const rows = days.map((row) => textOf(row.day, row === before ? after : row.state));
        expect(rows).toEqual(
          fold((one) => !one.isLate || some.includes(one)).days.map(({ day, state: anew }) =>
            textOf(day, anew),
          ),
        );
      }
    }),
    { numRuns: effort(1_000, 100_000) },
  );
  expect(inserted).toBeGreaterThan(300);
});

const evenly = (minutes: readonly number[]): DaySample[] =>
  minutes.map((minute) => ({
    at: START + minute * 60_000,
    fields: lists[0]!,
    values: Float64Array.of(1000.5, minute / 100, 4000 + minute / 100),
  }));
const EVENING = evenly([-10, -5]);

test('samples of the same instant, before the second one or after the last one of a day, are not inserted', () => {
  const known = [...EVENING, ...evenly([5, 10, 15, 20])];
  const day = appendDays(device, undefined, known).days.at(-1)!;
  const insert = (...minutes: number[]) =>
    insertSamples(day.state, known, evenly(minutes), dayRules(device, day.day));
  expect(insert(11, 12, 17)).toMatchObject({ samples: 7 });
  for (const minutes of [[15], [11, 15], [2], [7], [21], [11, 21]])
    expect(insert(...minutes)).toBeUndefined();
});

test('days of earlier releases, whose areas are not whole, take no samples', () => {
  const known = [...EVENING, ...evenly([5, 10, 15, 20])];
  const { day, state } = appendDays(device, undefined, known).days.at(-1)!;
  expect(
    insertSamples({ ...state, isSteady: false }, known, evenly([12]), dayRules(device, day)),
  ).toBeUndefined();
});

test.each([
  // Five minutes apart, in which 10 kW cannot make 6 kWh: without the late sample, the last one is taken for a jump.
  [
    'growth is too steep without them',
    [
      [15, 2, 4000],
      [20, 2, 4000],
      [25, 2, 4006],
      [30, 2, 4006],
    ],
    [22, 2, 4003],
  ],
  [
    'growth is too steep with them',
    [
      [15, 2, 4000],
      [20, 2, 4000],
      [25, 2, 4004],
      [30, 2, 4004],
    ],
    [20.5, 2, 4004.9],
  ],
  // After 0, 1 could be jitter of the 2 that was left, and 1.1 could not.
  [
    'a counter that shows 0 may return',
    [
      [5, 2, 4000],
      [10, 0, 4000],
      [15, 0, 4000],
      [20, 0, 4000],
      [25, 1.1, 4000],
    ],
    [22, 1, 4000],
  ],
  [
    'a counter fell beside them',
    [
      [5, 2, 4000],
      [10, 2, 4000],
      [15, 0, 4000],
      [20, 0, 4000],
      [25, 0, 4000],
    ],
    [17, 0, 4000],
  ],
  [
    'a value is missing',
    [
      [5, 2, 4000],
      [10, 2, 4000],
      [15, 2, 4000],
    ],
    [12, Number.NaN, 4000],
  ],
  // 2 is jitter of 3, but 2.1 is not: it is a level that the late sample would confirm.
  [
    'a daily counter jitters',
    [
      [5, 3, 4000],
      [10, 2, 4000],
      [15, 2.1, 4000],
      [20, 2.3, 4000],
      [25, 2.4, 4000],
    ],
    [17, 2.2, 4000],
  ],
] as const)('samples are not inserted where %s', (_, shown, late) => {
  const sampleAt = ([minute, today, total]: readonly [number, number, number]): DaySample => ({
    at: START + minute * 60_000,
    fields: lists[0]!,
    values: Float64Array.of(1000, today, total),
  });
  const known = [[-10, 2, 4000] as const, [-5, 2, 4000] as const, ...shown].map(sampleAt);
  const { day, state } = appendDays(device, undefined, known).days.at(-1)!;
  const insert = (one: readonly [number, number, number]) =>
    insertSamples(state, known, [sampleAt(one)], dayRules(device, day));
  expect(insert(late)).toBeUndefined();
});
