import { expect, test } from 'vitest';
import { formatsOf, shownKwh } from '../../../packages/portal/src/i18n/formats-of.ts';
import { axisText, axisTexts } from '../../../packages/portal/src/parts/charts/figure-text.ts';
import {
  neighbourOf,
  daysOf,
  startOf,
} from '../../../packages/portal/src/screens/plant/energy/period.ts';
import { linesOf, scaleBeside, scaleOf } from '../../../packages/portal/src/parts/charts/scale.ts';
import { splitOf } from '../../../packages/portal/src/screens/plant/energy/split.ts';
import { productionUntil } from '../../../packages/portal/src/screens/plant/curve/production-until.ts';
import {
  measuredCurves,
  historyQuantities,
} from '../../../packages/portal/src/screens/device/history/curves.ts';

type Row = Readonly<Record<string, number>>;

/** The keys of the curves of a quantity on a day of these readings of an inverter with so many strings. */
const shown = (name: string, strings: number | undefined, rows: readonly Row[]): string[] => {
  const keys = rows.flatMap((row) => Object.keys(row));
  return measuredCurves(
    historyQuantities.find((one) => one.name === name)!,
    {
      times: rows.map((_, i) => i),
      values: Object.fromEntries(keys.map((key) => [key, rows.map((row) => row[key] ?? null)])),
      ...(strings !== undefined && { strings }),
    },
  ).map(({ key }) => key);
};
const [NONE, TWO] = [undefined, 2];
const powers = (...watts: readonly number[]): Row =>
  Object.fromEntries(watts.map((watt, i) => [`dcPower${i + 1}W`, watt]));
const night = { ...powers(0, 0, 0), acCurrent1A: 0, acCurrent2A: 0, acCurrent3A: 0 };

test.each([
  ['before sunrise, the strings that the device has', 'stringPower', TWO, [night], [1, 2]],
  [
    'before sunrise, all strings of a device that does not say how many it has',
    'stringPower',
    NONE,
    [powers(0, 0)],
    [1, 2],
  ],
  ['before sunrise, the phases', 'phaseCurrent', TWO, [night], [1, 2, 3]],
  [
    'by day, the phases that carry something',
    'phaseCurrent',
    TWO,
    [night, { ...night, acCurrent1A: 4 }],
    [1],
  ],
  ['by day, a dead string too', 'stringPower', TWO, [powers(900, 0, 0)], [1, 2]],
  [
    'by day, a string that gives more than it should have',
    'stringPower',
    TWO,
    [powers(0, 0, 900)],
    [1, 2, 3],
  ],
  ['nothing of what was not reported', 'stringVoltage', TWO, [night], []],
])('%s', (_what, name, strings, rows, numbers) => {
  expect(shown(name, strings, rows as Row[]).map((key) => Number(/\d/.exec(key)![0]))).toEqual(
    numbers,
  );
});

test.each([
  [
    [0, 0.02, 0.04, 0.06],
    ['0 W', '0.02 W', '0.04 W', '0.06 W'],
  ],
  [
    [0, 500, 1000],
    ['0 kW', '0.5 kW', '1 kW'],
  ],
])('the axis of %j W says %j', (values, texts) => {
  expect(
    axisTexts(values, (value, highest) => axisText(formatsOf('en'), value, 'W', highest)),
  ).toEqual(texts);
});

test.each([0, 0.004, 0.125, 1.005, 9.994, 9.995, 10.25, 99.96, 105.5, 999.4, 999.6, 1234, 34_567])(
  '%f kWh are calculated with as they are shown',
  (kwh) => {
    const { value, unit } = formatsOf('en').energy(kwh);
    expect(shownKwh(kwh)).toBeCloseTo(
      Number(value.replace(',', '')) * (unit === 'MWh' ? 1000 : 1),
      9,
    );
  },
);

