import { expect, test } from 'vitest';
import { lifetimeLike } from '../../../packages/portal/src/screens/keys/lifetimes.ts';

const key = (createdAt: string, expiresAt: string) => ({
  createdAt: Date.parse(createdAt),
  expiresAt: Date.parse(expiresAt),
});

test('a replacement is offered the length of the key pair that it replaces, counted in local days', () => {
  expect(
    lifetimeLike(
      key('2026-08-01T23:30:00Z', '2026-10-31T22:59:00Z'),
      '2026-11-06',
      'Europe/Berlin',
    ),
  ).toEqual({ lifetime: '90' });
  expect(
    lifetimeLike(key('2026-11-06T05:01:00Z', '2026-12-31T23:59:00Z'), '2026-11-08', 'UTC'),
  ).toEqual({ lifetime: 'until', lastDay: '2027-01-02' });
  expect(lifetimeLike({ createdAt: 0, expiresAt: undefined }, '2026-11-06', 'UTC')).toEqual({
    lifetime: 'never',
  });
});
