import { createHash, createHmac } from 'node:crypto';
import { contentMd5, signatureOf, signRequest } from '@helioport/sdk';
import { stringToSign } from '@helioport/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

// Published vectors: the official document's example and those of existing clients.
const DOCUMENT = {
  contentMd5: 'kxdxk7rbAsrzSIWgEwhH4w==',
  contentType: 'application/json',
  date: 'Fri, 26 Jul 2019 06:00:46 GMT',
  path: '/v1/api/userStationList',
};

describe('the signer', () => {
  test.each([
    ['{"pageNo":1,"pageSize":10}', 'kxdxk7rbAsrzSIWgEwhH4w=='],
    ['{}', 'mZFLkyvTelC5g8XnyQrpOw=='],
    ['{"pageNo":"1","pageSize":"10"}', 'sAGxE9QzeBN88qPrz+sCZQ=='],
    ['{"pageNo":1,"pageSize":100}', 'U0Xj//qmRi3zoyapfAAuXw=='],
    ['{"userId":"1145611319416590338"}', 'mBAcWORUK93FBOz6jsAuqw=='],
  ])('digests %s as published', (body, digest) => {
    expect(contentMd5(body)).toBe(digest);
  });

  test.each([
    ['the official document', '6680182547', DOCUMENT, 'nBYQWeuzy3Y+gp67BN8zXTmvSDk='],
    [
      'the charset variant of it',
      '6680182547',
      { ...DOCUMENT, contentType: 'application/json;charset=UTF-8' },
      'b7lDe0IYMGj/Dp2su0plYT+BbJQ=',
    ],
    [
      'a Python client',
      'DEADBEEF'.repeat(4),
      {
        contentMd5: 'U0Xj//qmRi3zoyapfAAuXw==',
        contentType: 'application/json',
        date: 'Sun, 01 Jan 2023 00:00:00 GMT',
        path: 'TEST',
      },
      '8+oYgqSEFjxPaHIOgUKSpIdYCGU=',
    ],
  ])('signs the vector of %s', (_, secret, parts, sign) => {
    expect(signatureOf(secret, stringToSign(parts))).toBe(sign);
  });

  test('makes the four headers of the specification', () => {
    const signed = signRequest({
      path: '/v1/api/userStationList',
      body: '{"pageNo":1,"pageSize":10}',
      at: Date.parse('2026-11-06T05:01:09.999Z'),
      keyId: '1300386381676644416',
      keySecret: '6680182547',
    });
    expect(signed.stringToSign).toBe(
      'POST\nkxdxk7rbAsrzSIWgEwhH4w==\napplication/json;charset=UTF-8\nFri, 6 Nov 2026 05:01:09 GMT\n/v1/api/userStationList',
    );
    expect(signed.headers).toEqual({
      'Content-MD5': 'kxdxk7rbAsrzSIWgEwhH4w==',
      'Content-Type': 'application/json;charset=UTF-8',
      Date: 'Fri, 6 Nov 2026 05:01:09 GMT',
      Authorization: `API 1300386381676644416:${createHmac('sha1', '6680182547').update(signed.stringToSign).digest('base64')}`,
    });
  });

  test('digests and signs any text and bytes as Node’s own functions do', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.uint8Array(),
        (text, secret, bytes) => {
          expect(contentMd5(text)).toBe(createHash('md5').update(text, 'utf8').digest('base64'));
          expect(contentMd5(bytes)).toBe(createHash('md5').update(bytes).digest('base64'));
          expect(signatureOf(secret, text)).toBe(
            createHmac('sha1', secret).update(text, 'utf8').digest('base64'),
          );
        },
      ),
    );
  });
});
