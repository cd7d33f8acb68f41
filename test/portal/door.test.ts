import { hasDoor, operations, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disableAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import {
  createPortalVisitor,
  SESSION_COOKIE as SESSION,
  startPortal,
  visitAs,
  type PortalAnswer,
  type PortalVisitor,
  type TestPortal,
} from '../support/portal.ts';
import { createWorld, settableClock } from '../support/world.ts';

const clock = settableClock('2026-11-06T05:01:09Z');
let database: TestDatabase;
let portal: TestPortal;
const world = createWorld(() => database, clock);

beforeAll(async () => {
  database = await createSqliteDatabase();
  portal = await startPortal(database, clock);
});
afterAll(async () => {
  await portal.close();
  await database.drop();
});

const served = Object.values(operations).filter((operation) => hasDoor(operation, 'portal'));

const loggedIn = async (accountId: string): Promise<PortalVisitor> =>
  (await visitAs(world, portal.url, accountId)).visitor;

describe('an operation of the portal', () => {
  const refusals: readonly [
    name: string,
    status: number,
    ask: (id: OperationId) => Promise<PortalAnswer>,
  ][] = [
    ['without a session', 401, (id) => createPortalVisitor(portal.url).call(id)],
    [
      'with a cookie that belongs to no session',
      401,
      async (id) => {
        const visitor = createPortalVisitor(portal.url);
        await visitor.session();
        return visitor.call(id);
      },
    ],
    [
      'without the CSRF token',
      403,
      async (id) =>
        (await loggedIn((await world.person()).id)).call(id, {}, { 'X-Helioport-CSRF': undefined }),
    ],
    [
      'with the CSRF token of another session',
      403,
      async (id) => {
        const { id: accountId } = await world.person();
        return (await loggedIn(accountId)).call(
          id,
          {},
          { 'X-Helioport-CSRF': (await loggedIn(accountId)).csrf },
        );
      },
    ],
    [
      'from a page of another origin',
      403,
      async (id) =>
        (await loggedIn((await world.person()).id)).call(
          id,
          {},
          { Origin: 'https://evil.example' },
        ),
    ],
    [
      'from a page of its host over another scheme',
      403,
      async (id) =>
        (await loggedIn((await world.person()).id)).call(
          id,
          {},
          { Origin: portal.url.replace('http:', 'https:') },
        ),
    ],
    [
      'from a page without an origin',
      403,
      async (id) => (await loggedIn((await world.person()).id)).call(id, {}, { Origin: 'null' }),
    ],
    [
      'from another site, says the browser',
      403,
      async (id) =>
        (await loggedIn((await world.person()).id)).call(
          id,
          {},
          { 'Sec-Fetch-Site': 'cross-site' },
        ),
    ],
    [
      'from another host of the site',
      403,
      async (id) =>
        (await loggedIn((await world.person()).id)).call(id, {}, { 'Sec-Fetch-Site': 'same-site' }),
    ],
    [
      'of a disabled account',
      401,
      async (id) => {
        const { id: accountId } = await world.person();
        const visitor = await loggedIn(accountId);
        await world.write((trx) => disableAccount(trx, world.act(), accountId));
        return visitor.call(id);
      },
    ],
  ];

  test.each(refusals)('is refused %s', async (_name, status, ask) => {
    for (const { id } of served) {
      const answer = await ask(id);
      expect([id, answer.status, answer.body.success, answer.body.data]).toEqual([
        id,
        status,
        false,
        null,
      ]);
    }
  });

  test('is refused after its session has ended, by log-out or by time', async () => {
    const { id: accountId } = await world.person();
    const [first, second] = [await loggedIn(accountId), await loggedIn(accountId)];
    expect((await first.call('session/list')).body.data).toHaveLength(2);
    const { [SESSION]: cookie, csrf } = {
      [SESSION]: first.cookies.get(SESSION)!,
      csrf: first.csrf,
    };
    expect((await first.post('/portal/log-out')).body.data.account).toBeNull();
    first.cookies.set(SESSION, cookie);
    expect((await first.call('session/list', {}, { 'X-Helioport-CSRF': csrf })).status).toBe(401);
    expect((await second.call('session/list')).body.data).toHaveLength(1);
    const former = clock.at;
    clock.at += 7 * 86_400_000;
    expect((await second.call('session/list')).status).toBe(401);
    clock.at = former;
  });

  test('is not there for GET, nor under another door’s path', async () => {
    const visitor = await loggedIn((await world.person()).id);
    for (const { id } of served)
      expect([id, (await visitor.get(`/portal/api/${id}`)).status]).toEqual([id, 405]);
    for (const path of [
      '/v1/api/userStationList',
      '/v2/api/userStationList',
      '/api/access_data/userStationList',
    ])
      expect((await visitor.post(path)).status).toBe(404);
    expect((await visitor.get('/portal/api/nothing')).status).toBe(404);
    for (const operation of Object.values(operations).filter((one) => !hasDoor(one, 'portal')))
      expect([operation.id, (await visitor.call(operation.id)).status]).toEqual([
        operation.id,
        404,
      ]);
  });

  test('refuses hostile bodies clearly: none is a fault of the server', async () => {
    const visitor = await loggedIn((await world.person()).id);
    const texts = [
      '\0',
      '\ud800',
      '\u202e<script>alert(1)</script>',
      "' or 1=1 --",
      '9'.repeat(400),
      '-0',
      '1e400',
      '{"$gt":""}',
      '../../etc/passwd',
      '__proto__',
    ];
    const values = [
      ...texts,
      null,
      true,
      -1,
      1.5,
      2 ** 60,
      [],
      [[]],
      [null],
      {},
      { constructor: { prototype: 1 } },
    ];
    const raw = [
      '',
      'null',
      '[]',
      '7',
      '{',
      '{"a":1,}',
      '{"__proto__":{"x":1}}',
      '[' + '['.repeat(20_000),
      '\ufeff{}',
      `{"x":"${'y'.repeat(100_000)}"}`,
    ];
    const answers: [id: string, body: unknown, status: number][] = [];
    for (const [i, { id, request }] of served.entries()) {
      const names = Object.values(request).map((parameter) => parameter.names[0]);
      const bodies = [
        ...raw,
        ...values.map((value) => Object.fromEntries(names.map((name) => [name, value]))),
      ];
      // Each operation takes a quarter of them, the next one another.
      for (const body of bodies.filter((_, j) => (i + j) % 4 === 0))
        answers.push([id, body, (await visitor.call(id, body)).status]);
    }
    expect(answers.filter(([, , status]) => status >= 500)).toEqual([]);
    expect(portal.log()).not.toContain('request failed');
  });

  test('is answered to its own page, by whichever name the portal was opened', async () => {
    const visitor = await loggedIn((await world.person()).id);
    for (const headers of [
      {},
      { Origin: portal.url, 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'http://127.0.0.1:8082' },
    ])
      expect((await visitor.call('userStationList', {}, headers)).body).toMatchObject({
        success: true,
        code: '0',
      });
  });
});

describe('what the explorer asks for', () => {
  test('is there for everybody, as the reference is, and serialised once', async () => {
    let serialised = 0;
    const summary = 'Archives a plant.';
    const counted = { toJSON: () => (serialised++, summary) } as never;
    const { archiveStation, ...others } = operations;
    const server = await startPortal(database, clock, {
      operations: [{ ...archiveStation, summary: counted }, ...Object.values(others)] as never,
    });
    try {
      const visitor = createPortalVisitor(server.url);
      const texts = await Promise.all(
        [1, 2, 3].map(async () => (await visitor.get('/portal/operations')).text()),
      );
      expect(JSON.parse(texts[0]!)).toMatchObject({
        success: true,
        code: '0',
        data: expect.arrayContaining([expect.objectContaining({ id: 'archiveStation', summary })]),
      });
      expect(new Set(texts).size).toBe(1);
      expect(serialised).toBe(1);
    } finally {
      await server.close();
    }
  });
});
