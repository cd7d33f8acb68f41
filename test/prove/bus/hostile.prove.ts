import { expect, test } from 'vitest';
import { readHostile } from '../../bus/no-wrong-value.ts';
import { effort } from '../../support/effort.ts';

test.each(['tcp', 'rtu', 'v5'] as const)(
  '10,000 reads over %s, a third of them answered late, twice, crossed or broken: no wrong value',
  async (wire) => {
    const reads = effort(20, 10_000);
    const { answered, wrong } = await readHostile(wire, reads, 20_261_128);
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(reads / 4);
  },
);
