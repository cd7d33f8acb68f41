import { operations, pathsOf } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { pageToken } from '../../packages/server/src/interfaces/edges/portal/own-pages.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { addClient, addOwner, createRunning } from '../oauth/fixture.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { readSources } from '../../lint/sources.ts';
import { createWorld, type SettableClock } from '../support/world.ts';
import { signed } from '../user-api/fixture.ts';

/** What a door answers to a credential that is not its own: as to none at all. */
interface Door {
  readonly listener: 'user-api' | 'oauth' | 'portal' | 'gateway' | 'ops';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly media?: string;
  readonly body?: string;
  /** The credential that opens it; undefined = nobody's secret, so that none changes the answer. */
  readonly opens?: Credential;
  /** Statuses of a refusal. */
  readonly refuses: readonly number[];
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json;charset=UTF-8';
const somePath = pathsOf(operations.userStationList, 'oauth')[0]!;

const doors: Readonly<Record<string, Door>> = {
  'signed operations': {
    listener: 'user-api',
    method: 'POST',
    path: '/v1/api/userStationList',
    media: JSON_TYPE,
    body: '{}',
    opens: 'key',
    refuses: [400, 401],
  },
  'operations over OAuth': {
    listener: 'oauth',
    method: 'POST',
    path: somePath,
    media: JSON_TYPE,
    body: '{}',
    opens: 'access token',
    refuses: [401],
  },
  token: {
    listener: 'oauth',
    method: 'POST',
    path: '/oauth/token',
    media: FORM,
    body: 'grant_type=refresh_token&refresh_token=x',
    opens: 'client',
    refuses: [401],
  },
  revoke: {
    listener: 'oauth',
    method: 'POST',
    path: '/oauth/revoke',
    media: FORM,
    body: 'token=x',
    opens: 'client',
    refuses: [401],
  },
  introspect: {
    listener: 'oauth',
    method: 'POST',
    path: '/oauth/introspect',
    media: FORM,
    body: 'token=x',
    opens: 'client',
    refuses: [401],
  },
  forwarding: {
    listener: 'oauth',
    method: 'POST',
    path: '/oauth/forwarding/list',
    media: JSON_TYPE,
    body: '{}',
    opens: 'client',
    refuses: [401],
  },
  'operations with an owner’s permission': {
    listener: 'portal',
    method: 'POST',
    path: '/portal/support/userStationList',
    media: JSON_TYPE,
    body: '{}',
    opens: 'session',
    refuses: [401, 403],
  },
  'operations of the console': {
    listener: 'portal',
    method: 'POST',
    path: '/portal/console/session/list',
    media: JSON_TYPE,
    body: '{}',
    opens: 'session',
    refuses: [401, 403],
  },
  'operations of the portal': {
    listener: 'portal',
    method: 'POST',
    path: '/portal/api/userStationList',
    media: JSON_TYPE,
    body: '{}',
    opens: 'session',
    refuses: [401],
  },
  'reports of months': {
    listener: 'portal',
    method: 'GET',
    path: '/portal/reports/1',
    opens: 'session',
    refuses: [401],
  },
  reports: {
    listener: 'gateway',
    method: 'POST',
    path: '/v1/readings',
    media: 'application/json',
    body: '{"readings":[]}',
    opens: 'collector token',
    refuses: [401],
  },
  commands: {
    listener: 'gateway',
    method: 'GET',
    path: '/v1/commands',
    opens: 'collector token',
    refuses: [401],
  },
  results: {
    listener: 'gateway',
    method: 'POST',
    path: '/v1/results',
    media: 'application/json',
    body: '{"results":[]}',
    opens: 'collector token',
    refuses: [401],
  },
  metrics: { listener: 'ops', method: 'GET', path: '/metrics', refuses: [] },
  health: { listener: 'ops', method: 'GET', path: '/healthz', refuses: [] },
};

type Credential =
  | 'key'
  | 'access token'
  | 'refresh token'
  | 'client'
  | 'collector token'
  | 'session';
const credentials: readonly Credential[] = [
  'key',
  'access token',
  'refresh token',
  'client',
  'collector token',
  'session',
];

describe('a credential at a foreign door', () => {
  let database: TestDatabase;
  let app: RunningApp;
  let headersOf: Record<Credential, (door: Door) => [string, string][]>;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp(database);
    const clock: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };
    const world = createWorld(() => database, clock);
    const owner = await addOwner(world);
    const plantId = await world.plant(owner.id);
    const client = await addClient(world);
    const running = createRunning({
      clock,
      world,
      database: () => database,
      oauth: () => ({ url: app.addresses.oauth! }) as never,
    });
    const pair = await running.pair(client, { owner });
    const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
    const key = await world.write((trx) =>
      insertKeyPair(trx, world.act(), app.secretBox, owner.id, terms),
    );
    const { token } = await world.write((trx) =>
      addCollector(trx, world.act(), { sn: 'FOREIGN-1', plantId }),
    );
    const session = await world.write((trx) =>
      insertSession(trx, world.act(), {
        accountId: owner.id,
        entrance: 'portal',
        freshFor: null,
        userAgent: null,
      }),
    );
    const bearer = (text: string) => (): [string, string][] => [
      ['Authorization', `Bearer ${text}`],
    ];
    headersOf = {
      key: ({ path, body = '', media = '' }) =>
        [
          ...signed({
            key,
            at: clock.now(),
            path,
            body,
            contentType: media === JSON_TYPE ? JSON_TYPE : 'application/json',
          }).headers,
        ].flatMap(([name, value]) =>
          name === 'Content-Type' ? [] : [[name, value] as [string, string]],
        ),
      'access token': bearer(pair.access_token),
      'refresh token': bearer(pair.refresh_token),
      client: () => [['Authorization', client.basic]],
      'collector token': bearer(token),
      session: () => [
        [
          'Cookie',
          ['helioport_oauth_session', 'helioport_portal_session']
            .map((name) => `${name}=${session}`)
            .join('; '),
        ],
        ['X-Helioport-CSRF', pageToken(session)],
      ],
    };
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  async function ask(
    door: Door,
    headers: readonly [string, string][],
  ): Promise<{ status: number; text: string }> {
    const { listener, method, path, media, body } = door;
    const sent = new Headers([
      ...headers,
      ...(media === undefined ? [] : [['Content-Type', media] as [string, string]]),
    ]);
    const answer = await fetch(app.addresses[listener]! + path, {
      method,
      headers: sent,
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    return { status: answer.status, text: listener === 'ops' && path === '/metrics' ? '' : text };
  }

  describe.each(Object.entries(doors))('%s', (_name, door) => {
    test.each(credentials)('%s', async (credential) => {
      const answer = await ask(door, headersOf[credential](door));
      if (door.opens === undefined) return expect(answer).toEqual(await ask(door, []));
      if (credential === door.opens) return expect(door.refuses).not.toContain(answer.status);
      expect(door.refuses).toContain(answer.status);
      // The refusal tells nothing of what was shown.
      expect(answer.text).not.toMatch(/FOREIGN-1|hpa_|hpr_/);
    });
  });

  // What is added there gets its rows above, unless it is a page that anybody may read, and then its number here.
  test('every route of every listener is a row above, a page for a person, or public', () => {
    const routes = [...readSources('packages/server/src/interfaces/edges/**/*.ts')].flatMap(
      ([path, text]) => {
        const count = [
          ...text.matchAll(/\bserver\.(get|post|put|patch|delete|all|route)\(|^\s+case '\//gm),
        ].length;
        return count === 0
          ? []
          : [[path.replace('packages/server/src/interfaces/edges/', ''), count] as const];
      },
    );
    expect(Object.fromEntries(routes)).toEqual({
      // The pages and their script, three forms with two methods each, three endpoints for applications, the metadata.
      'authorization/plugin.ts': 6,
      'gateway/plugin.ts': 3,
      'http/mount.ts': 1,
      'http/reference.ts': 1,
      // What it is, health and readiness.
      'http/server.ts': 3,
      'listeners/ops.ts': 4,
      // Who is logged in, forms, live news, an export's file, a report, what is no path; the app and what operations there are, which anybody may have.
      'portal/plugin.ts': 9,
      // Links in e-mails, which carry a token of their own.
      'portal/stop-pages.ts': 2,
    });
    // The MQTT broker takes tokens of collectors: test/mqtt.
    expect(Object.keys(app.addresses).toSorted()).toEqual(
      [...new Set(['mqtt', ...Object.values(doors).map(({ listener }) => listener)])].toSorted(),
    );
  });
});
