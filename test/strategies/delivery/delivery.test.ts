import type { DeliveryRow, PlanInterval } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import {
  zonesSinceEver,
  type Zones,
} from '../../../packages/server/src/platform/calendar/plant-calendar.ts';
import {
  askedSpans,
  stretches,
  type AskedSpan,
} from '../../../packages/server/src/control/strategies/delivery/asked-spans.ts';
import {
  createBaseline,
  neededSince,
  type MeasuredPower,
} from '../../../packages/server/src/control/strategies/delivery/baselines.ts';
import {
  CSV_HEADER,
  csvLines,
} from '../../../packages/server/src/control/strategies/delivery/delivery-csv.ts';
import {
  deliveryRows,
  type DeliveryQuestion,
  type DeviceMeasured,
} from '../../../packages/server/src/control/strategies/delivery/delivery-rows.ts';
import type { PowerPoint } from '../../../packages/server/src/control/strategies/delivery/mean-power.ts';
import { NO_LIMITS } from '../../../packages/server/src/control/strategies/plan/owner-limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const utc = zonesSinceEver('UTC');
const berlin = zonesSinceEver('Europe/Berlin');
const at = Date.parse;

/** A power every five minutes. */
const curve = (from: string, until: string, powerAt: (at: number) => number): PowerPoint[] =>
  Array.from(
    { length: (at(until) - at(from)) / (5 * MINUTE_MS) + 1 },
    (_, i) => at(from) + i * 5 * MINUTE_MS,
  ).map((instant) => ({
    at: instant,
    powerW: powerAt(instant),
  }));

/** The hour that UTC shows, from 0 to 24. */
const hourOf = (instant: number): number => (instant % DAY_MS) / HOUR_MS;
const dayNumber = (instant: number): number => Math.floor(instant / DAY_MS);

