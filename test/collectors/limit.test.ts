import { expect, test } from 'vitest';
import { createReportLimit } from '../../packages/server/src/fleet/collectors/limits/limit.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';

const MIB = 1024 * 1024;

async function* chunksOf(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size);
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

test('each full MiB of a report counts as another report, even beyond what is left', async () => {
  const clock = { at: 0, now: () => clock.at };
  const limit = createReportLimit({ buckets: ownBuckets(clock), perSecond: 10 });
  const report = async (...sizes: number[]): Promise<number> => {
    return limit.during('one', () => read(limit.counted('one', chunksOf(...sizes))));
  };
  expect(await report(MIB - 1)).toBe(MIB - 1);
  // Nine are left: one for the report itself, the other eight and three more for its size.
  expect(await report(MIB / 2, 10 * MIB, MIB / 2)).toBe(11 * MIB);
  clock.at = 399;
  await expect(report(1)).rejects.toMatchObject({ data: { retryAfterSeconds: 1 } });
  clock.at = 400;
  expect(await report(1)).toBe(1);
  // Another collector owes nothing.
  await expect(limit.during('other', async () => 'taken')).resolves.toBe('taken');
});

test('four reports of a collector at most are in progress at once, and their places come back', async () => {
  const limit = createReportLimit({ buckets: ownBuckets({ now: () => 0 }), perSecond: 100 });
  const ends: (() => void)[] = [];
  const taking = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const begin = (collector: string): Promise<string> =>
    limit.during(collector, taking).then(
      () => 'taken',
      ({ code }) => code,
    );
  const all = Array.from({ length: 12 }, () => begin('a'));
  const other = begin('b');
  await expect.poll(() => ends.length).toBe(5);
  for (const end of ends.splice(0)) end();
  const outcomes = await Promise.all(all);
  expect(outcomes.filter((one) => one === 'taken')).toHaveLength(4);
  expect(outcomes.filter((one) => one === 'tooManyRequests')).toHaveLength(8);
  expect(await other).toBe('taken');
  const again = begin('a');
  await expect.poll(() => ends.length).toBe(1);
  ends[0]!();
  expect(await again).toBe('taken');
});
