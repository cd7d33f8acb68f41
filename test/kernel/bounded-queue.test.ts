import { expect, test } from 'vitest';
import { createBoundedQueue } from '../../packages/server/src/platform/kernel/bounded-queue.ts';

function task() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { promise, resolve, reject };
}

test('only so many tasks run, in the order of their coming, whatever becomes of those before', async () => {
  const queue = createBoundedQueue({
    runningAtMost: 2,
    waitingAtMost: 10,
    waitingOfOriginAtMost: 10,
    retryAfterSeconds: 5,
  });
  const begun: number[] = [];
  const tasks = Array.from({ length: 5 }, task);
  const ends = tasks.map(({ promise }, i) =>
    queue.run(() => (begun.push(i), promise)).catch(() => 'failed'),
  );
  expect(begun).toEqual([0, 1]);
  tasks[1]!.reject(new Error('a fault'));
  expect(await ends[1]).toBe('failed');
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { resolve } of tasks) resolve();
  await Promise.all(ends);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('only so many wait; further ones are refused with a time, but for those that come first', async () => {
  const queue = createBoundedQueue({
    runningAtMost: 1,
    waitingAtMost: 2,
    waitingOfOriginAtMost: 2,
    retryAfterSeconds: 5,
  });
  const [running, ...others] = Array.from({ length: 3 }, task);
  const order: string[] = [];
  const ends = [
    queue.run(() => running!.promise),
    ...others.map(({ promise }, i) => queue.run(() => (order.push(`waits ${i}`), promise))),
  ];
  await expect(queue.run(async () => {})).rejects.toMatchObject({
    code: 'tooManyRequests',
    data: { retryAfterSeconds: 5 },
  });
  ends.push(queue.run(async () => void order.push('first'), { first: true }));
  for (const { resolve } of [running!, ...others]) resolve();
  await Promise.all(ends);
  expect(order).toEqual(['first', 'waits 0', 'waits 1']);
  // All places are free again.
  await queue.run(async () => {});
});

test('origins take turns, and one that fills its places leaves those of others free', async () => {
  const queue = createBoundedQueue({
    runningAtMost: 1,
    waitingAtMost: 6,
    waitingOfOriginAtMost: 3,
    retryAfterSeconds: 5,
  });
  const running = task();
  const order: string[] = [];
  const wait = (origin: string, name: string): Promise<void> =>
    queue.run(async () => void order.push(name), { origin });
  const ends = [
    queue.run(() => running.promise, { origin: 'a' }),
    wait('a', 'a1'),
    wait('a', 'a2'),
    wait('a', 'a3'),
  ];
  await expect(wait('a', 'a4')).rejects.toMatchObject({
    code: 'tooManyRequests',
    data: { retryAfterSeconds: 5 },
  });
  ends.push(wait('b', 'b1'), wait('b', 'b2'), wait('c', 'c1'));
  await expect(wait('d', 'd1')).rejects.toMatchObject({ code: 'tooManyRequests' });
  running.resolve();
  await Promise.all(ends);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  await queue.run(async () => {});
});

test('one that has waited too long is refused, and leaves its place to others', async () => {
  const queue = createBoundedQueue({
    runningAtMost: 1,
    waitingAtMost: 1,
    waitingOfOriginAtMost: 1,
    patienceMs: 1,
    retryAfterSeconds: 5,
  });
  const running = task();
  const end = queue.run(() => running.promise);
  const refused = queue.run(async () => {}, { origin: 'a' });
  expect(queue.isWaitedFor()).toBe(true);
  await expect(refused).rejects.toMatchObject({ code: 'tooManyRequests' });
  expect(queue.isWaitedFor()).toBe(false);
  await expect(queue.run(async () => {}, { origin: 'a' })).rejects.toMatchObject({
    code: 'tooManyRequests',
  });
  running.resolve();
  await end;
  await queue.run(async () => {});
});