describe('the baseline of ten days', () => {
  // Wednesday.
  const day = '2026-06-17';
  const from = at(`${day}T17:00Z`);
  const measured = (changed: Partial<MeasuredPower> = {}): MeasuredPower => ({
    zones: utc,
    // Each day has a power of its own: the number of days before the 17th.
    points: curve(
      '2026-04-01T00:00Z',
      '2026-06-18T00:00Z',
      (instant) => dayNumber(from) - dayNumber(instant),
    ),
    bridgeMs: 15 * MINUTE_MS,
    asked: [{ fromAt: from, toAt: from + HOUR_MS }],
    ...changed,
  });
  const baseline = (changed: Partial<MeasuredPower> = {}, fromAt = from) =>
    createBaseline('tenDays', measured(changed))(fromAt, fromAt + HOUR_MS / 4);

  test('is the mean of the same hours on the last ten days of the same kind', () => {
    // From the 16th back, without the weekends of the 13th and the 6th.
    const days = [1, 2, 5, 6, 7, 8, 9, 12, 13, 14];
    expect(baseline()).toEqual({
      powerW: days.reduce((sum, back) => sum + back, 0) / 10,
      days: 10,
    });
    // Saturday the 20th: the last ten days of weekends.
    const weekend = [6, 7, 13, 14, 20, 21, 27, 28, 34, 35].map((back) => back - 3);
    expect(baseline({}, at('2026-06-20T17:00Z'))).toEqual({
      powerW: weekend.reduce((sum, back) => sum + back, 0) / 10,
      days: 10,
    });
  });

  test('leaves out days on which the device was asked for something', () => {
    const asked = [
      { fromAt: at('2026-06-15T00:00Z') - 1, toAt: at('2026-06-15T00:00Z') + 1 },
      { fromAt: from, toAt: from + HOUR_MS },
    ];
    const days = [1, 5, 6, 7, 8, 9, 12, 13, 14, 15];
    expect(baseline({ asked })).toEqual({
      powerW: days.reduce((sum, back) => sum + back, 0) / 10,
      days: 10,
    });
  });

  test('leaves out days whose hours were not measured', () => {
    const lacking = (fromHour: number, toHour: number): PowerPoint[] =>
      measured().points.filter(
        (point) =>
          dayNumber(point.at) !== dayNumber(from) - 2 ||
          hourOf(point.at) < fromHour ||
          hourOf(point.at) > toHour,
      );
    expect(baseline({ points: lacking(16, 18) }).powerW).not.toBe(baseline().powerW);
    // A gap in other hours, and one that is bridged.
    expect(baseline({ points: lacking(19, 20) })).toEqual(baseline());
    expect(baseline({ points: lacking(17.01, 17.1) })).toEqual(baseline());
    // Of a quarter of an hour, one minute may lack, but not two.
    const late = (minutes: number): PowerPoint[] =>
      measured().points.flatMap((point) => {
        const isThen =
          dayNumber(point.at) === dayNumber(from) - 2 &&
          hourOf(point.at) >= 16.5 &&
          hourOf(point.at) <= 17.25;
        if (!isThen) return [point];
        return hourOf(point.at) === 17.25
          ? [{ ...point, at: from - 2 * DAY_MS + minutes * MINUTE_MS }, point]
          : [];
      });
    expect(
      [baseline({ points: late(1) }), baseline({ points: late(2) })].map(
        ({ powerW }) => powerW === baseline().powerW,
      ),
    ).toEqual([true, false]);
  });

  test('is unknown with fewer than five days, and nothing older than 60 days counts', () => {
    const since = (first: string): PowerPoint[] =>
      measured().points.filter((point) => point.at >= at(first));
    expect(baseline({ points: since('2026-06-10T00:00Z') })).toEqual({ powerW: 4.2, days: 5 });
    expect(baseline({ points: since('2026-06-11T00:00Z') })).toEqual({ powerW: null, days: 4 });
    expect(baseline({ asked: [{ fromAt: from - 56 * DAY_MS, toAt: from + HOUR_MS }] })).toEqual({
      powerW: null,
      days: 2,
    });
  });

  test('means hours of the plant’s clock', () => {
    // 14:00 in Berlin on 30 March is 12:00 UTC; before the change of clocks it was 13:00.
    const points = curve('2026-03-01T00:00Z', '2026-03-31T00:00Z', (instant) =>
      Math.floor(hourOf(instant)),
    );
    const fromAt = at('2026-03-30T12:05Z');
    const ofHours = createBaseline('tenDays', {
      zones: berlin,
      points,
      bridgeMs: 15 * MINUTE_MS,
      asked: [],
    });
    expect(ofHours(fromAt, fromAt + 15 * MINUTE_MS)).toEqual({ powerW: 13, days: 10 });
    // On Sundays, the days of comparison include one without this hour.
    const sunday = at('2026-03-29T00:00Z') + 7 * DAY_MS + 35 * MINUTE_MS;
    const early = createBaseline('tenDays', {
      zones: berlin,
      points: curve('2026-02-01T00:00Z', '2026-04-06T00:00Z', () => 1),
      bridgeMs: 15 * MINUTE_MS,
      asked: [],
    });
    expect(early(sunday, sunday + 15 * MINUTE_MS)).toEqual({ powerW: 1, days: 10 });
    // Of the hour after 02:00, Lord Howe skipped the first half on 4 October.
    const hour = at('2026-10-10T15:00Z');
    const halves = createBaseline('tenDays', {
      zones: zonesSinceEver('Australia/Lord_Howe'),
      points: curve('2026-09-25T00:00Z', '2026-10-11T00:00Z', () => 1),
      bridgeMs: 15 * MINUTE_MS,
      asked: [],
    });
    expect([
      halves(hour, hour + HOUR_MS).days,
      halves(hour + HOUR_MS, hour + 2 * HOUR_MS).days,
    ]).toEqual([4, 5]);
    // 02:30 was skipped on the 29th.
    const skipped = createBaseline('tenDays', {
      zones: berlin,
      points: curve('2026-03-23T00:00Z', '2026-04-06T00:00Z', () => 1),
      bridgeMs: 15 * MINUTE_MS,
      asked: [],
    });
    expect([
      skipped(sunday, sunday + 15 * MINUTE_MS).days,
      skipped(sunday + 2 * HOUR_MS, sunday + 2.25 * HOUR_MS).days,
    ]).toEqual([2, 3]);
  });
});

