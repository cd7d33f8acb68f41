import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeTokens } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { openGateway } from '../gateway/gateway-fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene, type Home } from './scene.ts';

type Gateway = Awaited<ReturnType<typeof openGateway>>;

const nothing = {
  begin: () => ({
    add: async () => {},
    store: async () => ({ accepted: 0, duplicate: 0, refused: [] }),
  }),
};

describeEngines('a collector at the gateway', (database) => {
  const scene = createControlScene(database);
  const { clock, send, home } = scene;
  let gateway: Gateway;
  /** Another instance on the same database. */
  let elsewhere: Storage;
  beforeAll(async () => {
    elsewhere = openStorage(database().address);
    gateway = await openGateway(elsewhere.db, nothing, clock, null, elsewhere.wakeUps);
  });
  afterAll(async () => {
    await gateway.server.close();
    await elsewhere.close();
  });

  const answerOf = async (
    pending: PromiseLike<{ statusCode: number; json(): any }>,
  ): Promise<{ status: number; body: any }> => {
    const answer = await pending;
    return { status: answer.statusCode, body: answer.json() as unknown };
  };
  const fetch = (token: string, query = '', at = gateway) =>
    answerOf(
      at.server.inject({
        method: 'GET',
        url: `/v1/commands${query}`,
        headers: { authorization: `Bearer ${token}` },
      }),
    );
  const report = (token: string, payload: string | object, type = 'application/json') =>
    answerOf(
      gateway.server.inject({
        method: 'POST',
        url: '/v1/results',
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
      }),
    );

  test('that waits gets it as soon as a command is queued at another instance', async () => {
    const here = await home();
    const waiting = fetch(here.token, '?wait=30');
    const { id } = await send(here, '157', '20');
    const { status, body } = await waiting;
    const encoding = { type: 'number', unit: '%', scale: 1 };
    expect([status, body]).toEqual([
      200,
      {
        commands: [
          {
            id: `${id}.1`,
            sn: here.sn,
            action: 'read',
            parameter: '157',
            encoding,
            withinSeconds: 20,
          },
        ],
      },
    ]);
    expect(
      await report(here.token, { results: [{ id: `${id}.1`, ok: true, value: 30, raw: '1E' }] }),
    ).toEqual({
      status: 200,
      body: { accepted: 1, duplicate: 0, refused: [] },
    });
    expect((await fetch(here.token)).body.commands).toMatchObject([
      { id: `${id}.2`, action: 'write', value: '20', oldValue: '30' },
    ]);
  });

  test('that reports the version of a display opens the parameters that depend on it', async () => {
    const here = await home();
    const describe = (displayVersion: string) =>
      answerOf(
        gateway.server.inject({
          method: 'POST',
          url: '/v1/readings',
          payload: { devices: [{ sn: here.sn, displayVersion }] },
          headers: { authorization: `Bearer ${here.token}` },
        }),
      );
    const slot = () => send(here, '5946', '01:00-05:00');
    await expect(slot()).rejects.toMatchObject({
      code: 'invalidValue',
      data: { expected: expect.stringContaining('reported the version of its display') },
    });
    expect((await describe('4A00')).body.devices).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [],
    });
    await expect(slot()).rejects.toMatchObject({
      code: 'invalidValue',
      data: { expected: expect.stringContaining('version 4b00 or newer') },
    });
    await describe('4B01');
    expect((await slot()).state).toBe('queued');
  });

  test('learns what kind of text a value is, and where the device keeps it, if that is known', async () => {
    const here = await home({ facts: { displayVersion: '4b00' } });
    const cases = [
      ['636', '35', '1', 'bits'],
      ['5946', '01:00-05:00', '00:00-00:00', 'slot'],
      ['56', '2026-06-15 14:00:00', '2026-06-15 13:00:00', 'clock'],
    ] as const;
    for (const [parameter, value, before, type] of cases) {
      await send(here, parameter, value);
      const [read] = (await fetch(here.token)).body.commands;
      await report(here.token, { results: [{ id: read.id, ok: true, value: before }] });
      const [write] = (await fetch(here.token)).body.commands;
      for (const one of [read, write])
        expect([one.parameter, one.encoding, one.register, one.word]).toEqual([
          parameter,
          { type },
          undefined,
          undefined,
        ]);
      await report(here.token, { results: [{ id: write.id, ok: true }] });
      const [verify] = (await fetch(here.token)).body.commands;
      await report(here.token, { results: [{ id: verify.id, ok: true, value }] });
    }
    const string = await home({ model: 'SIM-8K' });
    await send(string, '48', '190');
    const register = { address: 3006, readFunction: 3, writeFunction: 6 };
    const [read] = (await fetch(string.token)).body.commands;
    expect([read.encoding, read.register, read.word]).toEqual([
      { type: 'choice' },
      register,
      undefined,
    ]);
    await report(string.token, { results: [{ id: read.id, ok: true, value: '222' }] });
    const [write] = (await fetch(string.token)).body.commands;
    expect([write.encoding, write.register, write.value, write.word]).toEqual([
      { type: 'choice' },
      register,
      '190',
      190,
    ]);
  });

  test('that waits gets nothing of other collectors', async () => {
    const [here, there] = [await home(), await home()];
    let answered = false;
    const waiting = fetch(here.token, '?wait=30').then((answer) => {
      answered = true;
      return answer;
    });
    await send(there, '157', '20');
    expect((await fetch(there.token, '?wait=30')).body.commands.length).toBe(1);
    expect(answered).toBe(false);
    await send(here, '157', '20');
    expect((await waiting).body.commands).toMatchObject([{ sn: here.sn }]);
  });

  test('waits once: a later call ends the one before it', async () => {
    const here = await home();
    // Which of them comes later is not known.
    const calls = [fetch(here.token, '?wait=30'), fetch(here.token, '?wait=30')];
    const [ended, { body }] = await Promise.race(
      calls.map(async (call, i) => [i, await call] as const),
    );
    expect(body).toEqual({ commands: [] });
    await send(here, '157', '20');
    expect((await calls[1 - ended]!).body.commands.length).toBe(1);
  });

  test('waits no longer than it wants, and not at all when the gateway closes', async () => {
    const here = await home();
    expect((await fetch(here.token, '?wait=1')).body).toEqual({ commands: [] });
    const closing = await openGateway(elsewhere.db, nothing, clock, null, elsewhere.wakeUps);
    const waiting = fetch(here.token, '?wait=60', closing);
    await new Promise((resolve) => setImmediate(resolve));
    await closing.server.close();
    expect((await waiting).body).toEqual({ commands: [] });
  });

  test.each(['?wait=61', '?wait=-1', '?wait=1.5', '?wait=abc', '?wait=1&wait=2', '?wait=99999'])(
    'is refused with %s',
    async (query) => {
      const here = await home();
      expect(await fetch(here.token, query)).toMatchObject({
        status: 400,
        body: { code: '400', msg: expect.stringContaining('0 to 60') },
      });
    },
  );

  test('that may not report fetches and reports nothing', async () => {
    const here = await home();
    await send(here, '157', '20');
    expect((await fetch('unknown')).status).toBe(401);
    expect((await report('unknown', { results: [] })).status).toBe(401);
    await scene.write((trx) => unbindDevice(trx, scene.act(), here.collectorId, here.plantId));
    expect([
      (await fetch(here.token)).status,
      (await report(here.token, { results: [] })).status,
    ]).toEqual([403, 403]);
    await scene.write((trx) => bindDevice(trx, scene.act(), here.collectorId, here.plantId));
    expect((await fetch(here.token)).body.commands.length).toBe(1);
    await scene.write((trx) => disableOwner(trx, scene.act(), here.ownerId));
    expect((await fetch(here.token)).status).toBe(403);
    await scene.write((trx) =>
      revokeTokens(trx, scene.act(), { id: here.collectorId, sn: here.collectorSn }),
    );
    expect([
      (await fetch(here.token)).status,
      (await report(here.token, { results: [] })).status,
    ]).toEqual([401, 401]);
  });

  const stored = (here: Home) =>
    database().db.selectFrom('command').selectAll().where('deviceId', '=', here.deviceId).execute();

  test('that answers for another’s device, or to what was never sent, is refused and changes nothing (C23)', async () => {
    const [here, there] = [await home(), await home()];
    const { id } = await send(here, '157', '20');
    const never = await report(here.token, { results: [{ id: `${id}.1`, ok: true, value: '20' }] });
    await fetch(here.token);
    const before = await stored(here);
    const foreign = await report(there.token, {
      results: [{ id: `${id}.1`, ok: true, value: '20' }],
    });
    const unknown = await report(there.token, {
      results: [{ id: '1300000000000000000.1', ok: true, value: '20' }],
    });
    const early = await report(here.token, { results: [{ id: `${id}.2`, ok: true }] });
    const zeroth = await report(here.token, {
      results: [{ id: `${id}.0`, ok: true, value: '20' }],
    });
    for (const { status, body } of [never, foreign, unknown, early, zeroth]) {
      expect([status, body]).toEqual([
        200,
        {
          accepted: 0,
          duplicate: 0,
          refused: [{ index: 0, reason: 'no such instruction was handed to this collector' }],
        },
      ]);
    }
    expect(await stored(here)).toEqual(before);
  });

  test.each<[unknown, RegExp]>([
    [null, /an object/],
    ['x', /an object/],
    [[], /an object/],
    [{}, /id must be/],
    [{ id: 1, ok: true }, /id must be/],
    [{ id: '1.1', ok: true }, /id must be/],
    [{ id: "1300000000000000000.1' or 1=1 --", ok: true }, /id must be/],
    [{ id: '1300000000000000000.99999999999', ok: true }, /id must be/],
    [{ id: '1300000000000000000.1' }, /ok must be/],
    [{ id: '1300000000000000000.1', ok: 'true' }, /ok must be/],
    [{ id: '1300000000000000000.1', ok: true, value: {} }, /value must be/],
    [{ id: '1300000000000000000.1', ok: true, value: 'a\u0000b' }, /value must be/],
    [{ id: '1300000000000000000.1', ok: true, value: '\ud800' }, /value must be/],
    [{ id: '1300000000000000000.1', ok: true, value: 'x'.repeat(1001) }, /value must be/],
  ])(
    'that reports %j learns what is wrong with it, and the others count',
    async (element, reason) => {
      const here = await home();
      const { id } = await send(here, '157', '20');
      await fetch(here.token);
      const { body } = await report(here.token, {
        results: [element, { id: `${id}.1`, ok: true, value: '30' }],
      });
      expect(body).toEqual({
        accepted: 1,
        duplicate: 0,
        refused: [{ index: 0, reason: expect.stringMatching(reason) }],
      });
    },
  );

  test('that reads and does not say what is asked for it, and repeats itself to no effect', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    await fetch(here.token);
    expect(
      (await report(here.token, { results: [{ id: `${id}.1`, ok: true }] })).body.refused,
    ).toEqual([{ index: 0, reason: 'value is missing: a read must report it' }]);
    const result = { id: `${id}.1`, ok: true, value: '30' };
    expect((await report(here.token, { results: [result, result] })).body).toEqual({
      accepted: 1,
      duplicate: 1,
      refused: [],
    });
    // An overlong or unreadable reason is no reason to lose the result.
    const [{ id: write }] = (await fetch(here.token)).body.commands;
    expect(
      (await report(here.token, { results: [{ id: write, ok: false, error: 'x'.repeat(2000) }] }))
        .body.accepted,
    ).toBe(1);
    expect(await stored(here)).toMatchObject([{ fault: 'the collector could not carry it out' }]);
  });

  test.each<[string, number, string, string]>([
    ['no JSON', 400, '{', 'application/json'],
    ['no list', 400, '{"results":{}}', 'application/json'],
    ['an array', 400, '[]', 'application/json'],
    ['nothing', 400, '', 'application/json'],
    ['lines', 415, '{}', 'application/x-ndjson'],
    ['text', 415, '{}', 'text/plain'],
    [
      'more than a thousand',
      413,
      JSON.stringify({ results: Array.from({ length: 1001 }, () => 0) }),
      'application/json',
    ],
    ['more than 128 KiB', 413, ' '.repeat(128 * 1024 + 1), 'application/json'],
  ])('that reports %s is refused with %d', async (_, status, payload, type) => {
    const here = await home();
    expect((await report(here.token, payload, type)).status).toBe(status);
  });
});
