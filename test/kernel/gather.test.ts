import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gather } from '../../packages/server/src/platform/kernel/gather.ts';

/** A gatherer of numbers whose batches end when they are made to. */
function gathering(atOnce: number) {
  const batches: { readonly items: readonly number[]; readonly end: () => void }[] = [];
  const add = gather<number, string>({
    atOnce: () => atOnce,
    run: async (items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      batches.push({ items, end: resolve });
      await promise;
      return items.map((item) => ({
        ended:
          item < 0 ? Promise.reject(new Error(`own fault of ${item}`)) : Promise.resolve(`${item}`),
      }));
    },
    sizeOf: (item) => Math.abs(item),
  });
  return { batches, add, items: () => batches.map(({ items }) => items) };
}

test('a call that comes alone begins in the same turn; what comes meanwhile is the next batch', async () => {
  const { batches, add, items } = gathering(1);
  const first = add(1);
  await turn();
  expect(items()).toEqual([[1]]);
  const others = [add(2), add(3)];
  await turn();
  others.push(add(4));
  await turn();
  expect(items()).toEqual([[1]]);
  batches[0]!.end();
  expect(await first).toBe('1');
  await turn();
  expect(items()).toEqual([[1], [2, 3, 4]]);
  batches[1]!.end();
  expect(await Promise.all(others)).toEqual(['2', '3', '4']);
});

test('each call has its own outcome', async () => {
  const { batches, add } = gathering(1);
  const outcomes = Promise.allSettled([add(1), add(-2), add(3)]);
  await turn();
  batches[0]!.end();
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: '1' },
    { status: 'rejected', reason: new Error('own fault of -2') },
    { status: 'fulfilled', value: '3' },
  ]);
});

test('a batch is bounded by its number of calls and by their size, and a large call is a batch of its own', async () => {
  const { batches, add, items } = gathering(1);
  const all = [...Array.from({ length: 70 }, () => add(1)), add(400), add(101), add(9_999), add(1)];
  for (let ended = 0; ended < 5; ended++) {
    while (batches.length === ended) await turn();
    batches[ended]!.end();
  }
  await Promise.all(all);
  expect(items().map((batch) => [batch.length, batch.at(-1)])).toEqual([
    [64, 1],
    [7, 400],
    [1, 101],
    [1, 9_999],
    [1, 1],
  ]);
});

test('no more batches run than may', async () => {
  const { batches, add, items } = gathering(2);
  const all = [];
  for (const n of [1, 2, 3, 4]) {
    all.push(add(n));
    await turn();
  }
  expect(items()).toEqual([[1], [2]]);
  batches[1]!.end();
  await turn();
  await turn();
  expect(items()).toEqual([[1], [2], [3, 4]]);
  for (const { end } of batches) end();
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});

test('when a batch cannot be carried out at all, what waits is refused with it, and what comes later is tried again', async () => {
  const begun: number[][] = [];
  const add = gather<number, number>({
    atOnce: () => 1,
    run: async (items) => {
      begun.push([...items]);
      await turn();
      if (items.includes(1)) throw new Error('nobody can write');
      return items.map((item) => ({ ended: Promise.resolve(item) }));
    },
    sizeOf: () => 1,
  });
  const first = Promise.allSettled([add(1)]);
  while (begun.length === 0) await turn();
  await expect(add(2)).rejects.toThrow('nobody can write');
  expect((await first)[0].status).toBe('rejected');
  expect(await add(3)).toBe(3);
  expect(begun).toEqual([[1], [3]]);
});
