import { expect, test } from 'vitest';
import { readHostile } from './no-wrong-value.ts';

test.each(['tcp', 'rtu', 'v5'] as const)(
  'late, doubled, crossed and broken answers over %s never become a value',
  async (wire) => {
    const { answered, wrong, tricks } = await readHostile(wire, 150, 37);
    expect(wrong).toEqual([]);
    expect(answered).toBeGreaterThan(50);
    expect(tricks.size).toBeGreaterThan(8);
  },
);
