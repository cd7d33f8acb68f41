import { describe, expect, test } from 'vitest';
import type { BoundDevice } from '../../packages/server/src/measurements/bindings/bound-device.ts';
import {
  joinDeliveries,
  type Bundle,
} from '../../packages/server/src/measurements/ingest/reports/join-reports.ts';
import { foldedDevice, foldReadings, sampleOf } from '../telemetry/folding.ts';

// Two devices; the first one has been in two plants.
const reporters = { a: reporter('a'), b: reporter('b') };
const places = {
  former: { of: 'a', device: { ...foldedDevice(), binding: 1 } },
  a: { of: 'a', device: { ...foldedDevice(), binding: 2 } },
  b: { of: 'b', device: { ...foldedDevice(), binding: 3 } },
} as const;
type Place = keyof typeof places;

const STORED_UNTIL = 100;

/** A delivery: the instants of its readings by place, in the order in which they came. */
type Given = Partial<Record<Place, readonly number[]>>;

interface Case {
  readonly name: string;
  readonly deliveries: readonly Given[];
  /** Of each delivery whether it is stored at once. */
  readonly isIn: readonly boolean[];
  readonly joined: Given;
}

const cases: Case[] = [
  {
    name: 'each of another device',
    deliveries: [{ a: [110] }, { b: [105] }],
    isIn: [true, true],
    joined: { a: [110], b: [105] },
  },
  {
    name: 'that go on where the one before ended',
    deliveries: [{ a: [110, 111] }, { a: [112] }, { a: [113, 114] }],
    isIn: [true, true, true],
    joined: { a: [110, 111, 112, 113, 114] },
  },
  {
    name: 'but not from the same instant',
    deliveries: [{ a: [110] }, { a: [110, 111] }],
    isIn: [true, false],
    joined: { a: [110] },
  },
  {
    name: 'but not behind the last of several',
    deliveries: [{ a: [110] }, { a: [115] }, { a: [112] }],
    isIn: [true, true, false],
    joined: { a: [110, 115] },
  },
  {
    name: 'but not if the first came in disorder',
    deliveries: [{ a: [111, 110] }, { a: [112] }],
    isIn: [true, false],
    joined: { a: [110, 111] },
  },
  {
    name: 'but not if the second came in disorder',
    deliveries: [{ a: [110] }, { a: [113, 112] }],
    isIn: [true, false],
    joined: { a: [110] },
  },
  {
    name: 'but not if the first changes what is stored',
    deliveries: [{ a: [STORED_UNTIL] }, { a: [112] }],
    isIn: [true, false],
    joined: { a: [STORED_UNTIL] },
  },
  {
    name: 'but not past one that is left out',
    deliveries: [{ a: [110] }, { a: [110] }, { a: [112] }],
    isIn: [true, false, false],
    joined: { a: [110] },
  },
  {
    name: 'but not in part, and nothing after that',
    deliveries: [{ a: [110] }, { a: [110], b: [110] }, { b: [111] }],
    isIn: [true, false, false],
    joined: { a: [110] },
  },
  {
    name: 'but not into another plant',
    deliveries: [{ former: [110] }, { a: [112] }],
    isIn: [true, false],
    joined: { former: [110] },
  },
  {
    name: 'but not after one of two plants',
    deliveries: [{ former: [110], a: [111] }, { a: [112] }],
    isIn: [true, false],
    joined: { former: [110], a: [111] },
  },
];

describe('deliveries are stored at once', () => {
  test.each(cases)('$name', ({ deliveries, isIn, joined }) => {
    const newest = new Map(
      Object.values(places).map(({ device }) => [device.binding, storedDay(device)]),
    );
    const together = joinDeliveries(deliveries.map(bundlesOf), newest);
    expect(together.isIn).toEqual(isIn);
    const placeOf = (device: BoundDevice) =>
      Object.entries(places).find(([, place]) => place.device === device)![0];
    expect(
      Object.fromEntries(
        together.bundles.map(({ device, readings }) => [
          placeOf(device),
          readings.map(({ at }) => at),
        ]),
      ),
    ).toEqual(joined);
  });
});

function reporter(id: string): Bundle['reporter'] {
  return { id, state: 1, expectedSeconds: 300, reportedAt: null };
}

const storedDay = (device: BoundDevice) =>
  foldReadings([[STORED_UNTIL, { acPowerW: 1 }]], device)[0]!;

const bundlesOf = (given: Given): Bundle[] =>
  (Object.entries(given) as [Place, readonly number[]][]).map(([place, instants]) => ({
    device: places[place].device,
    reporter: reporters[places[place].of],
    readings: instants
      .toSorted((a, b) => a - b)
      .map((at, index) => ({ index, sn: places[place].of, ...sampleOf(at, { acPowerW: 1 }) })),
    cameAscending: instants.every((at, i) => i === 0 || at > instants[i - 1]!),
  }));
