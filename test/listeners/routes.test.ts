import { readFileSync } from 'node:fs';
import { operations } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { allowSupport } from '../../packages/server/src/identity/accounts/support.ts';
import type {
  AnyOperation,
  RouteHandler,
} from '../../packages/server/src/interfaces/edges/http/mount.ts';
import {
  routesOf,
  type LimitedRoute,
} from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { addApp } from '../accounts/factors/fixture.ts';
import { createControlScene } from '../commands/scene.ts';
import { openGateway } from '../gateway/gateway-fixture.ts';
import { addClient, createRunning, REDIRECT_URI, type TestClient } from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startPortal, visitAs, type PortalVisitor, type TestPortal } from '../support/portal.ts';
import { addKey, signed, startUserApi, type TestUserApi } from '../user-api/fixture.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { noSchema } from '../storage/schema-watch.ts';

/** Requests a second; nothing is refilled, since the clock stands. */
const RATE = 2;
const [OF_NETWORK, OF_PORTAL, OF_CLIENTS] = [RATE * 20, RATE * 5, RATE * 50];

/** Every route that nothing limits, of all listeners, and why. */
const UNLIMITED: Readonly<Record<string, string>> = {
  'GET /': 'a small page from memory',
  'GET /healthz': 'for load balancers, which must get an answer',
  'GET /readyz': 'for load balancers, which must get an answer',
  'GET /openapi.json': 'a page from memory, made once',
  'GET /reference': 'a page from memory, made once',
  'GET /reference/operations.md': 'a page from memory, made once',
  'GET /reference/guides/*': 'a page from memory, made once',
  'GET /oauth/pages.js': 'a few bytes from memory',
  'GET /oauth/log-in': 'a few bytes from memory',
  'GET /oauth/second-step': 'a few bytes from memory',
  'GET /oauth/passkey': 'a few bytes from memory',
  'GET /oauth/consent': 'a few bytes from memory',
  'GET /oauth/log-out': 'a few bytes from memory',
  'GET /.well-known/*': 'a few bytes from memory',
};

let database: TestDatabase;
let portal: TestPortal;
let oauth: TestOauth;
let api: TestUserApi;
let gateway: Awaited<ReturnType<typeof openGateway>>;
const scene = createControlScene(() => database);
const { clock } = scene;
const world = scene;
const all = Object.values(operations) as unknown as AnyOperation[];
// None does anything: only what comes before them counts here.
const handlers: Record<string, RouteHandler> = Object.fromEntries(
  all.map(({ id }) => [
    id,
    async () => {
      throw new Failure('noPermission');
    },
  ]),
);
const nothing = {
  begin: () => ({
    add: async () => {},
    store: async () => ({ accepted: 0, duplicate: 0, refused: [] }),
  }),
};

beforeAll(async () => {
  database = await createSqliteDatabase();
  const options = { operations: all, handlers, rateLimit: RATE };
  portal = await startPortal(database, clock, options);
  oauth = await startOauth(database, clock, options);
  api = await startUserApi(database, clock, options);
  gateway = await openGateway(database.db, nothing, clock, RATE, database.wakeUps);
});
afterAll(async () => {
  await portal.close();
  await oauth.close();
  await api.close();
  await gateway.server.close();
  await database.drop();
});

const nameOf = ({ method, url }: LimitedRoute): string =>
  `${method} ${url.replace(/^\/(reference\/guides|\.well-known)\/.*/, '/$1/*')}`;
const pathOf = ({ url }: LimitedRoute): string => url.replace('/:id', '/1').replace('*', 'x');
const limitedBy = (routes: readonly LimitedRoute[], limit: LimitedRoute['limit']) =>
  routes.filter((route) => route.limit === limit);

/** Sends as many requests as a limit allows, then one more: the status of the last of those, and of that one. */
async function beyond(atMost: number, send: () => Promise<number>): Promise<[number, number]> {
  let last = 0;
  for (let i = 0; i < atMost; i++) last = await send();
  return [last, await send()];
}
async function expectLimited(
  route: LimitedRoute,
  atMost: number,
  send: () => Promise<number>,
): Promise<void> {
  const [within, over] = await beyond(atMost, send);
  expect([route.method, route.url, within === 429, over]).toEqual([
    route.method,
    route.url,
    false,
    429,
  ]);
}