test('readings are needed since the first of twenty comparable days, or since just before the device was asked', () => {
  const from = at('2026-06-17T17:00Z');
  const since = (name: 'tenDays' | 'meterBeforeAfter', until: string, fromAt = from): string => {
    const asked = [{ fromAt: from, toAt: from + HOUR_MS }];
    return new Date(neededSince(name, { zones: utc, asked }, fromAt, at(until)))
      .toISOString()
      .slice(0, 16);
  };
  expect(since('tenDays', '2026-06-17T18:00Z')).toBe('2026-05-20T00:00');
  // Within 60 days before Saturday the 20th.
  expect(since('tenDays', '2026-06-21T18:00Z')).toBe('2026-04-25T00:00');
  // A quarter of an hour, and an hour in which the reading before it may lie.
  expect(since('meterBeforeAfter', '2026-06-21T18:00Z')).toBe('2026-06-17T15:45');
  expect(since('meterBeforeAfter', '2026-06-21T18:00Z', from + HOUR_MS / 2)).toBe(
    '2026-06-17T15:45',
  );
});

describe('the baseline of the meter before', () => {
  const from = at('2026-06-17T17:00Z');
  const points = curve('2026-06-17T16:00Z', '2026-06-17T19:00Z', (instant) =>
    instant < from ? -300 : 2000,
  );
  const asked = stretches([
    { fromAt: from + 10 * MINUTE_MS, toAt: from + 30 * MINUTE_MS },
    { fromAt: from + 30 * MINUTE_MS, toAt: from + HOUR_MS },
  ]);
  const before = createBaseline('meterBeforeAfter', {
    zones: utc,
    points,
    bridgeMs: 15 * MINUTE_MS,
    asked,
  });

  test('is the mean of the quarter of an hour before the device was asked, for as long as it is asked', () => {
    // Five minutes that rise from -300 W to 2000 W, and ten of 2000 W.
    const mean = (((-300 + 2000) / 2) * 5 + 2000 * 10) / 15;
    expect(before(from + 10 * MINUTE_MS, from + 15 * MINUTE_MS)).toEqual({
      powerW: mean,
      days: null,
    });
    expect(before(from + 45 * MINUTE_MS, from + HOUR_MS)).toEqual({ powerW: mean, days: null });
  });

  test('is unknown outside, and where nothing was measured', () => {
    expect(before(from + HOUR_MS, from + 2 * HOUR_MS)).toEqual({ powerW: null, days: null });
    const nothing = createBaseline('meterBeforeAfter', {
      zones: utc,
      points: [],
      bridgeMs: 1,
      asked,
    });
    expect(nothing(from + 10 * MINUTE_MS, from + 15 * MINUTE_MS)).toEqual({
      powerW: null,
      days: null,
    });
  });
});

describe('what a device was asked', () => {
  const intervals: PlanInterval[] = [
    { start: '02:00', end: '05:00', payload: { type: 'charge', socPercent: 90, powerKw: 3 } },
    { start: '05:00', end: '06:00', payload: { type: 'hold' } },
    { start: '17:00', end: '20:00', payload: { type: 'discharge', socPercent: 20, powerKw: 2.5 } },
    { start: '20:00', end: '21:00', payload: { type: 'exportLimit', powerKw: 1 } },
  ];
  const scene = { zones: utc, limits: NO_LIMITS };
  const textOf = (spans: readonly AskedSpan[]): string[] =>
    spans.map(
      ({ fromAt, toAt, payload, powerW }) =>
        `${[fromAt, toAt].map((instant) => new Date(instant).toISOString().slice(11, 16)).join('-')} ${payload} ${powerW}`,
    );

  test('is what its plan says while it is in force, and its share of a set point', () => {
    const history = [
      { fromAt: at('2026-06-17T04:00Z'), asked: { intervals } },
      { fromAt: at('2026-06-17T18:00Z'), asked: null },
      { fromAt: at('2026-06-17T19:30Z'), asked: { intervals: intervals.slice(2) } },
      { fromAt: at('2026-06-17T20:30Z'), asked: { powerW: -700 } },
    ];
    expect(
      textOf(askedSpans(history, scene, at('2026-06-17T00:00Z'), at('2026-06-17T22:00Z'))),
    ).toEqual([
      '04:00-05:00 charge -3000',
      '05:00-06:00 hold 0',
      '17:00-18:00 discharge 2500',
      '19:30-20:00 discharge 2500',
      '20:00-20:30 exportLimit null',
      '20:30-22:00 setPoint -700',
    ]);
    expect(
      textOf(askedSpans(history, scene, at('2026-06-17T17:30Z'), at('2026-06-17T19:00Z'))),
    ).toEqual(['17:30-18:00 discharge 2500']);
    expect(askedSpans([], scene, 0, DAY_MS)).toEqual([]);
  });

  test('is nothing in the quiet hours of the owner', () => {
    const history = [{ fromAt: 0, asked: { intervals } }];
    const limits = { ...NO_LIMITS, quietHours: [{ start: '18:00', end: '19:00' }] };
    expect(
      textOf(
        askedSpans(
          history,
          { zones: utc, limits },
          at('2026-06-17T12:00Z'),
          at('2026-06-17T19:30Z'),
        ),
      ),
    ).toEqual(['17:00-18:00 discharge 2500', '19:00-19:30 discharge 2500']);
  });

  test('without a pause is one stretch', () => {
    const spans = [
      { fromAt: 1, toAt: 3 },
      { fromAt: 3, toAt: 5 },
      { fromAt: 4, toAt: 5 },
      { fromAt: 6, toAt: 7 },
    ];
    expect(stretches(spans)).toEqual([
      { fromAt: 1, toAt: 5 },
      { fromAt: 6, toAt: 7 },
    ]);
  });
});

