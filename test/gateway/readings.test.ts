import { gzipSync } from 'node:zlib';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastReportOf } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { revokeTokens } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { describeEngines } from '../support/engines.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

const MIB = 1024 * 1024;

describeEngines('POST /v1/readings', (database) => {
  const world = createReportingWorld(database);
  const at = Date.parse('2026-06-15T06:00:00Z');
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let device: Installation;

  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest);
    device = await world.install();
  });
  afterAll(() => gateway.server.close());

  const post = (
    payload: string | Buffer,
    headers: Record<string, string> = {},
    change: InjectOptions = {},
  ): Promise<LightMyRequestResponse> =>
    gateway.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload,
      headers: {
        authorization: `Bearer ${device.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...change,
    });
  const reading = (
    minutes: number,
    values: unknown = { acPowerW: 1234.5, energyTotalKwh: 812.25 },
  ) => ({ sn: device.sn, at: at + minutes * 60_000, values });
  const body = (...readings: unknown[]): string => JSON.stringify({ readings });

  test('readings in JSON are stored before the answer', async () => {
    const answer = await post(body(reading(0), reading(5), reading(0)));
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { accepted: 2, duplicate: 1, refused: [] },
    ]);
    expect(answer.headers['content-type']).toBe('application/json;charset=UTF-8');
    expect(
      await world.parts().telemetry.readingsBetween(database().db, device.series, at, at + 1),
    ).toEqual([{ at, values: { acPowerW: 1234.5, energyTotalKwh: 812.25 } }]);
  });

  test('readings in NDJSON are the same; a line that is no JSON is refused alone', async () => {
    const lines = `${JSON.stringify(reading(10))}\r\n\n{"sn":\n${JSON.stringify(reading(15))}\n`;
    const answer = await post(lines, { 'content-type': 'application/x-ndjson' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        accepted: 2,
        duplicate: 0,
        refused: [{ index: 1, reason: 'this line is not readable JSON' }],
      },
    ]);
  });

  test('a report may be compressed', async () => {
    const answer = await post(gzipSync(body(reading(20))), { 'content-encoding': 'gzip' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { accepted: 1, duplicate: 0, refused: [] },
    ]);
  });

  test('a byte order mark is no obstacle, and an empty report no error', async () => {
    expect((await post(`\ufeff${body(reading(25))}`)).json()).toMatchObject({ accepted: 1 });
    expect((await post(body())).json()).toEqual({ accepted: 0, duplicate: 0, refused: [] });
  });

  test('each refused reading says why, and the others are stored', async () => {
    const answer = await post(
      body(reading(30, { acPowerW: 1 }), reading(31, { nonsense: 1 }), {
        ...reading(32),
        sn: 'FOREIGN',
      }),
    );
    expect(answer.json()).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [
        { index: 1, reason: 'unknown quantity "nonsense"' },
        { index: 2, reason: 'no device with this serial number is bound to this collector' },
      ],
    });
  });

  test.each([
    ['no Authorization', { authorization: '' }],
    ['another scheme', { authorization: 'Basic Zm9vOmJhcg==' }],
    ['a token that nobody has', { authorization: `Bearer ${'x'.repeat(43)}` }],
    [
      'a token with something behind it',
      { authorization: 'Bearer abcdefghijklmnopqrstuvwxyz, Bearer b' },
    ],
  ])('%s is 401 before the body is looked at', async (_, headers) => {
    const answer = await post('{', headers);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toMatchObject({ success: false, code: '401' });
  });

  test('a token that nobody has is called that, whatever it looks like; only who sends none is asked to send one', async () => {
    const messages = (token: string): Promise<string> =>
      post('{', { authorization: token }).then((answer) => (answer.json() as { msg: string }).msg);
    for (const token of ['x'.repeat(43), 'short', 'with_other-characters.', '1300386381676644416'])
      expect(await messages(`Bearer ${token}`)).toBe('no collector has this token');
    for (const header of ['', 'Bearer', 'Basic Zm9vOmJhcg=='])
      expect(await messages(header)).toMatch(/^send Authorization: Bearer /);
  });

  test('a withdrawn token ends at once', async () => {
    const other = await world.install();
    const headers = { authorization: `Bearer ${other.token}` };
    expect((await post(body(), headers)).statusCode).toBe(200);
    await world.write((trx) =>
      revokeTokens(trx, world.act(), { id: other.collectorId, sn: 'any' }),
    );
    expect((await post(body(), headers)).statusCode).toBe(401);
  });

  test.each<[string, number, string | Buffer, Record<string, string>]>([
    ['broken JSON', 400, '{"readings":[', {}],
    ['no object', 400, '[]', {}],
    ['null', 400, 'null', {}],
    ['no readings', 400, '{}', {}],
    ['readings that are no list', 400, '{"readings":{}}', {}],
    ['an empty body', 400, '', {}],
    ['bytes that are no UTF-8', 400, Buffer.from([0x22, 0xff, 0x22]), {}],
    [
      'a truncated gzip',
      400,
      gzipSync('{"readings":[]}').subarray(0, 20),
      { 'content-encoding': 'gzip' },
    ],
    ['bytes that are no gzip', 400, 'plain', { 'content-encoding': 'gzip' }],
    ['a bomb', 413, gzipSync(Buffer.alloc(64 * MIB, ' ')), { 'content-encoding': 'gzip' }],
    ['a body beyond 8 MiB', 413, Buffer.alloc(8 * MIB + 1, ' '), {}],
    ['10,001 readings', 413, JSON.stringify({ readings: Array(10_001).fill(0) }), {}],
    ['another media type', 415, 'x', { 'content-type': 'text/plain' }],
    [
      'another charset',
      415,
      '{"readings":[]}',
      { 'content-type': 'application/json; charset=latin1' },
    ],
    ['another encoding', 415, '{"readings":[]}', { 'content-encoding': 'br' }],
  ])('%s is refused with %i', async (_, status, payload, headers) => {
    const answer = await post(payload, headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, code: String(status), data: null });
    expect(answer.json().msg).toMatch(/.{10}/);
  });

  test.each([
    ['a million nested lists', `{"readings":[${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}]}`],
    ['nested values', `{"readings":[{"sn":"X","at":${at},"values":{"acPowerW":{"a":[1]}}}]}`],
    [
      'NUL in a serial number',
      `{"readings":[{"sn":"A\\u0000B","at":${at},"values":{"acPowerW":1}}]}`,
    ],
    ['half a surrogate pair', `{"readings":[{"sn":"\\ud800","at":${at},"values":{"acPowerW":1}}]}`],
    [
      'half a surrogate pair as a quantity',
      `{"readings":[{"sn":"X","at":${at},"values":{"\\ud800\\u0000":1}}]}`,
    ],
    [
      'a number beyond all numbers',
      `{"readings":[{"sn":"X","at":${at},"values":{"acPowerW":1e999}}]}`,
    ],
    ['__proto__', `{"readings":[{"sn":"X","at":${at},"values":{"__proto__":{"acPowerW":1}}}]}`],
  ])('%s refuses that reading alone', async (_, payload) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ accepted: 0, duplicate: 0, refused: [{ index: 0 }] });
  });

  test('a collector’s last report is when it posted, whatever its device’s clock says and even if all was refused', async () => {
    const { db } = database();
    const collector = await world.install();
    const report = (sn: string) =>
      post(
        JSON.stringify({
          readings: [{ sn, at: Date.parse('2026-06-16T08:00:00Z'), values: { acPowerW: 1 } }],
        }),
        {
          authorization: `Bearer ${collector.token}`,
        },
      );
    expect(await lastReportOf(db, collector.collectorId)).toBeNull();
    expect((await report('UNBOUND')).json()).toMatchObject({ refused: [{ index: 0 }] });
    expect(await lastReportOf(db, collector.collectorId)).toBe(Date.parse('2026-06-15T12:00:00Z'));
    expect((await report(collector.sn)).json()).toMatchObject({ accepted: 1 });
    expect(await lastReportOf(db, collector.collectorId)).toBe(Date.parse('2026-06-15T12:00:00Z'));
  });

  test('another method or path is refused', async () => {
    const get = await gateway.server.inject({ method: 'GET', url: '/v1/readings' });
    expect([get.statusCode, get.headers['allow']]).toEqual([405, 'POST']);
    expect((await gateway.server.inject({ method: 'POST', url: '/v1/reading' })).statusCode).toBe(
      404,
    );
  });

  test('what became of readings is counted, and no token is logged', async () => {
    expect(await gateway.metrics.getSingleMetricAsString('helioport_readings_total')).toMatch(
      /outcome="accepted"} [1-9]/,
    );
    expect(gateway.log.length).toBeGreaterThan(0);
    expect(gateway.log.join('')).not.toContain(device.token);
  });

  test('while the database is away the answer is 503 with Retry-After', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const broken = await openGateway(database().db, {
      begin: () => ({ add: async () => {}, store: () => Promise.reject(away) }),
    });
    const answer = await broken.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload: body(reading(50)),
      headers: { authorization: `Bearer ${device.token}`, 'content-type': 'application/json' },
    });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    await broken.server.close();
  });
});
