import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSignedWith } from '../../packages/server/src/interfaces/edges/user-api/signature.ts';
import {
  hashPassword,
  verifyPassword,
} from '../../packages/server/src/platform/kernel/passwords/password.ts';
import {
  createSecretBox,
  equalSecrets,
  hashSecret,
} from '../../packages/server/src/platform/kernel/secrets.ts';
import {
  makeChallenge,
  readChallenge,
} from '../../packages/server/src/identity/accounts/factors/challenges.ts';
import { csrfToken, isCsrfToken } from '../../packages/server/src/interfaces/edges/http/csrf.ts';
import {
  signWebhook,
  webhookKey,
} from '../../packages/server/src/outbound/sinks/standard-webhooks.ts';
import {
  mintAccessToken,
  mintCode,
  mintRefreshToken,
  readAccessToken,
} from '../../packages/server/src/identity/oauth/tokens.ts';
import { readWebhook } from '@helioport/sdk';
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

/** Every text that differs in one letter. */
const changedTexts = (text: string): string[] =>
  [...text].map((letter, i) => text.slice(0, i) + (letter === 'a' ? 'b' : 'a') + text.slice(i + 1));

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

  test('the token of a form', () => {
    const use = { sessionId: 'session', form: 'log-in', context: randomBytes(32) };
    const token = csrfToken(use);
    expect(isCsrfToken(use, token)).toBe(true);
    for (const changed of changedTexts(token))
      expect([changed, isCsrfToken(use, changed)]).toEqual([changed, false]);
    for (const [place, context] of flipped(use.context))
      expect([place, isCsrfToken({ ...use, context }, token)]).toEqual([place, false]);
  });

  test('a challenge for a passkey', () => {
    const box = createSecretBox(randomBytes(32));
    const purpose = { kind: 'second factor', subject: 'account' } as const;
    const challenge = makeChallenge(box, purpose, 10);
    expect(readChallenge(box, purpose.kind, challenge, 9)).toEqual({
      subject: 'account',
      expiresAt: 10,
    });
    for (const [place, changed] of flipped(Buffer.from(challenge, 'base64url')))
      expect([place, readChallenge(box, purpose.kind, changed.toString('base64url'), 9)]).toEqual([
        place,
        undefined,
      ]);
  });

  test('the signature of a webhook, as the SDK checks it', () => {
    const key = `whsec_${randomBytes(32).toString('base64')}`;
    const at = 1_793_963_100_000;
    const headers = signWebhook({ id: 'msg_1', at, body: '[]' }, [webhookKey(key)]);
    const isRead = (signature: string): boolean => {
      try {
        readWebhook(
          { headers: { ...headers, 'webhook-signature': signature }, body: '[]' },
          { secrets: [key], clock: { now: () => at } },
        );
        return true;
      } catch (error) {
        // Once the signature is accepted, it is looked for an event.
        return !String(error).includes('the signature is not ours');
      }
    };
    const [version, sign] = headers['webhook-signature']!.split(',');
    expect(isRead(`${version},${sign}`)).toBe(true);
    for (const [place, changed] of flipped(Buffer.from(sign!, 'base64')))
      expect([place, isRead(`${version},${changed.toString('base64')}`)]).toEqual([place, false]);
  });

  test('tokens, codes and what is stored of them', () => {
    for (const { text, hash } of [mintCode(), mintAccessToken(), mintRefreshToken()]) {
      expect([hash.length, readAccessToken(text)!.hash.equals(hash)]).toEqual([32, true]);
      for (const changed of changedTexts(text))
        expect(hashSecret(changed).equals(hash)).toBe(false);
    }
  });

  test('nowhere is a part of a secret compared, or a part of its hash kept', () => {
    const folder = join(import.meta.dirname, '../../packages/server/src');
    const parts =
      /(equalSecrets|timingSafeEqual|hashSecret)\((?:[^()]|\([^()]*\))*\)?\.?(subarray|slice|substring)\(/;
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => parts.test(readFileSync(join(folder, name), 'utf8')));
    expect(found).toEqual([]);
    expect('equalSecrets(a.subarray(0, 10), b.subarray(0, 10))').toMatch(parts);
    expect('hashSecret(text).subarray(0, 8)').toMatch(parts);
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
