import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentMd5 } from '../../packages/server/src/interfaces/edges/user-api/content-digest.ts';
import {
  isSignedWith,
  parseAuthorization,
} from '../../packages/server/src/interfaces/edges/user-api/signature.ts';
import { addKey, describeUserApi, hmacSha1, secretBox, signed, withHeaders } from './fixture.ts';

const BODY = '{"pageNo":1,"pageSize":10}';

// The vectors of docs/signing.md. interface S6
const vectors = [
  {
    secret: '6680182547',
    contentMd5: 'kxdxk7rbAsrzSIWgEwhH4w==',
    contentType: 'application/json',
    date: 'Fri, 26 Jul 2019 06:00:46 GMT',
    path: '/v1/api/userStationList',
    sign: 'nBYQWeuzy3Y+gp67BN8zXTmvSDk=',
  },
  {
    secret: '6680182547',
    contentMd5: 'kxdxk7rbAsrzSIWgEwhH4w==',
    contentType: 'application/json;charset=UTF-8',
    date: 'Fri, 26 Jul 2019 06:00:46 GMT',
    path: '/v1/api/userStationList',
    sign: 'b7lDe0IYMGj/Dp2su0plYT+BbJQ=',
  },
  {
    secret: 'DEADBEEF'.repeat(4),
    contentMd5: 'U0Xj//qmRi3zoyapfAAuXw==',
    contentType: 'application/json',
    date: 'Sun, 01 Jan 2023 00:00:00 GMT',
    path: 'TEST',
    sign: '8+oYgqSEFjxPaHIOgUKSpIdYCGU=',
  },
];

const digests = [
  ['', '1B2M2Y8AsgTpgAmY7PhCfg=='],
  ['{}', 'mZFLkyvTelC5g8XnyQrpOw=='],
  [BODY, 'kxdxk7rbAsrzSIWgEwhH4w=='],
  ['{"pageNo":"1","pageSize":"10"}', 'sAGxE9QzeBN88qPrz+sCZQ=='],
  ['{"pageNo":1,"pageSize":100}', 'U0Xj//qmRi3zoyapfAAuXw=='],
  ['{"userId":"1145611319416590338"}', 'mBAcWORUK93FBOz6jsAuqw=='],
] as const;

describe('known answers', () => {
  test.each(vectors)('the signature $sign belongs to its request', ({ secret, sign, ...parts }) => {
    const { digest } = parseAuthorization(`API 2424:${sign}`)!;
    expect(isSignedWith(secret, parts, digest, 'compatible')).toBe(true);
    expect(isSignedWith(`${secret}x`, parts, digest, 'compatible')).toBe(false);
    for (const part of Object.keys(parts)) {
      if (part === 'contentType') continue;
      expect(
        isSignedWith(
          secret,
          { ...parts, [part]: `${parts[part as keyof typeof parts]} ` },
          digest,
          'compatible',
        ),
      ).toBe(false);
    }
  });

  test.each(digests)(
    'S4: Content-MD5 of %j is base64 of the 16 bytes, not of their hex digits',
    (body, digest) => {
      expect(contentMd5(Buffer.from(body))).toBe(digest);
    },
  );
});

describe('the Authorization header', () => {
  const sign = 'nBYQWeuzy3Y+gp67BN8zXTmvSDk=';

  test('is read to the letter', () => {
    expect(parseAuthorization(`API 2424:${sign}`)).toEqual({
      keyId: '2424',
      digest: Buffer.from(sign, 'base64'),
    });
  });

  // interface S6, S3.
  test.each([
    ['lower case', `api 2424:${sign}`],
    ['two spaces', `API  2424:${sign}`],
    ['a tab', `API\t2424:${sign}`],
    ['no space', `API2424:${sign}`],
    ['no colon', `API 2424${sign}`],
    ['a colon in the id', `API 24:24:${sign}`],
    ['a space before the colon', `API 2424 :${sign}`],
    ['a space after the colon', `API 2424: ${sign}`],
    ['no id', `API :${sign}`],
    ['an id of 65 characters', `API ${'1'.repeat(65)}:${sign}`],
    ['an id with a hyphen', `API 24-24:${sign}`],
    ['an id beyond ASCII', `API ２４２４:${sign}`],
    ['no signature', 'API 2424:'],
    ['no padding', `API 2424:${sign.slice(0, -1)}`],
    ['two paddings', `API 2424:${sign}=`],
    ['a letter too few', `API 2424:${sign.slice(1)}`],
    ['a letter too many', `API 2424:A${sign}`],
    ['letters of base64url', `API 2424:${sign.replace('+', '-')}`],
    ['a blank inside', `API 2424:${sign.slice(0, 10)} ${sign.slice(11)}`],
    ['a digest in hex', `API 2424:${Buffer.from(sign, 'base64').toString('hex')}`],
    ['something behind', `API 2424:${sign} x`],
    ['a second line', `API 2424:${sign}\n`],
    ['another scheme', `Basic ${sign}`],
    ['nothing', ''],
  ])('with %s is not one', (_name, header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });

  test('S6: of the four spellings that a lenient decoder takes for one digest, only the canonical one is read', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (digest) => {
        const canonical = Buffer.from(digest).toString('base64');
        const spellings = [...alphabet]
          .map((letter) => `${canonical.slice(0, 26)}${letter}=`)
          .filter((text) => Buffer.from(text, 'base64').equals(digest));
        expect(spellings).toHaveLength(4);
        expect(spellings.filter((text) => parseAuthorization(`API 1:${text}`))).toEqual([
          canonical,
        ]);
      }),
    );
  });
});

