import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventKindNames, operations } from '@helioport/contract';
import { unsealSecrets } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { getDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { readTail } from '../../packages/server/src/outbound/forwarding/dispatcher/tail.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { disableApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { addClient, answerOf, type Answer, type TestClient } from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { credentials } from '../support/credentials.ts';
import { describeEngines } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

const HOUR = 3_600_000;

describeEngines('destinations of an application', (database) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  let oauth: TestOauth;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    const { db } = database();
    const handlers = operationsOn(db, clock, scene.newId, {
      outbound: { egress: scene.egress, logger: scene.logger },
    });
    oauth = await startOauth({ db }, clock, {
      operations: Object.values(operations),
      handlers,
      rateLimit: 100,
      authFailureLimit: 5,
    });
  });
  afterAll(async () => {
    await oauth.close();
    await receiver.close();
  });

  const ask = async (
    client: TestClient | string | undefined,
    path: string,
    body: object | string = {},
  ): Promise<Answer> => {
    const authorization = typeof client === 'object' ? client.basic : client;
    const headers = {
      'Content-Type': 'application/json',
      ...(authorization !== undefined && { Authorization: authorization }),
    };
    return answerOf(
      await fetch(`${oauth.url}/oauth/forwarding/${path}`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  };
  const add = async (client: TestClient, change: object = {}) =>
    (await ask(client, 'add', { url: receiver.url, ...change })).body.data as {
      id: string;
      secret?: string;
    };
  const stored = (id: string) =>
    database().db.selectFrom('destination').selectAll().where('id', '=', id).executeTakeFirst();

  test('are added, listed and shown, and their secrets only once', async () => {
    const client = await addClient(scene);
    const { id, secret } = await add(client, {
      kinds: 'alarm.raised,telemetry.sample',
      plantIds: ['1'],
      gzip: 1,
    });
    expect(id).toMatch(/^\d{19}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await ask(client, 'show', { id });
    expect(shown.body).toMatchObject({ success: true, code: '0' });
    expect(shown.body.data).toEqual({
      id,
      application: client.application.name,
      url: receiver.url,
      transport: 'http',
      kinds: ['telemetry.sample', 'alarm.raised'],
      plantIds: ['1'],
      batches: false,
      gzip: true,
      ownCertificates: false,
      state: 'active',
      createdAt: clock.at,
      delivered: 0,
      failures: 0,
      behindSeconds: 0,
      waitingDevices: 0,
      deadLetters: 0,
    });
    expect((await ask(client, 'list')).body.data).toEqual([shown.body.data]);
    expect((await stored(id))!.secrets.toString()).not.toContain(secret!.slice(6, 20));
    expect(shown.text + oauth.log()).not.toContain(secret!.slice(6, 20));
    expect((await add(client)).id).not.toBe(id);
    expect((await ask(client, 'list')).body.data.map(({ kinds }: any) => kinds.length)).toEqual([
      2,
      eventKindNames.length,
    ]);
  });

  test('begin with a snapshot if they are to, and get one whenever they ask', async () => {
    const client = await addClient(scene);
    const { id } = await add(client, { snapshot: 1 });
    expect((await ask(client, 'show', { id })).body.data.snapshot).toBe('sending');
    expect((await ask(client, 'snapshot', { id })).body).toMatchObject({
      success: false,
      msg: expect.stringContaining('a snapshot is being sent'),
    });
    const later = await add(client);
    expect((await ask(client, 'snapshot', { id: later.id })).body.data).toEqual({
      id: later.id,
      number: 2,
    });
    const refused = await ask(client, 'add', {
      url: receiver.url,
      kinds: 'telemetry.sample',
      snapshot: 1,
    });
    expect(refused.body).toMatchObject({
      code: 'H0001',
      msg: expect.stringContaining('snapshot.plant'),
    });
    // All or nothing.
    expect((await ask(client, 'list')).body.data).toHaveLength(2);
    expect((await ask(await addClient(scene), 'snapshot', { id: later.id })).body.code).toBe(
      'R0000',
    );
    expect((await ask(client, 'remove', { id })).body.data).toEqual({ id });
  });

  test('are tested with one call', async () => {
    const client = await addClient(scene);
    const { id } = await add(client);
    receiver.seen.length = 0;
    expect((await ask(client, 'test', { id })).body.data).toEqual({
      delivered: true,
      tookMs: expect.any(Number),
    });
    expect(receiver.seen).toMatchObject([{ kind: 'test', plantId: null, deviceSn: null }]);
    receiver.react = () => ({ status: 500, body: 'out of order' });
    expect((await ask(client, 'test', { id })).body.data).toMatchObject({
      delivered: false,
      reason: expect.stringContaining('500'),
      excerpt: 'out of order',
    });
    receiver.react = () => ({ status: 200 });
    expect((await ask(client, 'show', { id })).body.data).toMatchObject({
      delivered: 0,
      failures: 0,
    });
  });

  test('are paused, resumed and removed', async () => {
    const client = await addClient(scene);
    const { id } = await add(client);
    expect((await ask(client, 'pause', { id })).body.data).toEqual({ id, state: 'paused' });
    expect((await ask(client, 'show', { id })).body.data.state).toBe('paused');
    expect((await ask(client, 'resume', { id })).body.data).toEqual({ id, state: 'active' });
    expect((await ask(client, 'remove', { id })).body.data).toEqual({ id });
    expect(await stored(id)).toBeUndefined();
    expect((await ask(client, 'show', { id })).body.code).toBe('R0000');
    const audited = await database()
      .db.selectFrom('auditEvent')
      .select('kind')
      .where('data', 'like', `%${id}%`)
      .orderBy('id')
      .execute();
    expect(audited.map(({ kind }) => kind)).toEqual([
      'destination.created',
      'destination.paused',
      'destination.resumed',
      'destination.removed',
    ]);
  });

  test('get another secret; the former one signs along until it ends', async () => {
    const client = await addClient(scene);
    const { id, secret } = await add(client);
    const rotated = (await ask(client, 'rotate', { id, overlapHours: 2 })).body.data;
    expect(rotated).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_/),
      formerEndsAt: clock.at + 2 * HOUR,
    });
    const secretsOf = async () =>
      unsealSecrets(await credentials.secretBox(), id, (await stored(id))!.secrets).signing;
    expect(await secretsOf()).toEqual([
      { text: rotated.secret, endsAt: null },
      { text: secret, endsAt: clock.at + 2 * HOUR },
    ]);
    clock.at += 3 * HOUR;
    const again = (await ask(client, 'rotate', { id, overlapHours: 0 })).body.data;
    expect(await secretsOf()).toEqual([{ text: again.secret, endsAt: null }]);
    // A sealed secret opens in its own row alone.
    const box = await credentials.secretBox();
    const row = (await stored(id))!;
    expect(() => unsealSecrets(box, '1', row.secrets)).toThrow('unable to authenticate');
  });

  test('keep the newest secrets alone, however often they get another', async () => {
    const client = await addClient(scene);
    const { id } = await add(client);
    const made: string[] = [];
    for (let i = 0; i < 14; i++)
      made.unshift((await ask(client, 'rotate', { id, overlapHours: 720 })).body.data.secret);
    const { signing } = unsealSecrets(
      await credentials.secretBox(),
      id,
      (await stored(id))!.secrets,
    );
    expect(signing.map(({ text }) => text)).toEqual(made.slice(0, 5));
  });

  test('of brokers keep their user and password to themselves', async () => {
    const client = await addClient(scene);
    const { id, secret } = await add(client, {
      url: 'mqtt://127.0.0.1:18830',
      topic: 'solar/{plantId}/{deviceSn}/{kind}',
      username: 'me',
      password: 'hush hush hush',
    });
    expect(secret).toBeUndefined();
    const shown = await ask(client, 'show', { id });
    expect(shown.body.data).toMatchObject({
      transport: 'mqtt',
      protocolVersion: '5',
      topic: 'solar/{plantId}/{deviceSn}/{kind}',
    });
    expect(shown.text).not.toContain('hush');
    expect((await ask(client, 'rotate', { id })).body).toMatchObject({
      code: 'H0001',
      data: { field: 'password' },
    });
    expect((await ask(client, 'rotate', { id, password: 'new words' })).body.data).toEqual({ id });
    expect(
      unsealSecrets(await credentials.secretBox(), id, (await stored(id))!.secrets),
    ).toMatchObject({ username: 'me', password: 'new words' });
  });

  test.each([
    ['a host of the inner network', { url: 'https://10.0.0.1/events' }, 'url'],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['another scheme', { url: 'ftp://receiver.example' }, 'url'],
    ['a user in the address', { url: 'https://me:secret@receiver.example' }, 'url'],
    ['a kind that there is none of', { kinds: 'telemetry.samples' }, 'kinds'],
    ['a topic with a wildcard', { url: 'mqtt://127.0.0.1', topic: 'solar/#' }, 'topic'],
    ['a topic with an unknown part', { url: 'mqtt://127.0.0.1', topic: 'solar/{owner}' }, 'topic'],
    [
      'certificates that are none',
      { url: 'https://127.0.0.1', caCertificates: 'PEM' },
      'caCertificates',
    ],
    ['an application of somebody else', { application: 'Other Platform' }, 'application'],
  ])('are refused with %s, and nothing is stored', async (_, change, field) => {
    const client = await addClient(scene);
    const answer = await ask(client, 'add', { url: receiver.url, ...change });
    expect([answer.status, answer.body.code, answer.body.data?.field]).toEqual([
      200,
      'H0001',
      field,
    ]);
    expect((await ask(client, 'list')).body.data).toEqual([]);
  });

  test('are at most twenty', async () => {
    const client = await addClient(scene);
    for (let i = 0; i < 20; i++) await add(client);
    expect((await ask(client, 'add', { url: receiver.url })).body).toMatchObject({
      code: 'H0001',
      data: { field: 'application' },
    });
  });

  test('are the application’s own: those of another are like none, whatever is asked', async () => {
    const [client, stranger] = [await addClient(scene), await addClient(scene)];
    const { id } = await add(client);
    for (const path of [
      'show',
      'test',
      'pause',
      'resume',
      'remove',
      'rotate',
      'replay',
      'deadLetters',
      'gaps',
      'tail',
    ]) {
      const [foreign, unknown] = await Promise.all([
        ask(stranger, path, { id, from: 1 }),
        ask(stranger, path, { id: '1300000000000000009', from: 1 }),
      ]);
      expect([path, foreign.body.code, foreign.text]).toEqual([path, 'R0000', unknown.text]);
    }
    expect((await ask(stranger, 'list')).body.data).toEqual([]);
    expect((await ask(client, 'show', { id })).body.data.state).toBe('active');
  });

  test('see what was given up and what was not acknowledged', async () => {
    const client = await addClient(scene);
    const { id } = await add(client);
    expect((await ask(client, 'deadLetters', { id })).body.data).toEqual([]);
    expect((await ask(client, 'gaps', { id })).body.data).toEqual({
      behindSeconds: 0,
      waiting: [],
      deadLetters: 0,
      lost: [],
    });
    expect((await ask(client, 'replay', { id })).body).toMatchObject({ code: 'I0000' });
    expect((await ask(client, 'replay', { id, eventId: 'x' })).body).toMatchObject({
      code: 'H0001',
      data: { field: 'eventId' },
    });
  });

  test('are shown what they are sent, from now on and without delivering it; nothing that they may not get, nor while they are paused', async () => {
    const {
      device,
      ownerId,
      grantId,
      destinationId: id,
    } = await scene.connected(receiver.url, { kinds: ['telemetry.sample'] });
    const look = async (after?: string) =>
      readTail(database().db, await getDestination(database().db, id, null), after, clock.at);
    const measure = async () => {
      await scene.report(device, [{ at: (clock.at += 1_000), values: { acPowerW: 100 } }]);
      await scene.settled();
    };
    await measure();
    const { cursor, events } = await look();
    expect(events).toEqual([]);
    await measure();
    const seen = await look(cursor);
    expect(seen.events).toEqual([
      expect.objectContaining({
        kind: 'telemetry.sample',
        sequence: 2,
        plantId: device.plantId,
        deviceSn: device.sn,
      }),
    ]);
    expect((await look(seen.cursor)).events).toEqual([]);
    expect(await scene.progress(id)).toMatchObject({ delivered: 0 });
    await database()
      .db.updateTable('destination')
      .set({ state: 'paused' })
      .where('id', '=', id)
      .execute();
    expect((await look(cursor)).events).toEqual([]);
    await database()
      .db.updateTable('destination')
      .set({ state: 'active' })
      .where('id', '=', id)
      .execute();
    expect((await look(cursor)).events).toHaveLength(1);
    await scene.write((trx) => revokeGrant(trx, scene.act(), grantId, ownerId));
    expect((await look(cursor)).events).toEqual([]);
    await expect(look('yesterday')).rejects.toMatchObject({ code: 'invalidValue' });
  });

  test('ask for the application’s credentials: none, wrong ones, a Bearer token, a disabled application', async () => {
    const client = await addClient(scene);
    for (const authorization of [
      undefined,
      `Basic ${btoa('x:y')}`,
      'Bearer abc',
      `${client.basic}x`,
    ]) {
      const answer = await ask(authorization, 'list');
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    }
    await scene.write((trx) => disableApplication(trx, scene.act(), client.application.id));
    expect((await ask(client, 'list')).status).toBe(401);
  });

  test('no failure of the door is a 500', async () => {
    const client = await addClient(scene);
    expect((await ask(client, 'list', '{')).status).toBe(400);
    expect((await ask(client, 'nothing')).status).toBe(404);
    expect((await ask(client, 'add', { url: 5 })).body.code).toBe('H0001');
    expect((await fetch(`${oauth.url}/oauth/forwarding/list`)).status).toBe(405);
    const metadata = (await (
      await fetch(`${oauth.url}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, string>;
    expect(metadata['forwarding_endpoint']).toMatch(/\/oauth\/forwarding$/);
  });
});
