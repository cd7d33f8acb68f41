import { expect, test } from 'vitest';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { settableClock } from '../support/world.ts';

test.each(['2019-01-01', '2026-11-21', '2078-12-31'])('ids of %s have 19 digits', (day) => {
  expect(createIdSource(settableClock(day))()).toMatch(/^[1-9]\d{18}$/);
});

test('ids of one source only grow, also while the clock stands or steps back, and however many are made at once', () => {
  const clock = settableClock('2026-11-21');
  const newId = createIdSource(clock);
  const ids: string[] = [];
  for (const step of [0, 1, -5000, 0, 3, 10_000]) {
    clock.at += step;
    for (let i = 0; i < 3000; i++) ids.push(newId());
  }
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids of different sources sort by their time', () => {
  const clock = settableClock('2026-11-21');
  const ids = Array.from({ length: 100 }, () => {
    clock.at += 1;
    return createIdSource(clock)();
  });
  expect(ids).toEqual(ids.toSorted());
});

test('two sources that drew the same number seldom make the same id, even in the same milliseconds', () => {
  const clock = settableClock('2026-11-21');
  const [one, other] = [createIdSource(clock, 7), createIdSource(clock, 7)];
  let same = 0;
  for (let i = 0; i < 2000; i++) {
    clock.at += 1;
    if (one() === other()) same += 1;
  }
  expect(same).toBeLessThan(40);
});

test('no two sources of a process make the same id, even in the same millisecond', () => {
  const clock = settableClock('2026-11-21');
  const ids = Array.from({ length: 4096 }, () => createIdSource(clock)());
  expect(new Set(ids).size).toBe(ids.length);
});
