import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { createCollector, openLink, type CollectorOptions } from '@helioport/collector';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../packages/server/src/platform/kernel/passwords/password.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { addClient, createRunning } from '../oauth/fixture.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { startReceiver, type Receiver } from '../forwarding/receiver.ts';
import { describeEngines } from '../support/engines.ts';
import { SESSION_COOKIE } from '../support/portal.ts';
import type { SettableClock } from '../support/world.ts';
import { addKey, signed } from '../user-api/fixture.ts';
import {
  openConnection,
  connectToEach,
  PROCESSES,
  startProcesses,
  type Answer,
  type Connection,
  type Running,
} from './scene.ts';

const PER_SECOND = 5;
const FAILURES_PER_MINUTE = 20;
const STRANGERS = 10;

describeEngines('processes at the same ports', (database) => {
  const clock: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };
  const scene = createForwardingScene(database, clock);
  let running: Running;
  let receiver: Receiver;
  const opened: Connection[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    running = await startProcesses(database(), {
      HELIOPORT_RATE_LIMIT: `${PER_SECOND}/s`,
      HELIOPORT_AUTH_FAILURE_LIMIT: `${FAILURES_PER_MINUTE}/min`,
      HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8',
      HELIOPORT_MQTT_STRANGERS: String(STRANGERS),
    });
  });
  afterAll(async () => {
    for (const connection of opened) connection.close();
    await running.end();
    await receiver.close();
  });

  async function connections(name: string): Promise<Connection[]> {
    const made = await connectToEach(running.addresses[name]!);
    opened.push(...made);
    return made;
  }

  type Key = Awaited<ReturnType<typeof addKey>>;
  function requestOf(key: Key, path: string, body: object): Parameters<Connection['ask']> {
    const { headers, body: text } = signed({
      key,
      at: clock.now(),
      path,
      body: JSON.stringify(body),
    });
    return [path, { method: 'POST', headers: Object.fromEntries(headers), body: text as string }];
  }
  const call = (connection: Connection, key: Key, path: string, body: object): Promise<Answer> =>
    connection.ask(...requestOf(key, path, body));

  test('take connections in turn', async () => {
    const seen = new Map<string, number>();
    for (let i = 0; i < 5 * PROCESSES; i++) {
      const connection = openConnection(running.addresses['oauth']!);
      // The first part of a request's id is that of its process.
      const process = String((await connection.ask('/api/unknown')).headers['x-request-id'])
        .split('-')[0]!
        .slice(0, 12);
      connection.close();
      seen.set(process, (seen.get(process) ?? 0) + 1);
    }
    expect([...seen.values()]).toEqual(Array.from({ length: PROCESSES }, () => 5));
  });

  test('count requests and failures together', async () => {
    const [key, other] = [await addKey(scene), await addKey(scene)];
    const all = await connections('user-api');
    const begun = performance.now();
    const asked = requestOf(key, '/v1/api/userStationList', { pageNo: 1 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => all[i % PROCESSES]!.ask(...asked)),
    );
    const refilled = ((performance.now() - begun) / 1000) * PER_SECOND;
    const granted = answers.filter(({ status }) => status === 200).length;
    expect(granted).toBeGreaterThanOrEqual(PER_SECOND);
    expect(granted).toBeLessThanOrEqual(PER_SECOND + refilled);
    expect(answers.filter(({ status }) => status === 429).length).toBe(60 - granted);
    const left = answers.map(({ headers }) =>
      Number(/;r=(-?\d+);/.exec(String(headers['ratelimit']))![1]),
    );
    expect(left.filter((one) => one < 0 || one >= PER_SECOND)).toEqual([]);

    const [path, options] = requestOf(
      { ...other, keySecret: '0'.repeat(32) },
      '/v1/api/userStationList',
      {},
    );
    const failedAt = performance.now();
    const refused = await Promise.all(
      Array.from({ length: 200 }, (_, i) => all[i % PROCESSES]!.ask(path, options)),
    );
    const more = Math.ceil(((performance.now() - failedAt) / 60_000) * FAILURES_PER_MINUTE);
    const counted = refused.filter(({ status }) => status === 403).length;
    expect(counted).toBeGreaterThanOrEqual(FAILURES_PER_MINUTE);
    expect(counted).toBeLessThanOrEqual(FAILURES_PER_MINUTE + more);
    expect((await call(all[0]!, other, '/v1/api/userStationList', {})).status).toBe(200);
  });

  test('have their places each: strangers at the broker are as many in every process', async () => {
    const { hostname, port } = new URL(running.addresses['mqtt']!);
    const sockets = await Promise.all(
      Array.from({ length: 5 * STRANGERS * PROCESSES }, async () => {
        const socket = connectSocket(Number(port), hostname).on('error', () => {});
        await once(socket, 'connect');
        return socket.resume();
      }),
    );
    const open = (): number => sockets.filter(({ closed }) => !closed).length;
    await expect.poll(open, { timeout: 9_000 }).toBe(STRANGERS * PROCESSES);
    for (const socket of sockets) socket.destroy();
  });

  test('refuse a write that another one has carried out, and go on with a list where it was', async () => {
    const key = await addKey(scene, { canControl: true });
    const plants: string[] = [];
    for (let i = 0; i < 4; i++) plants.push(await scene.plant(key.accountId));
    const all = await connections('user-api');
    const page = async (connection: Connection, pageNo: number): Promise<string[]> => {
      const { body } = await call(connection, key, '/v1/api/userStationList', {
        pageNo,
        pageSize: 2,
      });
      return body.data.page.records.map(({ id }: { id: string }) => id);
    };
    expect(await page(all[0]!, 1)).toEqual(plants.slice(0, 2));
    const archiving = requestOf(key, '/v1/api/archiveStation', { id: plants[0] });
    expect((await all[1]!.ask(...archiving)).body).toMatchObject({ code: '0' });
    expect((await all[2]!.ask(...archiving)).body).toMatchObject({ code: '409' });
    expect(await page(all[2]!, 2)).toEqual(plants.slice(2));
  });

  test('know a session that one of them has begun, and all at once that it has ended', async () => {
    const password = 'a long password';
    const email = `portal-${database().engine}@example.com`;
    const { id } = await scene.person({ email });
    await database()
      .db.updateTable('account')
      .set({ passwordHash: await hashPassword(password) })
      .where('id', '=', id)
      .execute();
    const all = await connections('portal');
    const { headers: first, body: visit } = await all[0]!.ask('/portal/session');
    const jar = new Map<string, string>();
    const keep = (headers: Answer['headers']): void => {
      for (const line of headers['set-cookie'] ?? [])
        jar.set(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).split(';')[0]!);
    };
    keep(first);
    const cookie = (): string => [...jar].map((pair) => pair.join('=')).join('; ');
    const post = (
      connection: Connection,
      path: string,
      csrf: string,
      body: object,
    ): Promise<Answer> =>
      connection.ask(path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Helioport-CSRF': csrf,
          Cookie: cookie(),
          Origin: running.addresses['portal']!,
        },
        body: JSON.stringify(body),
      });
    const logIn = await post(all[1]!, '/portal/log-in', visit.data.csrf, { email, password });
    expect(logIn.body).toMatchObject({ code: '0' });
    keep(logIn.headers);
    expect(jar.has(SESSION_COOKIE)).toBe(true);
    const accountAt = async (connection: Connection): Promise<string | undefined> =>
      (await connection.ask('/portal/session', { headers: { Cookie: cookie() } })).body.data.account
        ?.id;
    expect(await Promise.all(all.map(accountAt))).toEqual([id, id, id]);
    const { csrf } = (await all[2]!.ask('/portal/session', { headers: { Cookie: cookie() } })).body
      .data;
    expect((await post(all[2]!, '/portal/log-out', csrf, {})).body).toMatchObject({ code: '0' });
    expect(await Promise.all(all.map(accountAt))).toEqual([undefined, undefined, undefined]);
  });

  test('give a code and a refresh token to one of many that race for it', async () => {
    const client = await addClient(scene);
    const code = await createRunning({
      clock,
      world: scene,
      database,
      oauth: () => ({ url: running.addresses['oauth']! }) as never,
    }).code(client);
    const all = await connections('oauth');
    const race = async (fields: Record<string, string>): Promise<any> => {
      const body = new URLSearchParams(fields).toString();
      const headers = {
        Authorization: client.basic,
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      const answers = await Promise.all(
        all.map((connection) => connection.ask('/oauth/token', { method: 'POST', headers, body })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 400, 400,
      ]);
      return answers.find(({ status }) => status === 200)!.body;
    };
    const tokens = await race({
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.application.redirectUri,
    });
    await race({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  });

  test('reach a collector at whichever it is, and end its connection to another one at once', async () => {
    const home = await scene.install();
    await database()
      .db.updateTable('device')
      .set({ model: 'SIM-8K-ES' })
      .where('id', '=', home.deviceId)
      .execute();
    const connect = (): Promise<MqttClient> =>
      connectAsync(running.addresses['mqtt']!, {
        username: home.tokenId,
        password: home.token,
        protocolVersion: 5,
        reconnectPeriod: 0,
      });
    const former = await connect();
    const reason = new Promise<number | undefined>((resolve) =>
      former.once('disconnect', ({ reasonCode }) => resolve(reasonCode)),
    );
    const latter = await connect();
    expect(await reason).toBe(0x8e);
    expect(latter.connected).toBe(true);
    await latter.endAsync();

    const values = new Map<string, string>([['157', '30']]);
    const link = openLink({
      url: running.addresses['mqtt']!,
      collectorId: home.collectorId,
      tokenId: home.tokenId,
      token: home.token,
    });
    const devices = {
      read: ({ parameter }) => ({ value: values.get(parameter) ?? '0' }),
      write: ({ parameter, value }) => void values.set(parameter, value!),
    } satisfies CollectorOptions['devices'];
    const collector = createCollector({ link, devices });
    const { ownerId } = await database()
      .db.selectFrom('plant')
      .select('ownerId')
      .where('id', '=', home.plantId)
      .executeTakeFirstOrThrow();
    const key = await addKey(scene, { accountId: ownerId, canControl: true });
    // Whichever process is asked, the collector is at one of them.
    for (const [i, connection] of (await connections('user-api')).entries()) {
      const { body } = await call(connection, key, '/v2/api/control', {
        inverterSn: home.sn,
        cid: '157',
        value: String(20 + i),
      });
      expect(body).toMatchObject({ code: '0', data: [{ code: 0 }] });
      expect(values.get('157')).toBe(String(20 + i));
    }
    await collector.close();
  });

  test('forward what any of them got, once and in order, and tell in one place what all have done', async () => {
    const home = await scene.install();
    const { ownerId } = await database()
      .db.selectFrom('plant')
      .select('ownerId')
      .where('id', '=', home.plantId)
      .executeTakeFirstOrThrow();
    const client = await addClient(scene);
    await scene.destination(client.application, receiver.url, { kinds: ['telemetry.sample'] });
    await scene.grant(client.application.id, ownerId);
    const all = await connections('gateway');
    const before = await running.metric('helioport_readings_total', 'accepted');
    const times: number[] = [];
    for (let i = 0; i < 2 * PROCESSES; i++) {
      times.push(systemClock.now());
      const body = JSON.stringify({
        readings: [{ sn: home.sn, at: times[i], values: { acPowerW: i } }],
      });
      const headers = { Authorization: `Bearer ${home.token}`, 'Content-Type': 'application/json' };
      expect(
        (await all[i % PROCESSES]!.ask('/v1/readings', { method: 'POST', headers, body })).body,
      ).toMatchObject({ accepted: 1 });
    }
    await expect.poll(() => receiver.taken.map(({ data }) => data['at'])).toEqual(times);
    expect(await running.metric('helioport_readings_total', 'accepted')).toBe(
      before + times.length,
    );
    expect(await running.metric('helioport_processes')).toBe(PROCESSES);
    // Every process knows it; the sum would be three times as many.
    await expect
      .poll(() => running.metric('helioport_forwarding_delivered_total'))
      .toBe(times.length);
  });
});
