import { expect, test } from 'vitest';
import {
  addReceipt,
  receivedBy,
  TODAY_SOURCE,
  TOTAL_SOURCE,
  type Receipt,
} from '../../packages/server/src/measurements/energy/receipts.ts';

const given = (byDay: number, source: number, energy: number): Receipt => ({
  byDay,
  source,
  energy,
  amount: 0,
  spread: false,
  isAcross: false,
  takesBack: false,
});
const takenBack = (byDay: number, source: number): Receipt => ({
  ...given(byDay, source, 0),
  takesBack: true,
});
const listOf = (...receipts: Receipt[]): Receipt[] =>
  receipts.reduce<Receipt[]>((list, receipt) => addReceipt(list, receipt), []);

test('a day that takes back cancels what that source gave before, on earlier days and on this one', () => {
  const receipts = listOf(
    given(20260616, TOTAL_SOURCE, 1),
    given(20260617, TOTAL_SOURCE, 2),
    given(20260617, TODAY_SOURCE, 4),
    takenBack(20260617, TOTAL_SOURCE),
    given(20260617, TOTAL_SOURCE, 8),
    given(20260618, TOTAL_SOURCE, 16),
  );
  expect(receivedBy(receipts, TOTAL_SOURCE)).toEqual({
    energy: 24,
    amount: 0,
    spread: false,
    across: 0,
    some: true,
    takenBack: true,
  });
  expect(receivedBy(receipts, TODAY_SOURCE)).toEqual({
    energy: 4,
    amount: 0,
    spread: false,
    across: 0,
    some: true,
    takenBack: false,
  });
});

test('days are listed in order, whichever comes first', () => {
  const ordered = [
    given(20260616, TOTAL_SOURCE, 1),
    takenBack(20260617, TOTAL_SOURCE),
    given(20260618, TOTAL_SOURCE, 16),
  ];
  expect(listOf(...ordered.toReversed())).toEqual(ordered);
});
