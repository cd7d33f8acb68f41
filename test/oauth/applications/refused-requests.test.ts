import { operations } from '@helioport/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteHandler } from '../../../packages/server/src/interfaces/edges/http/mount.ts';
import { createRefusedRequests } from '../../../packages/server/src/identity/oauth/developers/refused-requests.ts';
import { createRefusalCounts } from '../../../packages/server/src/identity/oauth/refusal-counts.ts';
import { listApplicationRefusals } from '../../../packages/server/src/identity/oauth/application-refusals.ts';
import { describeEngines } from '../../support/engines.ts';
import { operationsOn } from '../../support/operations.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { addClient, createRunning, type TestClient } from '../fixture.ts';
import { startOauth, type TestOauth } from '../listener.ts';

const DAY_MS = 86_400_000;

describeEngines('what operations refuse an application', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  let oauth: TestOauth;
  beforeAll(async () => {
    const handlers = operationsOn(database().db, clock, world.newId) as unknown as Record<
      string,
      RouteHandler
    >;
    oauth = await startOauth(database(), clock, {
      operations: Object.values(operations),
      handlers,
    });
  });
  afterAll(() => oauth.close());
  const running = createRunning({ clock, world, database, oauth: () => oauth });
  const post = (path: string, authorization: string, body: unknown = {}): Promise<Response> =>
    fetch(oauth.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: authorization },
      body: JSON.stringify(body),
    });
  const refusals = ({ application }: TestClient) =>
    listApplicationRefusals(database().db, application);
  const SOON = { timeout: 60_000, interval: 5 };

  test('is counted by path and reason, with what to do and the id that its answer had', async () => {
    const client = await addClient(world);
    const { access_token: token } = await running.pair(client, { scopes: ['access_data'] });
    const bearer = `Bearer ${token}`;
    const first = await post('/api/access_data/stationDetail', bearer, {
      id: '1300000000000000009',
    });
    // No answer waits for its record, so that two records may be written in any order.
    await expect.poll(() => refusals(client), SOON).toMatchObject([{ count: 1 }]);
    const second = await post('/api/access_data/stationDetail', bearer, {
      id: '1300000000000000009',
    });
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    await expect
      .poll(() => refusals(client), SOON)
      .toEqual([
        {
          endpoint: 'api/access_data/stationDetail',
          reason: 'noPermission',
          error: 'R0000',
          description: expect.stringContaining('Check the id'),
          firstAt: clock.at,
          lastAt: clock.at,
          lastRequestId: second.headers.get('x-request-id'),
          count: 2,
        },
      ]);
    expect((await post('/api/access_data/stationDetail', bearer)).status).toBe(200);
    expect((await post('/api/control_device/control', bearer, { inverterSn: 'X' })).status).toBe(
      403,
    );
    await expect.poll(async () => (await refusals(client)).length, SOON).toBe(3);
    expect(await refusals(client)).toContainEqual(
      expect.objectContaining({
        endpoint: 'api/control_device/control',
        reason: 'scopeMissing',
        error: '403',
      }),
    );
    const descriptions = async (scopes: number) =>
      Object.fromEntries(
        (await listApplicationRefusals(database().db, { ...client.application, scopes })).map(
          ({ reason, description }) => [reason, description],
        ),
      );
    expect(await descriptions(3)).toMatchObject({
      missingParameter: 'a required parameter is missing. In the answer, `data.field` names it.',
      scopeMissing: expect.stringContaining('Ask the owner again'),
    });
    expect((await descriptions(1))['scopeMissing']).toContain(
      'The application is not approved for control_device',
    );
  });

  test('learns of its tokens that have expired or were revoked, but of no others', async () => {
    const client = await addClient(world);
    const pair = await running.pair(client);
    clock.at += DAY_MS;
    const bystander = await addClient(world);
    expect(
      (await post('/api/access_data/userStationList', `Bearer ${pair.access_token}`)).status,
    ).toBe(401);
    const unknown = pair.access_token.replace(/.$/, (last) => (/[w-z]/.test(last) ? 'A' : 'x'));
    expect((await post('/api/access_data/userStationList', `Bearer ${unknown}`)).status).toBe(401);
    await expect
      .poll(() => refusals(client), SOON)
      .toMatchObject([
        { endpoint: 'api/access_data/userStationList', reason: 'notAuthenticated', count: 1 },
      ]);
    const rows = await refusals(client);
    expect(JSON.stringify(rows)).not.toContain(pair.access_token.slice(4, 20));
    expect(await refusals(bystander)).toEqual([]);
  });

  test('includes what it asks for itself, with its own credentials', async () => {
    const client = await addClient(world);
    await post('/oauth/forwarding/show', client.basic, { id: '1300000000000000009' });
    await post('/oauth/forwarding/show', `${client.basic}x`, { id: '1300000000000000009' });
    await expect
      .poll(() => refusals(client), SOON)
      .toMatchObject([
        { endpoint: 'oauth/forwarding/show', reason: 'noPermission', error: 'R0000', count: 1 },
      ]);
  });

  test('is not what the service cannot do at the moment', async () => {
    const [client, other] = [await addClient(world), await addClient(world)];
    const requests = createRefusedRequests(
      createRefusalCounts({ db: database().db, clock }),
      pino({ level: 'silent' }),
    );
    for (const [{ application }, code] of [
      [client, 'unavailable'],
      [other, 'internal'],
    ] as const) {
      const request = { id: 'a1-1' };
      requests.sentBy(request, application.id);
      requests.refused(request, { code }, 'api/access_data/userStationList');
    }
    await expect
      .poll(() => refusals(other), SOON)
      .toMatchObject([{ reason: 'internal', error: '500' }]);
    expect(await refusals(client)).toEqual([]);
  });

  test('is empty as long as all goes well', async () => {
    const client = await addClient(world);
    const { access_token: token } = await running.pair(client);
    expect((await post('/api/access_data/userStationList', `Bearer ${token}`)).status).toBe(200);
    expect(await refusals(client)).toEqual([]);
  });
});
