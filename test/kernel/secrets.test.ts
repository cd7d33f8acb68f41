import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSignedWith } from '../../packages/server/src/interfaces/edges/user-api/signature.ts';
import {
  hashPassword,
  verifyPassword,
} from '../../packages/server/src/platform/kernel/password.ts';
import { equalSecrets } from '../../packages/server/src/platform/kernel/secrets.ts';
import { hmacSha1 } from '../user-api/fixture.ts';

/** Every value that differs in one bit. */
function* flipped(bytes: Uint8Array): Generator<[place: string, changed: Buffer]> {
  for (let byte = 0; byte < bytes.length; byte++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[byte]! ^= 1 << bit;
      yield [`byte ${byte}, bit ${bit}`, changed];
    }
  }
}

describe('secrets are equal in every bit or not at all:', () => {
  test.each([1, 16, 20, 32, 43])('two of %i bytes', (length) => {
    const secret = randomBytes(length);
    expect(equalSecrets(secret, Buffer.from(secret))).toBe(true);
    for (const [place, changed] of flipped(secret))
      expect([place, equalSecrets(secret, changed)]).toEqual([place, false]);
    expect([
      equalSecrets(secret, secret.subarray(1)),
      equalSecrets(secret.subarray(1), secret),
      equalSecrets(secret, Buffer.alloc(0)),
    ]).toEqual([false, false, false]);
  });

  test.each(['compatible', 'strict'] as const)('a signature in the %s profile', (profile) => {
    const parts = {
      contentMd5: 'x',
      contentType: 'application/json;charset=UTF-8',
      date: 'Fri, 6 Nov 2026 05:01:09 GMT',
      path: '/v1/api/echo',
    };
    const digest = Buffer.from(
      hmacSha1('secret', ['POST', ...Object.values(parts)].join('\n')),
      'base64',
    );
    expect(isSignedWith('secret', parts, digest, profile)).toBe(true);
    for (const [place, changed] of flipped(digest))
      expect([place, isSignedWith('secret', parts, changed, profile)]).toEqual([place, false]);
    for (const length of [0, 10, 19])
      expect(isSignedWith('secret', parts, digest.subarray(0, length), profile)).toBe(false);
  });

  test('the tag of a password', async () => {
    const phc = await hashPassword('sun on the barn roof');
    const [tag = ''] = phc.split('$').slice(-1);
    const bytes = Buffer.from(tag, 'base64');
    expect(await verifyPassword(phc, 'sun on the barn roof')).toBe(true);
    // A bit of each byte: each look takes its time.
    for (let byte = 0; byte < bytes.length; byte++) {
      const changed = Buffer.from(bytes);
      changed[byte]! ^= 1 << (byte % 8);
      expect(
        await verifyPassword(
          phc.replace(tag, changed.toString('base64').replace(/=+$/, '')),
          'sun on the barn roof',
        ),
      ).toBe(false);
    }
  });

  test('whatever differs, the comparison takes the same time: it is the platform’s own', () => {
    const source = readFileSync(
      join(import.meta.dirname, '../../packages/server/src/platform/kernel/secrets.ts'),
      'utf8',
    );
    expect(source).toContain('return a.length === b.length && timingSafeEqual(a, b);');
    expect(source).toMatch(/import \{[^}]*\btimingSafeEqual\b[^}]*\} from 'node:crypto';/);
  });
});
