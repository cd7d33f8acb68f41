import { hasDoor, operations, operationsBy, quantities, signedPath } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteHandler } from '../../packages/server/src/interfaces/edges/http/mount.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import {
  createScene,
  questions,
  SCENE_NOW,
  type QueryId,
  type Scene,
} from '../operations/scene.ts';
import { addClient, createRunning, type RunningOauth, type TestClient } from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import {
  addKey,
  signed,
  startUserApi,
  withHeaders,
  type TestUserApi,
  type WireRequest,
} from '../user-api/fixture.ts';
import { describedAt } from './described.ts';

const all = Object.values(operations);

/** A value for every quantity there is; counters of energy grow. */
const everything = (step: number): Measurements =>
  Object.fromEntries(
    [...quantities.values()].map(({ name, unit }) => [
      name,
      unit === 'kWh' ? 100 + step : unit === '%' ? 50 : unit === '' ? 1 : 3 * step,
    ]),
  );

describeEngines('what a server answers is what its OpenAPI document says:', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let userApi: TestUserApi;
  let oauth: TestOauth;
  let running: RunningOauth;
  let scene: Scene;
  let key: Awaited<ReturnType<typeof addKey>>;
  let client: TestClient;
  let token: string;
  let user: Awaited<ReturnType<typeof describedAt>>;
  let application: Awaited<ReturnType<typeof describedAt>>;

  beforeAll(async () => {
    const handlers = fleet.handlers() as unknown as Record<string, RouteHandler>;
    userApi = await startUserApi(database(), clock, { operations: all, handlers, rateLimit: 100 });
    oauth = await startOauth(database(), clock, { operations: all, handlers, rateLimit: 1000 });
    running = createRunning({ clock, world: fleet, database, oauth: () => oauth });
    user = await describedAt(`http://127.0.0.1:${userApi.port}`);
    application = await describedAt(oauth.url);
    scene = await createScene(fleet);
    for (const { sn } of Object.values(scene.devices))
      await fleet.report(
        sn,
        [1, 2, 3].map((i) => [Date.parse(SCENE_NOW) - i * 60_000, everything(9 - i)] as const),
      );
    key = await addKey(fleet, { accountId: scene.owner });
    client = await addClient(fleet);
    token = (await running.pair(client, { owner: { id: scene.owner } as never })).access_token;
  });
  afterAll(async () => {
    await userApi.close();
    await oauth.close();
  });

  const sign = (id: string, body: object | string = {}): WireRequest =>
    signed({
      key,
      at: clock.at,
      path: `/v1/api/${id}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const bear = async (
    id: string,
    body: object | string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: any }> => {
    const response = await fetch(`${oauth.url}/api/access_data/${id}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test('of every query on both interfaces, asked in every way, with nothing that is not described', async () => {
    for (const [id, ways] of Object.entries(questions) as [
      QueryId,
      (typeof questions)[QueryId],
    ][]) {
      for (const way of ways) {
        const { status, body } = await userApi.send(sign(id, way(scene)));
        expect([id, status, body.code]).toEqual([id, 200, '0']);
        expect([id, user.faultsOf({ path: `/v1/api/${id}`, status, body })]).toEqual([id, []]);
      }
      if (!hasDoor(operations[id], 'oauth')) continue;
      const { status, body } = await bear(id, ways[0]!(scene));
      expect([id, status, body.code]).toEqual([id, 200, '0']);
      expect([id, application.faultsOf({ path: `/api/access_data/${id}`, status, body })]).toEqual([
        id,
        [],
      ]);
    }
  });

  test('a key that nothing describes would be noticed, and so would a wrong type', async () => {
    const { body } = await userApi.send(sign('stationDetail', { id: scene.plantId }));
    const given = { path: '/v1/api/stationDetail', status: 200 };
    expect(
      user.faultsOf({ ...given, body: { ...body, data: { ...body.data, invented: 1 } } }),
    ).toEqual([expect.stringContaining('invented')]);
    expect(
      user.faultsOf({ ...given, body: { ...body, data: { ...body.data, power: '1' } } }),
    ).toEqual([expect.stringContaining('/data/power')]);
    expect(user.faultsOf({ ...given, status: 418, body })).toEqual([
      'status 418 of /v1/api/stationDetail is not described',
    ]);
  });

  test('of every operation with a value that cannot be: a refusal that is listed for it', async () => {
    for (const operation of operationsBy('signed')) {
      const { id, request } = operation;
      const [name] = Object.values(request)[0]!.names;
      const { status, body } = await userApi.send(sign(id, { [name]: { a: 1 } }));
      const given = { path: signedPath(operation), status, body };
      expect([id, user.faultsOf(given)]).toEqual([id, []]);
      expect([id, user.codesOf(given)]).toEqual([id, expect.arrayContaining([body.code])]);
    }
  });

  test('of what the signed interface refuses: its status, its code and its headers are listed', async () => {
    const list = (body?: string): WireRequest => sign('userStationList', body);
    const write = sign('unbindDevice', { sn: scene.devices.weather.sn });
    expect((await userApi.send(write)).body.code).toBe('0');
    const refused: Record<string, [string, WireRequest]> = {
      400: ['400', list('{')],
      401: ['401', withHeaders(list(), { Authorization: undefined })],
      403: ['403', withHeaders(list(), { Authorization: `API ${key.keyId}:${'A'.repeat(27)}=` })],
      digest: ['Z0002', { ...list(), body: '{"pageNo":2}' }],
      408: ['408', signed({ key, at: clock.at - 16 * 60_000, path: '/v1/api/userStationList' })],
      409: ['409', write],
      413: ['413', list(`{"a":"${'x'.repeat(1_048_577)}"}`)],
      415: ['415', withHeaders(list(), { 'Content-Type': 'text/plain' })],
    };
    for (const [name, [code, request]] of Object.entries(refused)) {
      const { status, headers, body } = await userApi.send(request);
      const given = { path: request.target!, status, body };
      expect([name, body.code, user.faultsOf(given)]).toEqual([name, code, []]);
      expect([name, user.codesOf(given)]).toEqual([name, expect.arrayContaining([code])]);
      for (const header of user.headersOf(given))
        expect([name, header, headers[header.toLowerCase()]]).toEqual([
          name,
          header,
          expect.any(String),
        ]);
    }
    let last = await userApi.send(list());
    for (let i = 0; i < 101; i++) last = await userApi.send(list());
    const given = { path: '/v1/api/userStationList', status: last.status, body: last.body };
    expect([last.status, user.faultsOf(given), user.codesOf(given), user.headersOf(given)]).toEqual(
      [429, [], ['429'], ['Retry-After']],
    );
    expect(last.headers['retry-after']).toMatch(/^\d+$/);
  });

  test('of what the OAuth interface refuses', async () => {
    const { access_token: narrow } = await running.pair(client, { scopes: ['control_device'] });
    const refused: Record<string, Awaited<ReturnType<typeof bear>>> = {
      400: await bear('userStationList', '{'),
      401: await bear('userStationList', {}, { Authorization: 'Bearer x' }),
      403: await bear('userStationList', {}, { Authorization: `Bearer ${narrow}` }),
      413: await bear('userStationList', `{"a":"${'x'.repeat(1_048_577)}"}`),
      415: await bear('userStationList', {}, { 'Content-Type': 'text/plain' }),
    };
    for (const [status, { status: given, headers, body }] of Object.entries(refused)) {
      const answer = { path: '/api/access_data/userStationList', status: given, body };
      expect([
        status,
        String(given),
        application.faultsOf(answer),
        application.codesOf(answer),
      ]).toEqual([status, status, [], expect.arrayContaining([body.code])]);
      for (const header of application.headersOf(answer))
        expect([status, header, headers.get(header)]).toEqual([status, header, expect.any(String)]);
    }
  });

  test('of the authorization endpoints', async () => {
    const pair = await running.exchange(client, await running.code(client));
    const answers = [
      ['/oauth/token', pair],
      ['/oauth/token', await running.exchange(client, 'hpc_unknown')],
      ['/oauth/token', await running.token({ ...client, basic: 'Basic eDp5' }, {})],
      ['/oauth/introspect', await running.introspect(client, pair.body.access_token)],
      ['/oauth/introspect', await running.introspect(client, pair.body.refresh_token)],
      ['/oauth/introspect', await running.introspect(client, 'x')],
      ['/oauth/revoke', await running.revoke(client, pair.body.access_token)],
      ['/oauth/revoke', await running.revoke(client, '')],
    ] as const;
    expect(answers.map(([, { status }]) => status)).toEqual([
      200, 400, 401, 200, 200, 200, 200, 400,
    ]);
    for (const [path, { status, body }] of answers)
      expect([path, status, application.faultsOf({ path, status, body })]).toEqual([
        path,
        status,
        [],
      ]);
    const path = '/.well-known/oauth-authorization-server';
    const metadata = await fetch(oauth.url + path);
    expect(
      application.faultsOf({
        path,
        method: 'get',
        status: metadata.status,
        body: await metadata.json(),
      }),
    ).toEqual([]);
  });
});