test('the share of a day’s production until an instant is that of its energy', () => {
  const rows = {
    times: [0, 300_000, 600_000, 900_000],
    values: { acPowerW: [0, 1000, 3000, 0] },
  };
  expect(
    [-1, 300_000, 599_999, 600_000, 900_000].map((until) => productionUntil(rows, until)),
  ).toEqual([0, 0.125, 0.125, 0.625, 1]);
  expect(productionUntil({ times: [0], values: { acPowerW: [0] } }, 1)).toBeUndefined();
  expect(productionUntil({ times: [], values: {} }, 1)).toBeUndefined();
});

test.each([
  ['en', 'Mon, Tue, Sat'],
  ['de', 'Mon, Tue, Sat'],
  ['es', 'Mon, Tue, Sat'],
  ['zh', 'Mon、Tue、Sat'],
])('words stand one after the other as in %s: %s', (language, text) => {
  const { list } = formatsOf(language);
  expect([[], ['Mon'], ['Mon', 'Tue', 'Sat']].map((words) => list(words))).toEqual([
    '',
    'Mon',
    text,
  ]);
});

test('an amount is rounded as on the wire, whether it is read from there or not', () => {
  // The number nearest to it is a little less than half a cent.
  const { money, amount } = formatsOf('en');
  expect([money(1.005, 'EUR'), money(1, 'EUR'), amount(0.145), amount(28.755)]).toEqual([
    '€1.00',
    '€1.00',
    '0.14',
    '28.76',
  ]);
  expect([money(undefined, 'EUR'), money(0, 'EUR'), amount(12_345_678)]).toEqual([
    '–',
    '€0.00',
    '12.35M',
  ]);
});

test.each([
  [
    'of several days',
    [
      [10, 4],
      [20, 2],
    ],
    { wholeKwh: 30, gridKwh: 6, ownKwh: 24, ownPercent: 80 },
  ],
  [
    'with days on which nothing was measured',
    [
      [10, 4],
      [undefined, undefined],
    ],
    { wholeKwh: 10, gridKwh: 4, ownKwh: 6, ownPercent: 60 },
  ],
  [
    'with a day that lacks one figure',
    [
      [10, 4],
      [20, undefined],
    ],
    undefined,
  ],
  [
    'of a battery that is charged from the grid',
    [[2, 5]],
    { wholeKwh: 2, gridKwh: 5, ownKwh: 0, ownPercent: 0 },
  ],
  ['at night', [[0, 0]], undefined],
  ['of nothing', [], undefined],
] as const)('the energy %s divides into what was one’s own and the rest', (_what, parts, split) => {
  expect(splitOf(parts)).toEqual(split);
});

test.each([
  ['week', '2026-11-01', '2026-10-26', '2026-10-19', '2026-11-02', 7],
  ['week', '2026-01-05', '2026-01-05', '2025-12-29', '2026-01-12', 7],
  ['days', '2026-02-17', '2026-02-01', '2026-01-01', '2026-03-01', 28],
] as const)(
  'the %s of %s begins on %s, after that of %s and before that of %s, and has %i days',
  (length, day, start, before, after, count) => {
    expect([
      startOf(length, day),
      neighbourOf(length, day, -1),
      neighbourOf(length, day, 1),
      daysOf(length, day).length,
    ]).toEqual([start, before, after, count]);
  },
);

test.each([
  [0, 940],
  [-1300, 2800],
  [-20, 0],
  [0, 0.3],
  [null, null],
])(
  'an axis from %j to %j W has few round lines, and another stands on the same ones',
  (low, high) => {
    const scale = scaleOf(low, high);
    expect([2, 4, 5]).toContain(scale.parts);
    expect(scale.min).toBeLessThanOrEqual(low ?? 0);
    expect(scale.max).toBeGreaterThanOrEqual(high ?? 0);
    expect(linesOf(scale)).toHaveLength(scale.parts + 1);
    expect(linesOf(scale).some((line) => Math.abs(line) < 1e-9)).toBe(true);
    const beside = scaleBeside(870, scale.parts);
    expect(beside).toMatchObject({ min: 0, parts: scale.parts });
    expect(beside.max).toBeGreaterThanOrEqual(870);
  },
);
