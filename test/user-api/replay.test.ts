import { expect, test } from 'vitest';
import { sweepMarks, SWEEP_MARGIN_MS } from '../../packages/server/src/identity/accounts/once.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';
import { addKey, describeUserApi, signed, startUserApi } from './fixture.ts';

describeUserApi('the replay guard', (t) => {
  const rename = (name: string) =>
    t.sign({ path: '/v1/api/rename', body: JSON.stringify({ name }) });
  const account = async () =>
    (await t
      .database()
      .db.selectFrom('account')
      .select(['name', 'createdAt'])
      .where('id', '=', t.key.accountId)
      .executeTakeFirst())!;
  const stored = () =>
    t
      .database()
      .db.selectFrom('onceMark')
      .selectAll()
      .where('holder', '=', `key:${t.key.keyId}`)
      .execute();

  test('S19: a signed write counts once', async () => {
    const request = rename('once');
    expect((await t.api.send(request)).body).toMatchObject({ success: true, code: '0' });
    const before = await account();
    expect(before.name).toBe('once');
    const again = await t.api.send(request);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ success: false, code: '409', data: null });
    expect(await account()).toEqual(before);
  });

  test('S19: also under the other spellings of the same request', async () => {
    const request = rename('other spelling');
    expect((await t.api.send(request)).status).toBe(200);
    expect((await t.api.send({ ...request, target: '//v1/api/rename' })).status).toBe(409);
    expect(
      (
        await t.api.send({
          ...request,
          body: '{"name": "other spelling"}',
          headers: request.headers,
        })
      ).status,
    ).toBe(409);
  });

  test('S19: also on another instance and after a restart', async () => {
    const request = rename('twice');
    const other = await startUserApi(t.database(), t.clock);
    expect((await t.api.send(request)).status).toBe(200);
    expect((await other.send(request)).status).toBe(409);
    await other.close();
    const restarted = await startUserApi(t.database(), t.clock);
    expect((await restarted.send(request)).status).toBe(409);
    await restarted.close();
  });

  test('S19: of many sent at once to two instances, one is carried out', async () => {
    const request = rename('crowd');
    const other = await startUserApi(t.database(), t.clock);
    const { createdAt } = await account();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? other : t.api).send(request)),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 409)).toEqual([200]);
    // The handler adds one each time it is carried out.
    expect((await account()).createdAt).toBe(createdAt + 1);
    await other.close();
  });

  test('a write that fails leaves no trace and may be repeated, a refused one as well as a broken one (W15)', async () => {
    for (const [name, code] of [
      ['refused', 'R0000'],
      ['broken', '500'],
    ] as const) {
      const request = rename(name);
      const before = [await account(), await stored()];
      expect((await t.api.send(request)).body.code).toBe(code);
      expect((await t.api.send(request)).body.code).toBe(code);
      expect([await account(), await stored()]).toEqual(before);
    }
    const invalid = t.sign({ path: '/v1/api/rename', body: '{}' });
    for (let i = 0; i < 2; i++) expect((await t.api.send(invalid)).body.code).toBe('I0000');
  });

  test('S19: two honest polls in one second carry one signature and are both answered', async () => {
    const request = t.sign();
    const answers = await Promise.all([
      t.api.send(request),
      t.api.send(request),
      t.api.send(request),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('remembers a request as long as its Date would be accepted: half an hour for one dated ahead', async () => {
    const request = t.sign({
      path: '/v1/api/rename',
      body: '{"name":"ahead"}',
      at: t.clock.at + 900_000,
    });
    expect((await t.api.send(request)).status).toBe(200);
    const start = t.clock.at;
    for (const seconds of [1, 900, 1800]) {
      t.clock.at = start + seconds * 1000;
      // Each further write gives the sweep its chance.
      expect(
        (await t.call({ path: '/v1/api/rename', body: `{"name":"after ${seconds}"}` })).status,
      ).toBe(200);
      expect((await t.api.send(request)).status).toBe(409);
    }
    t.clock.at = start + 1_801_000;
    expect((await t.api.send(request)).status).toBe(408);
    t.clock.at = start;
  });

  test('a claim that an instance whose clock is ahead has swept is not missed by one whose clock is behind', async () => {
    const request = rename('clocks apart');
    expect((await t.api.send(request)).status).toBe(200);
    const ahead = settableClock(t.clock.at + 6 * 3_600_000);
    const other = await startUserApi(t.database(), ahead);
    // A write there gives its sweep the chance; two, so that the first one's sweep is over.
    for (const name of ['one', 'two']) {
      ahead.at += 61_000;
      const write = signed({
        key: t.key,
        at: ahead.at,
        path: '/v1/api/rename',
        body: JSON.stringify({ name }),
      });
      expect((await other.send(write)).status).toBe(200);
    }
    await sweepMarks(t.database().db, ahead.at, 1000);
    await other.close();
    expect((await t.api.send(request)).status).toBe(409);
  });

  test('forgets what its Date refuses anyway, a bounded number at a time', async () => {
    const { db } = t.database();
    const rows = Array.from({ length: 30 }, (_, i) => ({
      holder: `key:${t.key.keyId}`,
      digest: Buffer.alloc(20, i),
      expiresAt: 1000 + i,
    }));
    await db.insertInto('onceMark').values(rows).execute();
    expect(await sweepMarks(db, 1025 + SWEEP_MARGIN_MS, 10)).toBe(10);
    expect(await sweepMarks(db, 1025 + SWEEP_MARGIN_MS, 10)).toBe(10);
    expect(await sweepMarks(db, 1025 + SWEEP_MARGIN_MS, 10)).toBe(5);
    expect(await sweepMarks(db, 1025 + SWEEP_MARGIN_MS, 10)).toBe(0);
    expect(
      (await stored())
        .filter(({ expiresAt }) => expiresAt < 2000)
        .map(({ expiresAt }) => expiresAt),
    ).toEqual([1025, 1026, 1027, 1028, 1029]);
    t.clock.at += 120_000;
    expect((await t.call({ path: '/v1/api/rename', body: '{"name":"sweeper"}' })).status).toBe(200);
    await expect
      .poll(async () => (await stored()).filter(({ expiresAt }) => expiresAt < 2000))
      .toEqual([]);
  });
});

describeEngines('the replay guard’s settings', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);

  test.each([
    ['off', 200, 200],
    ['writes', 200, 409],
    ['all', 409, 409],
  ] as const)('%s: a read sent again is %i, a write %i', async (replayGuard, read, write) => {
    const api = await startUserApi(database(), clock, { replayGuard });
    const key = await addKey(world);
    const reading = signed({ key, at: clock.at });
    const writing = signed({ key, at: clock.at, path: '/v1/api/rename', body: '{"name":"x"}' });
    expect((await api.send(reading)).status).toBe(200);
    expect((await api.send(writing)).status).toBe(200);
    expect((await api.send(reading)).status).toBe(read);
    expect((await api.send(writing)).status).toBe(write);
    await api.close();
  });
});
