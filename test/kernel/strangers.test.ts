import { expect, test } from 'vitest';
import { createStrangers } from '../../packages/server/src/platform/kernel/addresses/strangers.ts';

test.each([
  ['an address of a /24', (i: number) => `192.0.2.${i}`, '198.51.100.1', 4],
  ['a /64 of a /48', (i: number) => `2001:db8:1:${i}::1`, '2001:db9::1', 4],
  ['a /48 of a /32', (i: number) => `2001:db8:${i}::1`, '2001:db9::1', 6],
])('strangers from %s each are as many as the wider network may have', (_, from, other, most) => {
  const strangers = createStrangers(2);
  const stay = new AbortController();
  const admitted = Array.from({ length: 10 }, (_none, i) => strangers.admit(from(i), stay.signal));
  expect(admitted.filter(Boolean)).toHaveLength(most);
  expect(strangers.admit(other, stay.signal)).toBe(true);
  stay.abort();
  expect(strangers.admit(from(0), new AbortController().signal)).toBe(true);
});

test('strangers of one address are few', () => {
  const strangers = createStrangers(2);
  const stay = new AbortController();
  const admitted = Array.from({ length: 5 }, () => strangers.admit('192.0.2.1', stay.signal));
  expect(admitted).toEqual([true, true, false, false, false]);
});
