import { expect, test } from 'vitest';
import { createUnfinished } from '../../packages/server/src/fleet/collectors/unfinished.ts';

const KIB = 1024;
/** What of each report is not counted. */
const FREE = 64 * KIB;

/** A report that brings bytes when it is told to, and ends when it is told to. */
function begin(unfinished: ReturnType<typeof createUnfinished>, ownerId: string) {
  const steps: ((bytes: number) => void)[] = [];
  let ask = Promise.withResolvers<number>();
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const bytes = await ask.promise;
      if (bytes === 0) return;
      ask = Promise.withResolvers();
      yield new Uint8Array(bytes);
    }
  }
  const outcome = unfinished
    .during(ownerId, chunks(), async (counted) => {
      for await (const { length } of counted) steps.shift()!(length);
      return 'stored';
    })
    .catch((error: { code: string }) => error.code);
  return {
    outcome,
    /** Resolves when the bytes have been taken, or to why not. */
    bring: (bytes: number): Promise<unknown> => {
      const taken = new Promise((resolve) => steps.push(resolve));
      ask.resolve(bytes);
      return Promise.race([taken, outcome]);
    },
    end: () => (ask.resolve(0), outcome),
  };
}

test('of reports that do not end, an owner holds so much, however many there are, until they end', async () => {
  const unfinished = createUnfinished({ ofOwner: 100 * KIB, ofAll: 1_000 * KIB });
  const some = Array.from({ length: 14 }, () => begin(unfinished, 'one'));
  const brought = [];
  for (const one of some) brought.push(await one.bring(FREE + 20 * KIB));
  expect(brought.filter((bytes) => bytes === FREE + 20 * KIB)).toHaveLength(5);
  expect(brought.filter((code) => code === 'tooManyRequests')).toHaveLength(9);
  // Usual reports, and those of others, are taken meanwhile.
  const usual = begin(unfinished, 'one');
  expect(await usual.bring(FREE)).toBe(FREE);
  expect(await usual.end()).toBe('stored');
  const other = begin(unfinished, 'other');
  expect(await other.bring(FREE + 100 * KIB)).toBe(FREE + 100 * KIB);
  expect(await some[0]!.end()).toBe('stored');
  const next = begin(unfinished, 'one');
  expect(await next.bring(FREE + 20 * KIB)).toBe(FREE + 20 * KIB);
  expect(await next.bring(1)).toBe('tooManyRequests');
  // What was refused holds nothing any more.
  expect(await begin(unfinished, 'one').bring(FREE + 20 * KIB)).toBe(FREE + 20 * KIB);
});

test('all owners together hold no more than all may', async () => {
  const unfinished = createUnfinished({ ofOwner: 100 * KIB, ofAll: 250 * KIB });
  const brought = [];
  for (let i = 0; i < 14; i++)
    brought.push(await begin(unfinished, `owner ${i}`).bring(FREE + 50 * KIB));
  expect(brought.filter((bytes) => bytes !== 'tooManyRequests')).toHaveLength(5);
  expect(await begin(unfinished, 'late').bring(FREE)).toBe(FREE);
});
