import { defineOperation, hasDoor, operations, pathsOf } from '@helioport/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type {
  AnyOperation,
  Handler,
} from '../../packages/server/src/interfaces/edges/http/mount.ts';
import {
  changeApplication,
  disableApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import {
  listGrants,
  recordConsent,
  revokeGrant,
} from '../../packages/server/src/identity/oauth/grants.ts';
import { bitsOf } from '../../packages/server/src/identity/oauth/scopes.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { createWorld, settableClock, type SettableClock } from '../support/world.ts';
import {
  addClient,
  answerOf,
  createRunning,
  sendRaw,
  type Answer,
  type CodeTerms,
  type RunningOauth,
  type TestClient,
  type World,
} from './fixture.ts';
import { startOauth, type StartOptions, type TestOauth } from './listener.ts';
import { operationsOn } from '../support/operations.ts';

/** An operation of the tests' own that needs the other scope. */
const switchOff = defineOperation({
  id: 'switchOff',
  family: 'control',
  permission: 'control',
  write: false,
  doors: ['oauth'],
  scope: 'control_device',
  summary: 'Does nothing',
  request: {},
  response: { schema: {}, project: (output: unknown) => output },
  errors: [],
  example: { request: {}, data: null },
}) as unknown as AnyOperation;

function describeResource(
  name: string,
  suite: (
    t: RunningOauth & {
      ask(token: string | undefined, path?: string, body?: unknown): Promise<Answer>;
    },
  ) => void,
  options: StartOptions = {},
): void {
  describeEngines(name, (database: () => TestDatabase) => {
    const clock: SettableClock = settableClock('2026-11-06T05:01:09Z');
    const world: World = createWorld(database, clock);
    let oauth: TestOauth;
    beforeAll(async () => {
      const { db } = database();
      const own = operationsOn(db, clock, world.newId) as unknown as Record<string, Handler>;
      const handlers: Record<string, Handler> = { ...own, switchOff: async () => ({ off: true }) };
      oauth = await startOauth({ db }, clock, {
        operations: [...(Object.values(operations) as unknown as AnyOperation[]), switchOff],
        handlers,
        ...options,
      });
      return () => oauth.close();
    });
    const running = createRunning({ clock, world, database, oauth: () => oauth });
    const ask = async (
      token: string | undefined,
      path = '/api/access_data/userStationList',
      body: unknown = {},
    ): Promise<Answer> =>
      answerOf(
        await fetch(oauth.url + path, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json;charset=UTF-8',
            ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(body),
        }),
      );
    suite(Object.defineProperties({ ask } as never, Object.getOwnPropertyDescriptors(running)));
  });
}

