import { expect, test } from 'vitest';
import { createAttemptIds } from '../../packages/server/src/measurements/ingest/attempt-ids.ts';

test('a writer makes one attempt after the other, each with a name of its own, and none beside another or after one that left something', () => {
  const ids = createAttemptIds();
  const writerOf = (id: string): string => id.split('/')[0]!;
  const [first, beside] = [ids.next(), ids.next()];
  expect(writerOf(beside.id)).not.toBe(writerOf(first.id));
  first.end();
  const second = ids.next();
  expect(writerOf(second.id)).toBe(writerOf(first.id));
  expect(second.id).not.toBe(first.id);
  const third = ids.next();
  expect(new Set([first, beside, third].map(({ id }) => writerOf(id))).size).toBe(3);
});
