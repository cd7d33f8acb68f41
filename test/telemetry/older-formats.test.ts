import { expect, test } from 'vitest';
import { createPackedWriter } from '../../packages/server/src/measurements/energy/codec/packed-bytes.ts';
import {
  decodeDay,
  encodeDay,
} from '../../packages/server/src/measurements/energy/codec/day-codec.ts';
import { decodeMonth } from '../../packages/server/src/measurements/energy/month-state.ts';
import { foldedDevice, foldReadings, sampleOf } from './folding.ts';

const CARRY = 4;
const last = sampleOf(Date.parse('2026-06-15T10:00:00Z'), { acPowerW: 1000 });

/** A newest day without channels; carry: 20 kWh of 14 June, 500 kWh of before, and of the second channel nothing known. */
function dayOfVersion(version: 2 | 3 | 4): Buffer {
  const writer = createPackedWriter();
  writer.byte(version);
  writer.whole(last.fields.id);
  if (version === 4) writer.decimals(last.values);
  else for (const value of last.values) writer.real(value);
  writer.byte(CARRY);
  // One sample, neither channels nor prices and, since version 3, no bounds.
  for (const value of version === 2 ? [1, 0, 0, 0] : [1, 0, 0, 0, 0]) writer.whole(value);
  writer.whole(20260614);
  writer.whole(0b11);
  writer.whole(0b01);
  writer.whole(0);
  if (version > 2) writer.whole(0b01);
  for (const [day, total] of [
    [20, 120],
    [0, 0],
  ] as const) {
    for (const sum of [day, day, day]) writer.whole(sum);
    writer.whole(total);
    if (version > 2) writer.whole(500);
  }
  return writer.take();
}

test.each([
  [4, { before: 500, days: [1, 0] }],
  [3, { before: 500, days: [1, 0] }],
  [2, { before: 0, days: [1, 1] }],
] as const)(
  'a newest day of version %i is read; nothing is known of the plant’s bounds, and of days whether there are any',
  (version, { before, days }) => {
    const { carry, plantAtMost } = decodeDay(dayOfVersion(version), last.at, () => last.fields);
    expect(plantAtMost).toBe(undefined);
    const unpriced = { highestShare: 0, money: undefined };
    expect(carry).toEqual({
      day: 20260614,
      sums: [
        {
          day: 20,
          estimated: true,
          month: 20,
          year: 20,
          total: 120,
          before,
          days: days[0],
          ...unpriced,
        },
        {
          day: 0,
          estimated: false,
          month: 0,
          year: 0,
          total: 0,
          before,
          days: days[1],
          ...unpriced,
        },
      ],
    });
  },
);

test('a month of version 3 is read', () => {
  const writer = createPackedWriter();
  writer.byte(3);
  writer.whole(1);
  writer.byte(0);
  // Energy, days, estimated ones, no opening, nothing before it, and what it was worth.
  for (const value of [620, 31, 2, 0, 0, 125]) writer.whole(value);
  expect(decodeMonth(writer.take())).toEqual([
    {
      energy: 620,
      days: 31,
      estimatedDays: 2,
      opening: -1,
      beforeOpening: 0,
      highestShare: 0,
      money: { energy: 124, openingPrice: 0 },
    },
  ]);
});

test('a day of version 5 is read, in which daily counters owe nothing to their first reading', () => {
  const [day] = foldReadings(
    [
      [Date.parse('2026-06-15T10:00:00Z'), { energyTodayKwh: 4 }],
      [Date.parse('2026-06-15T10:15:00Z'), { energyTodayKwh: 4.5 }],
    ],
    foldedDevice(),
  );
  const { state } = day!;
  const today = { ...state.channels[0]!.today!, assumed: undefined };
  const plain = { ...state, channels: [{ ...state.channels[0]!, today }] };
  const bytes = encodeDay(plain);
  bytes[0] = 5;
  expect(decodeDay(bytes, state.last.at, () => state.last.fields)).toEqual(plain);
  // What this version adds is read as it was written.
  expect(decodeDay(encodeDay(state), state.last.at, () => state.last.fields)).toEqual(state);
  expect(state.channels[0]!.today!.assumed).toMatchObject({ level: 4_000_000, booked: true });
});
