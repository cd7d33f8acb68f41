import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import {
  signWebhook,
  webhookKey,
} from '../../packages/server/src/outbound/sinks/standard-webhooks.ts';
import { sendPush } from '../../packages/server/src/outbound/notifications/outlets/push.ts';
import { pushKeysOf } from '../../packages/server/src/outbound/notifications/outlets/push-keys.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import {
  createBrowser,
  createNotificationScene,
  decryptPush,
  HOUR,
  MINUTE,
  readVapid,
  startEndpoint,
} from './scene.ts';

describeEngines('notifications to browsers and programs', (database) => {
  const scene = createNotificationScene(database);
  const { clock, pass, work, raise, end, ask } = scene;
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  beforeAll(async () => void (endpoint = await startEndpoint()));
  afterAll(() => endpoint.close());
  beforeEach(scene.clear);
  afterEach(() => {
    endpoint.status = 201;
    endpoint.posted.length = 0;
  });

  let browsers = 0;
  const subscribe = async (
    accountId: string,
    browser = createBrowser(),
    path = `/push/${++browsers}`,
  ) => {
    const request = {
      endpoint: endpoint.origin + path,
      p256dh: browser.p256dh,
      auth: browser.authText,
      label: 'Phone',
    };
    const { id } = await ask(accountId, 'push/subscribe', request);
    return { id: id as string, browser };
  };
  const owner = async () => {
    const person = await scene.person();
    const plantId = await scene.plant(person.id, { name: 'Meadow <Lane>' });
    return { person, plantId, device: await scene.device(plantId) };
  };

  test('a browser gets a message that only it can read, signed with the key that it subscribed with', async () => {
    const { person, device } = await owner();
    const { id, browser } = await subscribe(person.id);
    await raise(device.id, 'H107', 3);
    await pass(3);
    const [message, ...others] = endpoint.posted;
    expect(others).toEqual([]);
    expect(message!.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'high',
      topic: expect.stringMatching(/^\d{19}$/),
    });
    const { pushKey } = await ask(person.id, 'notifications/settings');
    expect(readVapid(message!.headers.authorization!, pushKey)).toEqual({
      aud: endpoint.origin,
      exp: clock.at / 1000 + 12 * 3600,
      sub: 'https://portal.example.org',
    });
    const text = JSON.parse(decryptPush(browser, message!.body));
    expect(text).toEqual({
      id: message!.headers.topic,
      title: 'Battery too hot at Meadow <Lane>: began',
      body: expect.stringContaining(`Device ${device.sn}, since Jun 16, 2026`),
      url: '/alarms',
    });
    expect(() => decryptPush(createBrowser(), message!.body)).toThrow(/authenticate/);
    expect(await ask(person.id, 'push/list')).toEqual([
      { id, label: 'Phone', createdAt: expect.any(Number), sentAt: clock.at },
    ]);
  });

  test.each([404, 410])(
    'a browser whose push service answers %i is subscribed no more',
    async (status) => {
      const { person, device } = await owner();
      await subscribe(person.id);
      const { browser } = await subscribe(person.id);
      endpoint.status = status;
      await raise(device.id);
      await pass(3);
      expect(endpoint.posted.length).toBe(2);
      expect(browser).toBeDefined();
      expect(await ask(person.id, 'push/list')).toEqual([]);
      await raise(device.id, 'H104');
      await pass(20);
      expect(endpoint.posted.length).toBe(2);
      const trail = await scene
        .db()
        .selectFrom('auditEvent')
        .select(['kind', 'actor'])
        .where('accountId', '=', person.id)
        .where('kind', '=', 'push.removed')
        .execute();
      expect(trail).toEqual([
        { kind: 'push.removed', actor: 'service' },
        { kind: 'push.removed', actor: 'service' },
      ]);
    },
  );

  test('a message that cannot be prepared keeps no other of its account back, and is tried again', async () => {
    const { person, device, plantId } = await owner();
    await raise(device.id);
    const { browser } = await subscribe(person.id);
    await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/news` });
    const { id: broken } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/other` });
    const { secrets } = await scene
      .db()
      .selectFrom('newsWebhook')
      .select('secrets')
      .where('id', '=', broken)
      .executeTakeFirstOrThrow();
    // Nor can the alarm be put into words: its zone is none.
    await scene
      .db()
      .updateTable('plant')
      .set({ timeZone: 'Mars/Olympus' })
      .where('id', '=', plantId)
      .execute();
    const setSecrets = (to: typeof secrets) =>
      scene.db().updateTable('newsWebhook').set({ secrets: to }).where('id', '=', broken).execute();
    await setSecrets(Buffer.from('encrypted with another key'));
    await raise(device.id);
    await pass(3);
    expect(endpoint.posted).toHaveLength(2);
    expect(endpoint.posted.some(({ headers }) => headers['content-encoding'] === 'aes128gcm')).toBe(
      true,
    );
    expect(browser).toBeDefined();
    expect(scene.logged).toContainEqual(expect.objectContaining({ channel: 'webhook' }));
    await setSecrets(secrets);
    await pass(60);
    expect(endpoint.posted).toHaveLength(3);
    scene.logged.length = 0;
  });

  test('programs that never answer keep those of other accounts waiting for nothing', async () => {
    const held = createServer(() => {});
    await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve));
    const { port } = held.address() as AddressInfo;
    const many = await Promise.all(Array.from({ length: 14 }, owner));
    for (const { person } of many)
      await ask(person.id, 'webhook/add', { url: `http://127.0.0.1:${port}/silent` });
    const { person, device } = await owner();
    await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/news` });
    for (const one of many) await raise(one.device.id, 'H107', 3);
    await raise(device.id, 'H107', 3);
    await work();
    clock.at += 3 * MINUTE;
    const runner = scene.runner();
    await runner.start();
    try {
      await expect.poll(() => endpoint.posted.length, { timeout: 60_000 }).toBe(1);
    } finally {
      held.closeAllConnections();
      await runner.stop();
      held.close();
    }
    scene.logged.length = 0;
  });

  test('a message that was not taken is tried again, as the same message, until it is a day old', async () => {
    const { person, device } = await owner();
    await subscribe(person.id);
    endpoint.status = 503;
    await raise(device.id);
    await pass(3);
    clock.at += 10 * MINUTE;
    await work();
    expect(endpoint.posted.length).toBe(2);
    expect(new Set(endpoint.posted.map(({ headers }) => headers.topic)).size).toBe(1);
    endpoint.status = 201;
    clock.at += HOUR;
    await work();
    expect(endpoint.posted.length).toBe(3);
    clock.at += 5 * HOUR;
    await work();
    expect(endpoint.posted.length).toBe(3);
    endpoint.status = 503;
    await end(device.id);
    for (let hour = 0; hour < 60; hour++) {
      clock.at += HOUR;
      await work();
    }
    expect(await scene.db().selectFrom('newsMessage').selectAll().execute()).toEqual([]);
  });

  test('of what waits to be sent again, nothing is sent once the share has ended', async () => {
    const { plantId, device } = await owner();
    const guest = await scene.person();
    await scene.write((trx) => sharePlant(trx, scene.act(), plantId, guest.email, 'read'));
    await subscribe(guest.id);
    await ask(guest.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    endpoint.status = 503;
    await raise(device.id);
    await pass(3);
    expect(endpoint.posted.length).toBe(2);
    await scene.write((trx) => unsharePlant(trx, scene.act(), plantId, guest.email));
    clock.at += HOUR;
    await work();
    expect(endpoint.posted.length).toBe(2);
    expect(await scene.db().selectFrom('newsMessage').selectAll().execute()).toEqual([]);
  });

  test.each([0, 1])(
    'a program is notified at night, unless its owner has chosen otherwise: webhooksQuiet=%i',
    async (webhooksQuiet) => {
      clock.at = Date.parse('2026-07-01T22:30:00Z');
      const { person, device } = await owner();
      await ask(person.id, 'notifications/set', {
        quietFrom: '22:00',
        quietTo: '06:00',
        webhooksQuiet,
      });
      await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
      await raise(device.id);
      await pass(3);
      expect(endpoint.posted.length).toBe(1 - webhooksQuiet);
      await raise(device.id, 'H107', 3);
      await pass(3);
      expect(JSON.parse(endpoint.posted.at(-1)!.body.toString())).toMatchObject({
        data: { alarms: [{ code: 'H107' }] },
      });
      clock.at = Date.parse('2026-07-02T06:00:00Z');
      await work();
      expect(endpoint.posted.length).toBe(2);
    },
  );

  test('a program is notified of what people are notified of later, and people of what a program was', async () => {
    const { person, device } = await owner();
    await ask(person.id, 'notifications/set', { alarmsByMail: 1 });
    await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    const counts = async () => [endpoint.posted.length, (await scene.letters()).length];
    await raise(device.id);
    await pass(3);
    expect(await counts()).toEqual([1, 1]);
    // People have been notified just now, and are notified no sooner than after a quarter of an hour.
    await raise(device.id, 'H104');
    await pass(3);
    expect(await counts()).toEqual([2, 0]);
    await pass(12);
    expect(await counts()).toEqual([2, 1]);
    await end(device.id);
    await pass(3);
    expect(await counts()).toEqual([3, 0]);
    await pass(12);
    expect(await counts()).toEqual([3, 1]);
    // What was announced long ago does not shorten how long a new alarm is held.
    await raise(device.id);
    await pass(20);
    expect(await counts()).toEqual([4, 1]);
    clock.at += HOUR;
    await raise(device.id, 'H107');
    await work();
    await pass(1);
    expect(await counts()).toEqual([4, 0]);
    await pass(1);
    expect(await counts()).toEqual([5, 1]);
  });

  test('a browser in which somebody else signs in gets their news alone', async () => {
    const [one, other] = [await owner(), await owner()];
    const browser = createBrowser();
    await subscribe(one.person.id, browser, '/push/shared');
    await subscribe(other.person.id, browser, '/push/shared');
    await raise(one.device.id);
    await raise(other.device.id);
    await pass(3);
    expect(endpoint.posted.length).toBe(1);
    expect(decryptPush(browser, endpoint.posted[0]!.body)).toContain(other.device.sn);
    expect(await ask(one.person.id, 'push/list')).toEqual([]);
  });

  test('a program gets alarms as Standard Webhooks, at night too, signed with both secrets while they are replaced', async () => {
    clock.at = Math.ceil(clock.at / 86_400_000) * 86_400_000 + 23 * HOUR;
    const { person, plantId, device } = await owner();
    await ask(person.id, 'notifications/set', { quietFrom: '22:00', quietTo: '06:00' });
    const { id, secret } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify(await ask(person.id, 'webhook/list'))).not.toContain(secret.slice(6));
    await raise(device.id);
    await pass(3);
    const [first] = endpoint.posted;
    const body = first!.body.toString();
    const sent = (secrets: string[], { headers } = first!) =>
      signWebhook(
        { id: headers['webhook-id'] as string, at: clock.at, body },
        secrets.map(webhookKey),
      );
    expect(first!.headers).toMatchObject(sent([secret]));
    const { id: alarmId, beginAt } = await scene
      .db()
      .selectFrom('alarm')
      .select(['id', 'beginAt'])
      .where('deviceId', '=', device.id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(body)).toEqual({
      id: first!.headers['webhook-id'],
      kind: 'notification.alarms',
      version: 1,
      occurredAt: clock.at,
      data: {
        alarms: [
          {
            alarmId,
            says: 'began',
            code: 'H101',
            level: 2,
            message: 'message of H101',
            plantId,
            plantName: 'Meadow <Lane>',
            deviceSn: device.sn,
            beginAt,
            endAt: null,
          },
        ],
      },
    });
    expect(await ask(person.id, 'webhook/list')).toMatchObject([
      { id, deliveredAt: clock.at, failure: null, goneAt: null },
    ]);
    const rotated = await ask(person.id, 'webhook/rotate', { id, overlapHours: 1 });
    expect(rotated).toMatchObject({ id, formerEndsAt: clock.at + HOUR });
    await end(device.id);
    await pass(3);
    const second = endpoint.posted[1]!;
    expect((second.headers['webhook-signature'] as string).split(' ').length).toBe(2);
    clock.at += HOUR;
    await raise(device.id);
    await pass(3);
    expect((endpoint.posted[2]!.headers['webhook-signature'] as string).split(' ').length).toBe(1);
  });

  test('a program that got another secret again and again is notified with the newest alone', async () => {
    const { person, device } = await owner();
    const { id } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    for (let i = 0; i < 14; i++) await ask(person.id, 'webhook/rotate', { id, overlapHours: 720 });
    await raise(device.id);
    await pass(3);
    const [message] = endpoint.posted;
    expect((message!.headers['webhook-signature'] as string).split(' ').length).toBe(5);
  });

  test('a program that answers 410 is notified of nothing more', async () => {
    const { person, device } = await owner();
    const { id } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    endpoint.status = 410;
    await raise(device.id);
    await pass(3);
    await raise(device.id, 'H104');
    await pass(20);
    expect(endpoint.posted.length).toBe(1);
    expect(await ask(person.id, 'webhook/list')).toMatchObject([
      { id, goneAt: expect.any(Number) },
    ]);
  });

  test('a program that takes nothing is left alone, asked by one message, and gets all the others with the first that it takes', async () => {
    const { person, device } = await owner();
    const { id } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    endpoint.status = 503;
    const since = clock.at + 2 * MINUTE;
    for (let i = 0; i < 5; i++) {
      await raise(device.id);
      await pass(3);
      await end(device.id);
      await pass(3);
    }
    const [failing] = await ask(person.id, 'webhook/list');
    expect(failing).toMatchObject({ id, failingSince: expect.any(Number), waitingMessages: 10 });
    expect(failing.failingSince).toBeGreaterThanOrEqual(since);
    expect(failing.nextAttemptAt).toBeGreaterThan(clock.at);
    // The circuit is open by now: of all that is due, one message is sent, and the next not before it is known what became of that.
    const before = endpoint.posted.length;
    clock.at += HOUR;
    await work();
    expect(endpoint.posted.length).toBe(before + 1);
    endpoint.status = 200;
    await pass(6);
    expect(await ask(person.id, 'webhook/list')).toMatchObject([
      {
        failingSince: null,
        nextAttemptAt: null,
        waitingMessages: 0,
        deliveredAt: expect.any(Number),
      },
    ]);
    const taken = endpoint.posted.slice(before + 1).map(({ headers }) => headers['webhook-id']);
    expect(new Set(taken).size).toBe(10);
    expect(taken.length).toBe(10);
  });

  test('a test goes to everything that is set up, now, and says what became of it', async () => {
    const { person } = await owner();
    await ask(person.id, 'notifications/set', { weekly: 1, language: 'es' });
    const { id, browser } = await subscribe(person.id);
    const { id: hook } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    expect(await ask(person.id, 'notifications/test')).toEqual([
      { channel: 'mail', id: null, delivered: true, reason: null, connectionError: null },
      { channel: 'push', id, delivered: true, reason: null, connectionError: null },
      { channel: 'webhook', id: hook, delivered: true, reason: null, connectionError: null },
    ]);
    expect((await scene.letters()).map(({ subject }) => subject)).toEqual(['Una prueba']);
    expect(
      JSON.parse(decryptPush(browser, endpoint.posted.find(({ headers }) => headers.ttl)!.body)),
    ).toMatchObject({ title: 'Una prueba' });
    endpoint.status = 500;
    expect(await ask(person.id, 'notifications/test')).toMatchObject([
      { channel: 'mail' },
      { delivered: false, reason: 'HTTP 500' },
      { delivered: false },
    ]);
  });

  test('a webhook that nobody serves is listed with the error of its connection until a message is taken', async () => {
    const { person, device } = await owner();
    const closed = await startEndpoint();
    await closed.close();
    const { id } = await ask(person.id, 'webhook/add', { url: `${closed.origin}/hook` });
    expect(await ask(person.id, 'notifications/test')).toMatchObject([
      { delivered: false, connectionError: 'ECONNREFUSED' },
    ]);
    await raise(device.id);
    await pass(3);
    const [listed] = await ask(person.id, 'webhook/list');
    expect(listed).toMatchObject({
      id,
      failure: 'the connection failed (ECONNREFUSED)',
      connectionError: 'ECONNREFUSED',
    });
    await scene
      .db()
      .updateTable('newsWebhook')
      .set({ url: `${endpoint.origin}/hook` })
      .execute();
    clock.at += HOUR;
    await work();
    expect(await ask(person.id, 'webhook/list')).toMatchObject([
      { id, deliveredAt: clock.at, failure: null, connectionError: null },
    ]);
  });

  test('no subscription and no webhook reaches what is inside, neither when it is stored nor when it is sent', async () => {
    const { person } = await owner();
    const closed = scene.askWith(createEgress({ allow: [] }));
    const { p256dh, authText: auth } = createBrowser();
    for (const host of [
      'http://127.0.0.1:9',
      'https://127.0.0.1:9',
      'https://[::1]/',
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'http://93.184.215.14/',
    ]) {
      await expect(
        closed(person.id, 'push/subscribe', { endpoint: host, p256dh, auth }),
      ).rejects.toMatchObject({
        code: 'invalidValue',
        data: { field: 'endpoint' },
      });
      await expect(closed(person.id, 'webhook/add', { url: host })).rejects.toMatchObject({
        code: 'invalidValue',
        data: { field: 'url' },
      });
    }
    const keys = await pushKeysOf(scene.db(), scene.secretBox);
    const target = { endpoint: `${endpoint.origin}/push`, p256dh, auth };
    const message = { id: '1', urgent: false, payload: '{}' };
    const deps = {
      egress: createEgress({ allow: [] }),
      clock,
      keys,
      contact: 'mailto:a@example.org',
    };
    expect(await sendPush(deps, target, message, new AbortController().signal)).toMatchObject({
      kind: 'failed',
    });
    expect(endpoint.posted).toEqual([]);
  });

  test.each([
    [
      'keys that are no point of the curve',
      { p256dh: Buffer.alloc(65, 4).toString('base64url') },
      'p256dh',
    ],
    ['a key that is too short', { p256dh: 'AAAA' }, 'p256dh'],
    ['a secret that is too short', { auth: 'AAAA' }, 'p256dh'],
    ['an address that is none', { endpoint: 'nowhere' }, 'endpoint'],
    ['an address of another transport', { endpoint: 'mqtts://127.0.0.1' }, 'endpoint'],
  ])('a subscription with %s is refused', async (_, change, field) => {
    const { person } = await owner();
    const { p256dh, authText: auth } = createBrowser();
    const request = { endpoint: `${endpoint.origin}/x`, p256dh, auth, ...change };
    await expect(ask(person.id, 'push/subscribe', request)).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field },
    });
    expect(await ask(person.id, 'push/list')).toEqual([]);
  });

  test('what is somebody else’s is like what is not there, and there are limits', async () => {
    const [{ person }, { person: other }] = [await owner(), await owner()];
    const { id } = await subscribe(person.id);
    const { id: hook } = await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/hook` });
    for (const [operation, thing] of [
      ['push/remove', id],
      ['webhook/rotate', hook],
      ['webhook/remove', hook],
    ] as const) {
      const refusals = await Promise.all(
        [thing, '1300000000000000009'].map((one) =>
          ask(other.id, operation, { id: one }).catch((error: unknown) => error),
        ),
      );
      expect(refusals[0]).toMatchObject({ code: 'noPermission' });
      expect(refusals[0]).toEqual(refusals[1]);
    }
    await ask(person.id, 'push/remove', { id });
    await ask(person.id, 'webhook/remove', { id: hook });
    expect([await ask(person.id, 'push/list'), await ask(person.id, 'webhook/list')]).toEqual([
      [],
      [],
    ]);
    for (let i = 0; i < 20; i++) await subscribe(person.id);
    await expect(subscribe(person.id)).rejects.toMatchObject({ code: 'invalidValue' });
    for (let i = 0; i < 5; i++)
      await ask(person.id, 'webhook/add', { url: `${endpoint.origin}/${i}` });
    await expect(
      ask(person.id, 'webhook/add', { url: `${endpoint.origin}/6` }),
    ).rejects.toMatchObject({ code: 'invalidValue' });
  });
});
