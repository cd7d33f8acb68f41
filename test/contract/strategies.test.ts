import {
  intervalSchema,
  payloadSchema,
  payloadTypes,
  INTERVALS_AT_MOST,
  type DayPlan,
  type SetPoint,
  type StrategyPayload,
} from '@helioport/contract';
import { expect, test } from 'vitest';

const payloads: readonly StrategyPayload[] = [
  { type: 'charge', socPercent: 90, powerKw: 3 },
  { type: 'discharge', socPercent: 20, powerKw: 2.5 },
  { type: 'selfUse' },
  { type: 'hold' },
  { type: 'exportLimit', powerKw: 0 },
  { type: 'off' },
];
const plan: DayPlan = {
  kind: 'dayPlan',
  intervals: payloads.map((payload, i) => ({
    days: ['mon'],
    start: `0${i}:00`,
    end: `0${i + 1}:00`,
    payload,
  })),
};
const setPoint: SetPoint = { kind: 'setPoint', powerKw: -3 };

test('the schema of an interval names everything that an interval may have', () => {
  expect(payloads.map(({ type }) => type)).toEqual(payloadTypes);
  const known = new Set(Object.keys(intervalSchema.properties!));
  expect(
    plan.intervals.flatMap((interval) => Object.keys(interval)).filter((name) => !known.has(name)),
  ).toEqual([]);
  const named = new Set(payloads.flatMap((payload) => Object.keys(payload)));
  expect([...named].toSorted()).toEqual(Object.keys(payloadSchema.properties!).toSorted());
  expect(plan.intervals.length).toBeLessThanOrEqual(INTERVALS_AT_MOST);
  expect(setPoint.kind).not.toBe(plan.kind);
});
