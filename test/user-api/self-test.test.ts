import { setFips } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { selfTest } from '../../packages/server/src/interfaces/edges/user-api/self-test.ts';

afterEach(() => setFips(false));

test('S24: where OpenSSL has MD5 and SHA-1, the self-test passes', () => {
  expect(selfTest).not.toThrow();
});

test('S24: where OpenSSL is in FIPS mode, the interface does not start and says in one sentence what is missing', () => {
  setFips(true);
  expect(selfTest).toThrow(
    /^The signed interface needs (MD5|HMAC-SHA1), which this machine's OpenSSL does not provide \(is it in FIPS mode\?\)\.$/,
  );
});