test('routes that nothing limits are on a list that says why', () => {
  const routes = [portal, oauth, api].flatMap((one) => one.routes);
  const unlimited = [...routes, ...routesOf(gateway.server)].flatMap((route) =>
    // HEAD is limited as GET is.
    typeof route.limit === 'object' && route.method !== 'HEAD'
      ? [[nameOf(route), route.limit.not] as const]
      : [],
  );
  expect(Object.fromEntries(unlimited)).toEqual(UNLIMITED);
  // Health and metrics are served without a framework, to those who watch the service.
  const ops = readFileSync('packages/server/src/interfaces/edges/listeners/ops.ts', 'utf8');
  expect([...ops.matchAll(/case '([^']*)'/g)].map(([, path]) => path)).toEqual([
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
  ]);
});

test('a route that nothing limits is not served', async () => {
  const { createHttpServer } =
    await import('../../packages/server/src/interfaces/edges/http/server.ts');
  const server = createHttpServer({
    listener: 'test',
    observability: {} as never,
    front: null,
    isReady: async () => true,
    isUnavailable: () => false,
    schema: noSchema,
    publicUrl: 'http://localhost',
    networkLimit: { buckets: ownBuckets(clock), perSecond: null },
  });
  expect(() => server.get('/forgotten', async () => '')).toThrow('nothing limits GET /forgotten');
});

test('routes for strangers are limited by network', { timeout: 300_000 }, async () => {
  for (const { routes, url } of [portal, oauth]) {
    const byPath = Map.groupBy(limitedBy(routes, 'network'), (route) => route.url);
    for (const [route] of byPath.values())
      await expectLimited(route!, OF_NETWORK, async () => {
        const { method } = route!;
        const headers = {
          'Content-Type': url === oauth.url ? 'application/x-www-form-urlencoded' : 'text/plain',
        };
        const answer = await fetch(url + pathOf(route!), {
          method,
          redirect: 'manual',
          ...(method === 'POST' && { headers, body: 'a=b' }),
        });
        await answer.arrayBuffer();
        return answer.status;
      });
  }
});

test('what people ask for at the portal is limited by account', { timeout: 300_000 }, async () => {
  const owner = await world.person();
  const logIn = async ({ id }: { id: string }): Promise<PortalVisitor> =>
    (await visitAs(world, portal.url, id)).visitor;
  const operator = async (): Promise<PortalVisitor> => {
    const { id } = await world.person({ role: 'operator' });
    await addApp(world, database.db, id);
    return logIn({ id });
  };
  const permission = await world.write((trx) => allowSupport(trx, world.act(), owner.id));
  for (const route of limitedBy(portal.routes, 'caller')) {
    const path = pathOf(route);
    const [, , door] = path.split('/');
    // An operation may have several paths, which count together.
    const visitor =
      door === 'console' || door === 'support'
        ? await operator()
        : await logIn(await world.person());
    const headers = { 'X-Helioport-Support': permission.id };
    await expectLimited(route, OF_PORTAL, async () => {
      if (route.method === 'POST') return (await visitor.post(path, {}, headers)).status;
      const answer = await visitor.get(path);
      await answer.body?.cancel();
      return answer.status;
    });
  }
});

