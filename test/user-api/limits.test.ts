import { describe, expect, test } from 'vitest';
import {
  createFailureLimit,
  type FailureLimit,
} from '../../packages/server/src/interfaces/edges/http/failure-limit.ts';
import { REWRITTEN_BYTES } from '../../packages/server/src/interfaces/edges/user-api/content-digest.ts';
import {
  createTokenBuckets,
  ownBuckets,
} from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { settableClock } from '../support/world.ts';
import { addKey, describeUserApi, hmacSha1, md5, signed, withHeaders } from './fixture.ts';

describe('token buckets', () => {
  const clock = settableClock(0);

  test('give their capacity at once and then what time brings back', () => {
    const buckets = createTokenBuckets({ clock, capacity: 3, refillPerSecond: 2 });
    expect([1, 2, 3, 4].map(() => buckets.take('a').granted)).toEqual([true, true, true, false]);
    expect(buckets.take('a')).toEqual({
      granted: false,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 2,
    });
    clock.at += 500;
    expect(buckets.take('a')).toEqual({
      granted: true,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 2,
    });
    clock.at += 60_000;
    expect(buckets.peek('a')).toEqual({
      granted: true,
      remaining: 3,
      retryAfterSeconds: 0,
      resetSeconds: 0,
    });
  });

  test('a clock that steps back takes nothing away and gives nothing', () => {
    const buckets = createTokenBuckets({ clock, capacity: 2, refillPerSecond: 1 });
    buckets.take('a');
    clock.at -= 10_000;
    expect(buckets.take('a').granted).toBe(true);
    expect(buckets.take('a').granted).toBe(false);
  });

  test('remember a bounded number of keys, the latest used', () => {
    const buckets = createTokenBuckets({ clock, capacity: 1, refillPerSecond: 1, keysAtMost: 100 });
    for (let i = 0; i < 1000; i++) {
      buckets.take(`key ${i}`);
      buckets.take('busy');
    }
    expect(buckets.peek('busy').granted).toBe(false);
    expect(buckets.peek('key 999').granted).toBe(false);
    expect(buckets.peek('key 950').granted).toBe(false);
    expect(buckets.peek('key 899').granted).toBe(true);
  });
});

describeUserApi(
  'the rate limit',
  (t) => {
    test('says with every answer to a known caller what is left, and asks to wait when nothing is (S20)', async () => {
      const key = await addKey(t.world);
      const call = (change = {}) => t.api.send(signed({ key, at: t.clock.at, ...change }));
      const left = (answer: { headers: Record<string, unknown> }) => answer.headers['ratelimit'];
      const first = await call();
      expect(first.headers['ratelimit-policy']).toBe('"key";q=4;w=1');
      expect(left(first)).toBe('"key";r=3;t=1');
      expect(left(await call({ body: '{"pageNo":"x"}' }))).toBe('"key";r=2;t=1');
      expect(left(await call({ contentMd5: 'x' }))).toBe('"key";r=1;t=1');
      expect(left(await call({ body: '{' }))).toBe('"key";r=0;t=1');
      const refused = await call();
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toBe('1');
      expect(left(refused)).toBe('"key";r=0;t=1');
      expect(refused.body).toMatchObject({
        success: false,
        code: '429',
        data: { retryAfterSeconds: 1 },
      });

      // Another operation, another key and another spelling of the path.
      expect((await call({ path: '/v1/api/rename', body: '{"name":"x"}' })).status).toBe(200);
      expect((await t.call()).status).toBe(200);
      for (const path of ['/v2/api/echo', '/v1/api/echo/again'])
        expect((await call({ path })).status).toBe(429);

      t.clock.at += 250;
      expect((await call()).status).toBe(200);
      expect((await call()).status).toBe(429);
      t.clock.at += 1000;
    });

    test('is sent with the refusal of a key that may not be used, too', async () => {
      const key = await addKey(t.world, { cidrs: ['203.0.113.0/24'] });
      const refused = await t.api.send(signed({ key, at: t.clock.at }));
      expect(refused.status).toBe(403);
      expect(refused.headers['ratelimit']).toBe('"key";r=4;t=0');
    });

    test('is not used up by one who merely knows the KeyID', async () => {
      const key = await addKey(t.world);
      for (let i = 0; i < 10; i++)
        await t.api.send(signed({ key: { ...key, keySecret: 'guess' }, at: t.clock.at }));
      expect((await t.api.send(signed({ key, at: t.clock.at }))).headers['ratelimit']).toBe(
        '"key";r=3;t=1',
      );
    });

    test('is not shown to anybody else', async () => {
      expect(
        (await t.api.send(withHeaders(t.sign(), { Authorization: undefined }))).headers[
          'ratelimit'
        ],
      ).toBeUndefined();
      expect(
        (
          await t.api.send(
            withHeaders(t.sign(), { Authorization: 'API 1:nBYQWeuzy3Y+gp67BN8zXTmvSDk=' }),
          )
        ).headers['ratelimit'],
      ).toBeUndefined();
    });
  },
  { rateLimit: 4 },
);

describeUserApi('without a rate limit', (t) => {
  test('nothing is counted or said', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => t.call()));
    expect(
      answers.every(({ status, headers }) => status === 200 && headers['ratelimit'] === undefined),
    ).toBe(true);
  });
});

