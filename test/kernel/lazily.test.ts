import { expect, test } from 'vitest';
import { lazily } from '../../packages/server/src/platform/kernel/lazily.ts';

test('what is made lazily is made once, also for those who ask at the same time, and again if that failed', async () => {
  let times = 0;
  const ask = lazily(async () => {
    times++;
    if (times === 1) throw new Error('out of memory');
    return times;
  });
  expect(times).toBe(0);
  expect(await Promise.allSettled([ask(), ask()])).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  expect(times).toBe(1);
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
  expect(await ask()).toBe(2);
});