describeResource('the OAuth resource interface', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });
  const token = async (terms: CodeTerms = {}, by = client): Promise<string> =>
    (await t.pair(by, terms)).access_token;
  const plantsOf = async (presented: string): Promise<string[]> =>
    (await t.ask(presented)).body.data.page.records.map(({ id }: { id: string }) => id);

  test('answers in the envelope, and nothing is cached (O72)', async () => {
    const answer = await t.ask(await token());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, code: '0' });
    expect(answer.headers.get('cache-control')).toMatch(/no-store/);
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '.trimEnd()])(
    'reads the scheme %s (O67)',
    async (scheme) => {
      const response = await fetch(`${t.oauth.url}/api/access_data/userStationList`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `${scheme} ${await token()}`,
        },
        body: '{}',
      });
      expect(response.status).toBe(200);
    },
  );

  describe('a token', () => {
    const path = '/api/access_data/userStationList';
    test('in the body is refused, even a valid one (O67)', async () => {
      const answer = await t.ask(undefined, path, { access_token: await token() });
      expect(answer.status).toBe(401);
    });

    test('in the body beside the header is invalid_request; as somebody’s word it is none (O67)', async () => {
      const presented = await token();
      const answer = await t.ask(presented, path, { access_token: presented });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('www-authenticate')).toMatch(/error="invalid_request"/);
      expect((await t.ask(presented, path, { note: 'access_token' })).status).toBe(200);
    });

    test('in the query is refused, even a valid one, and beside a header too (O67, O68)', async () => {
      const presented = await token();
      for (const header of [undefined, presented]) {
        const answer = await t.ask(header, `${path}?access_token=${presented}`);
        expect(answer.status).toBe(400);
        expect(answer.headers.get('www-authenticate')).toMatch(/error="invalid_request"/);
      }
    });

    test('missing is 401 with a challenge that names no error (O68)', async () => {
      const answer = await t.ask(undefined);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Helioport"');
      expect(answer.body).toMatchObject({ success: false, code: '401', data: null });
    });

    test.each([
      ['unknown', async () => 'hpa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'],
      ['junk', async () => 'junk'],
      [
        'refreshed meanwhile',
        async () => {
          const pair = await t.pair(client);
          await t.refresh(client, pair.refresh_token);
          return pair.access_token;
        },
      ],
      [
        'revoked',
        async () => {
          const pair = await t.pair(client);
          await t.revoke(client, pair.refresh_token);
          return pair.access_token;
        },
      ],
      ['a refresh token', async () => (await t.pair(client)).refresh_token],
      ['a code', () => t.code(client)],
    ])('that is %s is 401 invalid_token (O68, O70)', async (_name, make) => {
      const answer = await t.ask(await make());
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer realm="Helioport", error="invalid_token"',
      );
      expect(answer.body).toMatchObject({
        success: false,
        code: '401',
        msg: expect.stringContaining('token'),
      });
    });

    test('expires after a day (O68)', async () => {
      const presented = await token();
      t.clock.at += 86_400_000;
      expect((await t.ask(presented)).status).toBe(401);
    });

    test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a,b', 'Bearer "a"', 'Bearer é'])(
      'malformed is 400 invalid_request: %s (O68)',
      async (header) => {
        const response = await fetch(t.oauth.url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: header },
          body: '{}',
        });
        expect(response.status).toBe(400);
        expect(response.headers.get('www-authenticate')).toMatch(/error="invalid_request"/);
      },
    );

    test('sent in two headers is 400 (O68)', async () => {
      const presented = await token();
      const wire = [
        'POST /api/access_data/userStationList HTTP/1.1',
        'Host: x',
        'Connection: close',
        'Content-Type: application/json',
        `Authorization: Bearer ${presented}`,
        `Authorization: Bearer ${presented}`,
        'Content-Length: 2',
        '',
        '{}',
      ];
      expect(await sendRaw(t.oauth.url, wire.join('\r\n'))).toMatch(/^HTTP\/1.1 400 /);
    });

    test('without the scope is 403 insufficient_scope, and names it (O68, O69)', async () => {
      const reading = await token({ scopes: ['access_data'] });
      const controlling = await token({ scopes: ['control_device'] });
      const refused = await t.ask(reading, '/api/control_device/switchOff');
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer realm="Helioport", error="insufficient_scope", scope="control_device"',
      );
      expect(refused.body).toMatchObject({ success: false, code: '403' });
      expect((await t.ask(controlling, '/api/control_device/switchOff')).status).toBe(200);
      const other = await t.ask(controlling);
      expect(other.status).toBe(403);
      expect(other.headers.get('www-authenticate')).toContain('scope="access_data"');
    });

    test('is checked again with each request: scopes that the owner or the operator takes away are gone (O69)', async () => {
      const own = await addClient(t.world);
      const owner = await t.world.person();
      const presented = await token({ owner }, own);
      const consent = {
        accountId: owner.id,
        applicationId: own.application.id,
        asked: bitsOf(['access_data', 'control_device']),
        plantIds: null,
      };
      expect((await t.ask(presented)).status).toBe(200);
      await t.world.write((trx) =>
        recordConsent(trx, t.world.act(), { ...consent, approved: bitsOf(['control_device']) }),
      );
      expect((await t.ask(presented)).status).toBe(403);
      await t.world.write((trx) =>
        recordConsent(trx, t.world.act(), { ...consent, approved: consent.asked }),
      );
      expect((await t.ask(presented)).status).toBe(200);
      await t.world.write((trx) =>
        changeApplication(trx, t.world.act(), own.application.id, { scopes: ['control_device'] }),
      );
      expect((await t.ask(presented)).status).toBe(403);
    });
  });

  test.each(['API 1300386381676644416:xPbmBXQ5sMHKoJ1Q5EPRjwUqxQs=', 'Basic YTpi', 'Digest x'])(
    'does not know %s: 401 (O70)',
    async (header) => {
      const response = await fetch(`${t.oauth.url}/api/access_data/userStationList`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: header },
        body: '{}',
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );

  test('has every operation that tokens open, and none of the others', async () => {
    const presented = await token();
    for (const operation of Object.values(operations)) {
      for (const path of pathsOf(operation, 'oauth')) {
        const answer = await t.ask(presented, path);
        expect([path, answer.status]).toEqual([path, 200]);
        expect([path, answer.body.code]).not.toEqual([path, '404']);
      }
      if (!hasDoor(operation, 'oauth'))
        expect((await t.ask(presented, `/api/access_data/${operation.id}`)).status).toBe(404);
    }
    for (const path of [
      '/v1/api/userStationList',
      '/api/control_device/userStationList',
      '/api/userStationList',
    ])
      expect((await t.ask(presented, path)).status).toBe(404);
  });

  describe('what a token sees', () => {
    let owner: Account;
    let other: Account;
    beforeAll(async () => {
      [owner, other] = [await t.world.person(), await t.world.person()];
    });

    test('are the plants that the granting owner owns, not those shared with them, and nobody else’s (O71)', async () => {
      const own = await t.world.plant(owner.id);
      const foreign = await t.world.plant(other.id);
      const shared = await t.world.plant(other.id);
      const withdrawn = await t.world.plant(other.id);
      for (const plantId of [shared, withdrawn])
        await t.world.write((trx) =>
          sharePlant(trx, t.world.act(), plantId, owner.email, 'control'),
        );
      await t.world.write((trx) => unsharePlant(trx, t.world.act(), withdrawn, owner.email));
      const presented = await token({ owner });
      expect(await plantsOf(presented)).toEqual([own]);
      expect(
        (await t.ask(presented, '/api/access_data/stationDetail', { id: own })).body.code,
      ).toBe('0');
      const unknown = await t.ask(presented, '/api/access_data/stationDetail', {
        id: '1300000000000000000',
      });
      for (const id of [foreign, shared, withdrawn])
        expect((await t.ask(presented, '/api/access_data/stationDetail', { id })).body).toEqual(
          unknown.body,
        );
      expect(unknown.body.code).toBe('R0000');
    });

    test('are the plants that were ticked, where the owner ticked some', async () => {
      const [ticked, unticked] = [await t.world.plant(owner.id), await t.world.plant(owner.id)];
      const presented = await token({ owner, plantIds: [ticked] });
      expect(await plantsOf(presented)).toEqual([ticked]);
      expect(
        (await t.ask(presented, '/api/access_data/stationDetail', { id: unticked })).body.code,
      ).toBe('R0000');
      const device = await t.world.device(unticked);
      expect(
        (await t.ask(presented, '/api/access_data/inverterDetail', { sn: device.sn })).body.code,
      ).toBe('R0000');
    });

    test('include plants that the owner gets later, where all were granted', async () => {
      const own = await addClient(t.world);
      const presented = await token({ owner }, own);
      const later = await t.world.plant(owner.id);
      expect(await plantsOf(presented)).toContain(later);
    });
  });

  describe('ends with the next request', () => {
    test.each<[string, (own: TestClient, owner: Account) => Promise<unknown>]>([
      [
        'when the owner revokes',
        async (_own, owner) => {
          const [grant] = await listGrants(t.database().db, owner.id);
          await t.world.write((trx) => revokeGrant(trx, t.world.act(), grant!.id, owner.id));
        },
      ],
      [
        'when the application is disabled (O30)',
        (own) => t.world.write((trx) => disableApplication(trx, t.world.act(), own.application.id)),
      ],
      [
        'when the owner is disabled',
        (_own, owner) => t.world.write((trx) => disableOwner(trx, t.world.act(), owner.id)),
      ],
    ])('%s', async (_name, end) => {
      const [own, owner] = [await addClient(t.world), await t.world.person()];
      const presented = await token({ owner }, own);
      expect((await t.ask(presented)).status).toBe(200);
      await end(own, owner);
      expect((await t.ask(presented)).status).toBe(401);
    });

    test.each<[string, (plantId: string, to: Account) => Promise<unknown>]>([
      [
        'for a plant that is archived',
        (plantId) => t.world.write((trx) => archivePlant(trx, t.world.act(), plantId)),
      ],
      [
        'for a plant that goes to another owner',
        (plantId, to) => t.world.write((trx) => transferPlant(trx, t.world.act(), plantId, to.id)),
      ],
    ])('%s, ticked or not', async (_name, end) => {
      const [owner, to] = [await t.world.person(), await t.world.person()];
      const [kept, going] = [await t.world.plant(owner.id), await t.world.plant(owner.id)];
      const own = await addClient(t.world);
      const all = await token({ owner }, own);
      const ticked = await token({ owner, plantIds: [kept, going] });
      for (const presented of [all, ticked])
        expect(await plantsOf(presented)).toEqual([kept, going]);
      await end(going, to);
      for (const presented of [all, ticked]) expect(await plantsOf(presented)).toEqual([kept]);
    });
  });
});

