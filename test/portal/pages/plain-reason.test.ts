import { expect, test } from 'vitest';
import { plainReason } from '../../../packages/portal/src/screens/news/plain-reason.ts';
import en from '../../../packages/portal/src/screens/news/texts/en.ts';

test.each([
  ['the connection failed (ECONNREFUSED)', 'nobody answers at this address (ECONNREFUSED)'],
  ['the connection failed (ENOTFOUND)', 'this address does not exist (ENOTFOUND)'],
  ['the connection failed (ECONNRESET)', 'the connection failed (ECONNRESET)'],
  ['answered 500', 'answered 500'],
])('a reason is said in plain words: %s', (reason, said) => {
  expect(plainReason(en.connection, reason)).toBe(said);
});