describeUserApi('a signed request', (t) => {
  test('is answered, on both prefixes and under an alias, with the path that was called being the one signed (S5, S28)', async () => {
    for (const path of [
      '/v1/api/echo',
      '/v2/api/echo',
      '/v1/api/echo/again',
      '/v2/api/echo/again',
    ]) {
      const answer = await t.call({ path, body: BODY });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        success: true,
        code: '0',
        msg: 'success',
        data: { input: { pageNo: 1, pageSize: 10 } },
      });
      expect(answer.body.data.caller).toMatchObject({
        kind: 'user',
        accountId: t.key.accountId,
        keyId: t.key.keyId,
        canControl: true,
        plantIds: null,
      });
    }
    expect((await t.call({ path: '/v1/api/echo', target: '/v2/api/echo' })).status).toBe(403);
  });

  test('with a wrong signature and one with an unknown key get one and the same answer, which tells what to sign', async () => {
    const request = t.sign();
    const wrong = withHeaders(request, {
      Authorization: `API ${t.key.keyId}:${hmacSha1('other', 'text')}`,
    });
    const unknown = withHeaders(request, {
      Authorization: `API 1300000000000000000:${hmacSha1('other', 'text')}`,
    });
    const [first, second] = [await t.api.send(wrong), await t.api.send(unknown)];
    expect(first.status).toBe(403);
    const stringToSign = [
      'POST',
      'mZFLkyvTelC5g8XnyQrpOw==',
      'application/json;charset=UTF-8',
      'Fri, 6 Nov 2026 05:01:09 GMT',
      '/v1/api/echo',
    ].join('\n');
    expect(first.body).toEqual({
      success: false,
      code: '403',
      msg: 'unknown key or wrong signature',
      data: { stringToSign },
    });
    expect(second.status).toBe(403);
    expect(second.body).toEqual(first.body);
    expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers));
  });

  test('with the secret of one key opens no other, known or unknown', async () => {
    const mine = await addKey(t.world);
    const theirs = await addKey(t.world);
    for (const keyId of [
      theirs.keyId,
      String(BigInt(mine.keyId) + 1n),
      String(BigInt(mine.keyId) - 1n),
      '1',
      '9'.repeat(19),
      'z',
      `${mine.keyId}0`,
    ]) {
      const answer = await t.api.send(
        signed({ key: { keyId, keySecret: mine.keySecret }, at: t.clock.at }),
      );
      expect([keyId, answer.status, answer.body.msg]).toEqual([
        keyId,
        403,
        'unknown key or wrong signature',
      ]);
    }
    expect((await t.api.send(signed({ key: mine, at: t.clock.at }))).status).toBe(200);
  });

  test('S6: a signature of another length is refused as malformed, never with a 5xx', async () => {
    for (const length of [0, 1, 16, 19, 21, 32, 64]) {
      const answer = await t.api.send(
        withHeaders(t.sign(), {
          Authorization: `API ${t.key.keyId}:${Buffer.alloc(length).toString('base64')}`,
        }),
      );
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('401');
    }
  });

  test('S6: a secret is used as text, whatever text it is', async () => {
    const { db } = t.database();
    for (const secret of ['ключ-日本', 'c2VjcmV0', 'secret\n', ' padded ', '\u00e9']) {
      const key = await addKey(t.world);
      await db
        .updateTable('keyPair')
        .set({ secret: secretBox.seal(secret, key.keyId) })
        .where('id', '=', key.keyId)
        .execute();
      const status = async (keySecret: string) =>
        (await t.api.send(signed({ key: { keyId: key.keyId, keySecret }, at: t.clock.at }))).status;
      expect(await status(secret)).toBe(200);
      expect(await status(secret.trim() === secret ? `${secret}\n` : secret.trim())).toBe(403);
      expect(await status(Buffer.from(secret, 'base64').toString('latin1'))).toBe(403);
    }
  });

  test('S3: a client that misspells Authorization learns how it reads', async () => {
    const answer = await t.api.send(
      withHeaders(t.sign(), { Authorization: 'api 2424:nBYQWeuzy3Y+gp67BN8zXTmvSDk=' }),
    );
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('API');
    expect(answer.body).toMatchObject({ success: false, code: '401', data: null });
    expect(answer.body.msg).toContain('API <KeyID>:<sign>');
  });

  test('S18: a Bearer token is refused with the scheme that is wanted, and nothing is carried out (W1)', async () => {
    for (const token of ['abc', 'A'.repeat(43)]) {
      const answer = await t.api.send(
        withHeaders(t.sign({ path: '/v1/api/rename', body: '{"name":"by bearer"}' }), {
          Authorization: `Bearer ${token}`,
        }),
      );
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('API');
      expect(answer.body.code).toBe('401');
      expect(answer.body.msg).toContain('OAuth');
    }
    const account = await t
      .database()
      .db.selectFrom('account')
      .select('name')
      .where('id', '=', t.key.accountId)
      .executeTakeFirst();
    expect(account!.name).not.toBe('by bearer');
  });

  test('S25: line breaks and other bytes of the caller stay inside the JSON, never in a header', async () => {
    const answer = await t.api.send(withHeaders(t.sign(), { 'Content-MD5': 'a\u00e9\t"\\<b>' }));
    expect(answer.status).toBe(403);
    expect(answer.body.data.stringToSign.split('\n')[1]).toBe('a\u00e9\t"\\<b>');
    expect(JSON.stringify(answer.headers)).not.toContain('<b>');
  });
});