describeResource(
  'the rate limit of the OAuth resource interface',
  (t) => {
    let client: TestClient;
    beforeAll(async () => {
      client = await addClient(t.world);
    });
    const left = ({ headers }: Answer): string | null => headers.get('ratelimit');

    test('says with every answer to a living token what is left, and asks to wait when nothing is', async () => {
      const { access_token: token } = await t.pair(client);
      const first = await t.ask(token);
      expect([first.status, left(first), first.headers.get('ratelimit-policy')]).toEqual([
        200,
        '"authorization";r=3;t=1',
        '"authorization";q=4;w=1',
      ]);
      expect(left(await t.ask(token, undefined, { pageNo: 'x' }))).toBe('"authorization";r=2;t=1');
      expect(left(await t.ask(token, undefined, { access_token: token }))).toBe(
        '"authorization";r=1;t=1',
      );
      expect(left(await t.ask(token))).toBe('"authorization";r=0;t=1');
      const refused = await t.ask(token);
      expect([refused.status, left(refused), refused.headers.get('retry-after')]).toEqual([
        429,
        '"authorization";r=0;t=1',
        '1',
      ]);
      expect(refused.body).toMatchObject({
        success: false,
        code: '429',
        data: { retryAfterSeconds: 1 },
      });
      expect((await t.ask(token, '/api/access_data/inverterList')).status).toBe(200);
      t.clock.at += 250;
      expect([(await t.ask(token)).status, (await t.ask(token)).status]).toEqual([200, 429]);
      t.clock.at += 1000;
    });

    test('counts an authorization: neither a refresh nor a second log-in brings more, and another owner has as many', async () => {
      const owner = await t.world.person();
      const [pair, other] = [await t.pair(client, { owner }), await t.pair(client, { owner })];
      for (let i = 0; i < 4; i++) await t.ask(pair.access_token);
      const refreshed = (await t.refresh(client, pair.refresh_token)).body.access_token;
      expect([(await t.ask(refreshed)).status, (await t.ask(other.access_token)).status]).toEqual([
        429, 429,
      ]);
      expect((await t.ask((await t.pair(client)).access_token)).status).toBe(200);
    });

    test('is not shown to anybody else', async () => {
      expect(left(await t.ask(undefined))).toBeNull();
      expect(left(await t.ask('hpa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'))).toBeNull();
    });
  },
  { rateLimit: 4 },
);
