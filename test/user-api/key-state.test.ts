import { expect, test } from 'vitest';
import {
  disableAccount,
  enableAccount,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import { disableKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { addKey, describeUserApi, signed, startUserApi, withHeaders } from './fixture.ts';

describeUserApi('S11: a key', (t) => {
  const callWith = (key: { keyId: string; keySecret: string }) =>
    t.api.send(signed({ key, at: t.clock.at }));

  test('that is disabled is refused from the next request on, on every instance', async () => {
    const key = await addKey(t.world);
    const other = await startUserApi(t.database(), t.clock);
    expect((await other.send(signed({ key, at: t.clock.at }))).status).toBe(200);
    await t.world.write((trx) => disableKeyPair(trx, t.world.act(), key.keyId));
    for (const answer of [await callWith(key), await other.send(signed({ key, at: t.clock.at }))]) {
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({
        success: false,
        code: '403',
        msg: 'the key is disabled',
        data: { reason: 'disabled' },
      });
    }
    await other.close();
  });

  test('of a disabled account is refused until the account is enabled again', async () => {
    const key = await addKey(t.world);
    await t.world.write((trx) => disableAccount(trx, t.world.act(), key.accountId));
    expect((await callWith(key)).body).toMatchObject({ code: '403', data: { reason: 'disabled' } });
    await t.world.write((trx) => enableAccount(trx, t.world.act(), key.accountId));
    expect((await callWith(key)).status).toBe(200);
  });

  test('that expires is refused from that millisecond on', async () => {
    const key = await addKey(t.world, { expiresAt: t.clock.at + 1000 });
    expect((await callWith(key)).status).toBe(200);
    t.clock.at += 999;
    expect((await callWith(key)).status).toBe(200);
    t.clock.at += 1;
    const answer = await callWith(key);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: '403', data: { reason: 'expired' } });
    t.clock.at -= 1000;
  });

  test('that waits for its owner’s next log-in is refused', async () => {
    const key = await addKey(t.world);
    await t
      .database()
      .db.updateTable('keyPair')
      .set({ pending: 1 })
      .where('id', '=', key.keyId)
      .execute();
    const answer = await callWith(key);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: '403', data: { reason: 'pending' } });
  });

  test('serves only the networks it was made for', async () => {
    for (const [cidrs, status] of [
      [['127.0.0.0/8'], 200],
      [['127.0.0.1'], 200],
      [['203.0.113.0/24', '127.0.0.1/32'], 200],
      [['203.0.113.0/24'], 403],
      [['::1/128'], 403],
    ] as const) {
      const answer = await callWith(await addKey(t.world, { cidrs }));
      expect([cidrs, answer.status]).toEqual([cidrs, status]);
      if (status === 403) expect(answer.body.data).toEqual({ reason: 'address' });
    }
  });

  test('with its state is shown only to the one who has its secret', async () => {
    const key = await addKey(t.world);
    await t.world.write((trx) => disableKeyPair(trx, t.world.act(), key.keyId));
    const forged = await t.api.send(
      signed({ key: { ...key, keySecret: 'wrong' }, at: t.clock.at }),
    );
    expect(forged.body).toMatchObject({ code: '403', msg: 'unknown key or wrong signature' });
  });

  test('tells its owner when, from where and for what it was last used, at most once a minute', async () => {
    const key = await addKey(t.world);
    const used = () =>
      t
        .database()
        .db.selectFrom('keyPair')
        .select(['lastUsedAt', 'lastUsedAddress', 'lastUsedPath'])
        .where('id', '=', key.keyId)
        .executeTakeFirst();
    const start = t.clock.at;
    await callWith(key);
    await expect
      .poll(used)
      .toEqual({ lastUsedAt: start, lastUsedAddress: '127.0.0.1', lastUsedPath: '/v1/api/echo' });
    t.clock.at = start + 59_999;
    await callWith(key);
    t.clock.at = start + 60_000;
    await callWith(key);
    await expect.poll(async () => (await used())!.lastUsedAt).toBe(start + 60_000);
    t.clock.at = start + 200_000;
    await t.api.send(signed({ key: { ...key, keySecret: 'wrong' }, at: t.clock.at }));
    expect((await used())!.lastUsedAt).toBe(start + 60_000);
    t.clock.at = start;
  });
});

describeUserApi('a listener that closes', (t) => {
  test('waits until the last use of each key is written, so that nothing is asked of a database that is closed next', async () => {
    const key = await addKey(t.world);
    const api = await startUserApi(t.database(), t.clock);
    const { db } = t.database();
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = db.transaction().execute(async (trx) => {
      await trx.updateTable('keyPair').set({ label: 'held' }).where('id', '=', key.keyId).execute();
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    expect((await api.send(signed({ key, at: t.clock.at }))).status).toBe(200);
    const order: string[] = [];
    const closed = api.close().then(() => order.push('closed'));
    // By then it has closed its port; one that did not wait would be through.
    await expect
      .poll(() =>
        api
          .send(signed({ key, at: t.clock.at }))
          .catch((error: NodeJS.ErrnoException) => error.code),
      )
      .toBe('ECONNREFUSED');
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    order.push('released');
    release.resolve();
    await Promise.all([holder, closed]);
    expect(order).toEqual(['released', 'closed']);
    const { lastUsedAt } = await db
      .selectFrom('keyPair')
      .select('lastUsedAt')
      .where('id', '=', key.keyId)
      .executeTakeFirstOrThrow();
    expect(lastUsedAt).toBe(t.clock.at);
  });
});

describeUserApi(
  'behind a proxy',
  (t) => {
    test('the address is the one that a trusted proxy forwards, not one that the caller claims', async () => {
      const key = await addKey(t.world, { cidrs: ['203.0.113.0/24'] });
      const from = async (forwarded: string) =>
        (
          await t.api.send(
            withHeaders(signed({ key, at: t.clock.at }), { 'X-Forwarded-For': forwarded }),
          )
        ).status;
      expect(await from('203.0.113.7')).toBe(200);
      expect(await from('198.51.100.7, 203.0.113.7')).toBe(200);
      expect(await from('203.0.113.7, 198.51.100.7')).toBe(403);
      expect(await from('nonsense')).toBe(403);
      expect(await from('')).toBe(403);
    });
  },
  { trustedProxies: ['127.0.0.0/8'] },
);

describeUserApi('without a proxy', (t) => {
  test('forwarded headers count for nothing', async () => {
    const key = await addKey(t.world, { cidrs: ['203.0.113.0/24'] });
    const request = withHeaders(signed({ key, at: t.clock.at }), {
      'X-Forwarded-For': '203.0.113.7',
      Forwarded: 'for=203.0.113.7',
      'X-Real-IP': '203.0.113.7',
    });
    expect((await t.api.send(request)).status).toBe(403);
  });
});