describeUserApi(
  'the limit of refused signatures',
  (t) => {
    const guess = (keyId: string) =>
      t.api.send(
        withHeaders(t.sign(), { Authorization: `API ${keyId}:${hmacSha1('guess', 'x')}` }),
      );

    test('holds for known and unknown keys alike, per address and key (S21)', async () => {
      const { keyId } = await addKey(t.world);
      for (const id of [keyId, '1300000000000000001']) {
        expect([
          (await guess(id)).status,
          (await guess(id)).status,
          (await guess(id)).status,
        ]).toEqual([403, 403, 403]);
        const refused = await guess(id);
        expect(refused.status).toBe(429);
        expect(refused.headers['retry-after']).toBe('20');
        expect(refused.body).toMatchObject({
          success: false,
          code: '429',
          data: { retryAfterSeconds: 20 },
        });
      }
      expect((await t.call()).status).toBe(200);
      t.clock.at += 20_000;
      expect((await guess(keyId)).status).toBe(403);
      expect((await guess(keyId)).status).toBe(429);
    });

    test('never stops a right signature, whatever else comes from its address', async () => {
      const key = await addKey(t.world);
      const call = () => t.api.send(signed({ key, at: t.clock.at }));
      for (let i = 0; i < 4; i++) await guess(key.keyId);
      expect((await guess(key.keyId)).status).toBe(429);
      expect((await call()).status).toBe(200);
      expect((await guess(key.keyId)).status).toBe(429);
    });

    test('has a share for each network too, so that made-up KeyIDs are not each a new beginning', async () => {
      t.clock.at += 60_000;
      const statuses: number[] = [];
      for (let i = 0; i < 32; i++)
        statuses.push((await guess(`14000000000000000${String(i).padStart(2, '0')}`)).status);
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 403), 429, 429]);
      expect((await t.call()).status).toBe(200);
      t.clock.at += 60_000;
    });

    test('holds for wrong digests under a right signature, too, before another text of the body is made', async () => {
      const key = await addKey(t.world);
      const call = (change = {}) =>
        t.api.send(signed({ key, at: t.clock.at, body: '{"pageNo": 7}', ...change }));
      for (let i = 0; i < 3; i++) expect((await call({ contentMd5: 'x' })).body.code).toBe('Z0002');
      const refused = await call({ contentMd5: 'x' });
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '20']);
      expect((await call({ contentMd5: md5('{"pageNo":7}') })).status).toBe(429);
      expect((await call()).status).toBe(200);
      t.clock.at += 20_000;
      expect((await call({ contentMd5: md5('{"pageNo":7}') })).status).toBe(200);
    });
  },
  { authFailureLimit: 3 },
);

describe('the count of failures', () => {
  const clock = settableClock(0);

  async function refused(limit: FailureLimit, ...addresses: readonly string[]): Promise<boolean[]> {
    const results: boolean[] = [];
    for (const address of addresses) results.push((await limit.count(address, 'key')) > 0);
    return results;
  }

  test('of a network is not emptied by 10,000 made-up identities', async () => {
    const limit = createFailureLimit({
      buckets: ownBuckets(clock),
      of: 'wrong digests',
      perMinute: 60,
    });
    for (let i = 0; i < 60; i++) expect(await limit.count('203.0.113.7', 'key')).toBe(0);
    for (let i = 0; i < 10_000; i++) await limit.count('203.0.113.7', `made up ${i}`);
    expect(await limit.count('203.0.113.7', 'key')).toBeGreaterThan(0);
    expect(await limit.count('203.0.113.7', 'another')).toBeGreaterThan(0);
    expect(await limit.count('203.0.113.8', 'another')).toBe(0);
  });

  test('takes the addresses of one IPv6 network for one', async () => {
    const limit = createFailureLimit({
      buckets: ownBuckets(clock),
      of: 'wrong digests',
      perMinute: 1,
    });
    expect(await refused(limit, '2001:db8:1:2::1', '2001:db8:1:2::2')).toEqual([false, true]);
    expect(await limit.count('2001:db8:1:3::1', 'key')).toBe(0);
    expect(await refused(limit, '::ffff:203.0.113.7', '::ffff:203.0.113.7')).toEqual([false, true]);
    expect(await limit.count('203.0.113.7', 'key')).toBeGreaterThan(0);
  });
});

describeUserApi(
  'a wrong digest',
  (t) => {
    // Made to take long: many small tokens.
    const large = `{"text":[${'1,'.repeat(500_000)}1]}`;

    test('comes after the rate limit: of 24 large bodies 4 are looked at', async () => {
      const key = await addKey(t.world);
      const answers = await Promise.all(
        Array.from({ length: 24 }, () =>
          t.api.send(signed({ key, at: t.clock.at, body: large, contentMd5: 'x' })),
        ),
      );
      const codes = answers.map(({ body }) => body.code).toSorted();
      expect(codes).toEqual([
        ...Array.from({ length: 20 }, () => '429'),
        ...Array.from({ length: 4 }, () => 'Z0002'),
      ]);
    });

    test('of a large body costs no rewriting: from 16 KiB on the digest is that of the bytes as sent', async () => {
      t.clock.at += 60_000;
      for (const [bytes, code] of [
        [REWRITTEN_BYTES, '0'],
        [REWRITTEN_BYTES + 1, 'Z0002'],
      ] as const) {
        const body = `{"tail":"${'a'.repeat(bytes - 12)}" }`;
        expect(body).toHaveLength(bytes);
        expect((await t.call({ body, contentMd5: md5(body.replace('" }', '"}')) })).body.code).toBe(
          code,
        );
      }
    });
  },
  { rateLimit: 4 },
);
