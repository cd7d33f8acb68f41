import { expect, test } from 'vitest';
import { plainReason } from '../../../packages/portal/src/screens/notifications/plain-reason.ts';
import en from '../../../packages/portal/src/screens/notifications/texts/en.ts';

test.each([
  ['ECONNREFUSED', 'nobody answers at this address'],
  ['CERT_HAS_EXPIRED', 'the certificate of this address is not valid'],
  ['ECONNRESET', 'the connection failed (ECONNRESET)'],
  [undefined, 'the server’s words'],
])('why a connection failed is said in the reader’s words: %s', (connectionError, said) => {
  expect(plainReason(en.connection, 'the server’s words', connectionError)).toBe(said);
});

test('an answer that says no is shown by its number', () => {
  expect(plainReason(en.connection, 'the endpoint answered 503', undefined)).toBe(
    'it answers with an error (HTTP 503)',
  );
});