describe('proof of delivery', () => {
  const from = at('2026-06-17T17:00Z');
  const device = (changed: Partial<DeviceMeasured> = {}): DeviceMeasured => ({
    sn: 'S1',
    zones: utc,
    // Before, the battery supplies 400 W; then it gives 2,500 W.
    battery: curve('2026-06-17T15:00Z', '2026-06-17T20:00Z', (instant) =>
      instant < from ? 400 : 2500,
    ),
    connection: curve('2026-06-17T15:00Z', '2026-06-17T20:00Z', (instant) =>
      instant < from ? -100 : 2000,
    ),
    socs: curve(
      '2026-06-17T15:00Z',
      '2026-06-17T20:00Z',
      (instant) => 80 - (instant - from) / HOUR_MS,
    ).map((point) => ({
      at: point.at,
      percent: point.powerW,
    })),
    bridgeMs: 15 * MINUTE_MS,
    ...changed,
  });
  const spanOf = (
    payload: AskedSpan['payload'],
    powerW: number | null,
    minutes = [5, 65],
  ): AskedSpan => ({
    fromAt: from + minutes[0]! * MINUTE_MS,
    toAt: from + minutes[1]! * MINUTE_MS,
    payload,
    powerW,
  });
  const rows = (
    span: AskedSpan,
    changed: Partial<DeviceMeasured> = {},
    question: Partial<DeliveryQuestion> = {},
  ): DeliveryRow[] =>
    deliveryRows(device(changed), {
      spans: [span],
      asked: [{ fromAt: from, toAt: span.toAt }],
      baseline: 'meterBeforeAfter',
      lengthMs: 15 * MINUTE_MS,
      ...question,
    });

  test('is a row for each settlement interval, cut where the clock shows a multiple of its length', () => {
    const all = rows(spanOf('discharge', 2500));
    const times = (list: readonly DeliveryRow[]): string[] =>
      list.map(({ startAt, endAt }) =>
        [startAt, endAt].map((instant) => new Date(instant).toISOString().slice(11, 16)).join('-'),
      );
    expect(times(all)).toEqual([
      '17:05-17:15',
      '17:15-17:30',
      '17:30-17:45',
      '17:45-18:00',
      '18:00-18:05',
    ]);
    // A full hour in Kathmandu is a quarter past in UTC.
    expect(
      times(
        rows(
          spanOf('discharge', 2500),
          { zones: zonesSinceEver('Asia/Kathmandu') },
          { lengthMs: HOUR_MS },
        ),
      ),
    ).toEqual(['17:05-17:15', '17:15-18:05']);
  });

  test('compares what was asked with what was measured, beyond the baseline', () => {
    expect(rows(spanOf('discharge', 2500))[1]).toEqual({
      sn: 'S1',
      startAt: from + 15 * MINUTE_MS,
      endAt: from + 30 * MINUTE_MS,
      payload: 'discharge',
      measuredAt: 'battery',
      askedKw: 2.5,
      measuredKw: 2.5,
      connectionKw: 2,
      // Five minutes before five o’clock, it rises already.
      baselineKw: 0.75,
      baselineDays: null,
      deliveredKwh: 0.438,
      gapSeconds: 0,
      socPercent: 79.5,
    });
  });

  test.each([
    ['charge', 'battery'],
    ['discharge', 'battery'],
    ['hold', 'battery'],
    ['selfUse', 'connection'],
    ['exportLimit', 'connection'],
    ['off', 'connection'],
    ['setPoint', 'battery'],
  ] as const)('of %s is measured at the %s', (payload, measuredAt) => {
    expect(rows(spanOf(payload, null))[1]).toMatchObject({
      measuredAt,
      askedKw: null,
      measuredKw: measuredAt === 'battery' ? 2.5 : 2,
      connectionKw: 2,
    });
  });

  test('marks gaps, and adds nothing for them', () => {
    const hole = (points: readonly PowerPoint[]): PowerPoint[] =>
      points.filter(
        (point) => point.at <= from + 20 * MINUTE_MS || point.at >= from + 40 * MINUTE_MS,
      );
    const all = rows(spanOf('discharge', 2500), { battery: hole(device().battery), socs: [] });
    expect(
      all.map(({ gapSeconds, measuredKw, deliveredKwh }) => [gapSeconds, measuredKw, deliveredKwh]),
    ).toEqual([
      [0, 2.5, 0.292],
      [600, 2.5, 0.146],
      [600, 2.5, 0.146],
      [0, 2.5, 0.438],
      [0, 2.5, 0.146],
    ]);
    const nothing = rows(spanOf('discharge', 2500), { battery: [], socs: [] });
    expect(nothing[1]).toMatchObject({
      measuredKw: null,
      baselineKw: null,
      deliveredKwh: null,
      gapSeconds: 900,
      socPercent: null,
    });
  });

  test('does not take a state of charge of another interval for that of this one', () => {
    const all = rows(spanOf('discharge', 2500), {
      socs: [
        { at: from + 15 * MINUTE_MS, percent: 70 },
        { at: from + 45 * MINUTE_MS, percent: 60 },
      ],
    });
    expect(all.map(({ socPercent }) => socPercent)).toEqual([70, null, 60, null, null]);
  });

  test('rests on comparable days, if that is asked for', () => {
    const week = curve('2026-06-03T00:00Z', '2026-06-18T00:00Z', (instant) =>
      instant < from ? 400 : 2500,
    );
    const all = rows(spanOf('discharge', 2500), { battery: week }, { baseline: 'tenDays' });
    expect(all[1]).toMatchObject({ baselineKw: 0.4, baselineDays: 10, deliveredKwh: 0.525 });
  });

  test('is a file, too', () => {
    const [row] = rows(spanOf('discharge', 2500)) as [DeliveryRow];
    const lines = (changed: Partial<DeliveryRow>, zones: Zones = berlin): string =>
      csvLines([{ ...row, ...changed }], zones);
    expect(CSV_HEADER).toBe(
      'sn,start,end,payload,measured_at,asked_kw,measured_kw,connection_kw,baseline_kw,baseline_days,delivered_kwh,gap_seconds,soc_percent\r\n',
    );
    expect(lines({})).toBe(
      'S1,2026-06-17T19:05:00+02:00,2026-06-17T19:15:00+02:00,discharge,battery,2.5,2.5,2,0.75,,0.292,0,79.75\r\n',
    );
    expect(
      lines({
        askedKw: null,
        measuredKw: null,
        connectionKw: null,
        baselineKw: null,
        deliveredKwh: null,
        baselineDays: 4,
        socPercent: null,
        gapSeconds: 600,
      }),
    ).toBe(
      'S1,2026-06-17T19:05:00+02:00,2026-06-17T19:15:00+02:00,discharge,battery,,,,,4,,600,\r\n',
    );
    expect(lines({ startAt: at('2026-10-25T00:30Z'), endAt: at('2026-10-25T01:00Z') })).toContain(
      '2026-10-25T02:30:00+02:00,2026-10-25T02:00:00+01:00',
    );
    expect(
      [lines({}, zonesSinceEver('America/St_Johns')), lines({}, utc)].map((line) =>
        line.slice(3, 28),
      ),
    ).toEqual(['2026-06-17T14:35:00-02:30', '2026-06-17T17:05:00+00:00']);
    expect(
      [lines({ sn: '=1+1' }), lines({ sn: 'A"B' }), lines({ sn: '-S1' })].map(
        (line) => line.split(',')[0],
      ),
    ).toEqual(["'=1+1", '"A""B"', "'-S1"]);
  });
});