test(
  'what programs ask for is limited by key and by authorization',
  { timeout: 300_000 },
  async () => {
    for (const route of limitedBy(api.routes, 'caller')) {
      const key = await addKey(world);
      await expectLimited(
        route,
        RATE,
        async () => (await api.send(signed({ key, at: clock.at, path: route.url }))).status,
      );
    }
    const client = await addClient(world);
    const running = createRunning({ clock, world, database: () => database, oauth: () => oauth });
    const send = async (route: LimitedRoute, by: TestClient, token: string): Promise<number> => {
      const isForm = /^\/oauth\/(token|revoke|introspect)$/.test(route.url);
      const answer = await fetch(oauth.url + route.url, {
        method: 'POST',
        headers: {
          'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
          Authorization: route.url.startsWith('/oauth/') ? by.basic : `Bearer ${token}`,
        },
        body: isForm ? 'token=unknown&grant_type=refresh_token&refresh_token=unknown' : '{}',
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    for (const route of limitedBy(oauth.routes, 'caller')) {
      const by = await addClient(world);
      const { access_token: token } = await running.pair(client);
      const isForm = /^\/oauth\/(token|revoke|introspect)$/.test(route.url);
      await expectLimited(route, isForm ? OF_CLIENTS : RATE, () => send(route, by, token));
    }
  },
);

test('what collectors send is limited by collector', async () => {
  for (const route of limitedBy(routesOf(gateway.server), 'collector')) {
    const { token } = await scene.home();
    await expectLimited(route, RATE, async () => {
      const { statusCode } = await gateway.server.inject({
        method: route.method as 'GET',
        url: route.url,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(route.method === 'POST' && { payload: '{"readings":[],"results":[]}' }),
      });
      return statusCode;
    });
  }
});

test('a person who is signed in gets few consent pages at once, each of which is a ticket, and learns when to try again', async () => {
  const client = await addClient(world);
  const { id: accountId } = await world.person();
  const sessionOf = () =>
    world.write((trx) =>
      insertSession(trx, world.act(), {
        accountId,
        entrance: 'oauth',
        freshFor: null,
        userAgent: null,
      }),
    );
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'access_data',
  });
  // Strangers from this network have used up its requests in another test.
  const fresh = await startOauth(database, clock, { rateLimit: RATE });
  const visit = async () =>
    fetch(`${fresh.url}/oauth/authorize?${query.toString()}`, {
      headers: { Cookie: `helioport_oauth_session=${await sessionOf()}` },
      redirect: 'manual',
    });
  const answers = await Promise.all(Array.from({ length: 12 }, visit));
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.length - refused.length, refused.length]).toEqual([RATE, 12 - RATE]);
  expect(refused[0]!.headers.get('retry-after')).toBe('1');
  expect(await refused[0]!.text()).toContain('Too many requests');
  const { number } = await database.db
    .selectFrom('consentTicket')
    .select((eb) => eb.fn.countAll<number>().as('number'))
    .executeTakeFirstOrThrow();
  expect(number).toBe(RATE);
  await fresh.close();
});

test('whatever answers GET answers HEAD in the same way, without a body', async () => {
  const fresh = { operations: all, handlers };
  const signedApi = await startUserApi(database, clock, fresh);
  const server = (await openGateway(database.db, nothing, clock)).server;
  const opened = [
    await startPortal(database, clock, fresh),
    await startOauth(database, clock, fresh),
    { ...signedApi, url: `http://127.0.0.1:${signedApi.port}` },
    {
      routes: routesOf(server),
      url: await server.listen({ host: '127.0.0.1', port: 0 }),
      close: () => server.close(),
    },
  ];
  let seen = 0;
  for (const { routes, url } of opened)
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const ask = async (method: string): Promise<readonly unknown[]> => {
        const answer = await fetch(url + pathOf(route), { method, redirect: 'manual' });
        const body = await answer.text();
        const { headers, status } = answer;
        return [route.url, status, headers.get('content-type'), method === 'GET' || body === ''];
      };
      const [got, head] = [await ask('GET'), await ask('HEAD')];
      // HEAD never issues a code (O1).
      if (route.url === '/oauth/authorize') expect(head[1]).toBe(405);
      else expect(head).toEqual(got);
      seen += 1;
    }
  expect(seen).toBeGreaterThan(25);
  for (const { close } of opened) await close();
});

test('HEAD hands over no instruction', async () => {
  const home = await scene.home();
  const { id } = await scene.queueFor(home.owner, home, '158', '20');
  const ask = (method: 'HEAD' | 'GET') =>
    gateway.server.inject({
      method,
      url: '/v1/commands',
      headers: { authorization: `Bearer ${home.token}` },
    });
  expect((await ask('HEAD')).statusCode).toBe(200);
  expect(JSON.parse((await ask('GET')).body)).toMatchObject({
    commands: [expect.objectContaining({ id: `${id}.1` })],
  });
});
