import {
  createReceiver,
  createReplay,
  readWebhook,
  type Gap,
  type ReceivedEvent,
  type SequenceState,
} from '@helioport/sdk';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { addClient } from '../oauth/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import type { SettableClock } from '../support/world.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

describeEngines('a whole server', (database) => {
  const clock: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };
  const scene = createForwardingScene(database, clock);
  let app: RunningApp;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    app = await startApp(database(), {
      HELIOPORT_ROLES: 'oauth,gateway,worker',
      HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8',
    });
  });
  afterAll(async () => {
    await app.stop();
    await receiver.close();
  });

  /** A plant whose collector reports to the server, and a platform with its credentials. */
  async function install() {
    const owner = await scene.person();
    const plantId = await scene.plant(owner.id);
    const { id: deviceId, sn } = await scene.device(plantId, { ratedPowerW: 10_000 });
    const { id: collectorId, token } = await scene.write((trx) =>
      addCollector(trx, scene.act(), { sn: scene.uniqueSn('COL'), plantId }),
    );
    await scene.write((trx) => assignCollector(trx, deviceId, collectorId));
    const client = await addClient(scene);
    return {
      owner,
      sn,
      client,
      async ask(path: string, body: object): Promise<any> {
        const headers = { Authorization: client.basic, 'Content-Type': 'application/json' };
        const answer = await fetch(`${app.addresses.oauth}/oauth/forwarding/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return answer.json();
      },
      async report(acPowerW: number): Promise<number> {
        const at = systemClock.now();
        const answer = await fetch(`${app.addresses.gateway}/v1/readings`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ readings: [{ sn, at, values: { acPowerW } }] }),
        });
        expect(await answer.json()).toMatchObject({ accepted: 1 });
        return at;
      },
    };
  }

  test('forwards what a collector reports to the destination that a platform has added, until the owner revokes', async () => {
    const { owner, client, ask, report } = await install();
    const { data } = await ask('add', {
      url: receiver.url,
      kinds: 'telemetry.sample,authorization.revoked',
    });
    const grantId = await scene.grant(client.application.id, owner.id);
    const times = [await report(1), await report(2), await report(3)];
    await expect
      .poll(() => receiver.taken.map((event) => event.data['at']), { timeout: 60_000 })
      .toEqual(times);
    expect((await ask('show', { id: data.id })).data).toMatchObject({
      state: 'active',
      transport: 'http',
    });
    await expect.poll(async () => (await ask('show', { id: data.id })).data.delivered).toBe(3);
    const metrics = await (await fetch(`${app.addresses.ops}/metrics`)).text();
    expect(metrics).toContain(`helioport_forwarding_delivered_total{destination="${data.id}"} 3`);

    await scene.write((trx) => revokeGrant(trx, scene.act(), grantId, owner.id));
    await report(4);
    await expect
      .poll(() => receiver.taken.map(({ kind }) => kind).slice(3), { timeout: 60_000 })
      .toEqual(['authorization.revoked']);
  });

  test('sends once more what a receiver of the SDK has missed and asks for, and the receiver has each event once, a restart of its own included', async () => {
    const { owner, sn, client, ask, report } = await install();
    const states = new Map<string, SequenceState>();
    const handled: ReceivedEvent[] = [];
    const gaps: Gap[] = [];
    let secret = '';
    let destination = '';
    const open = () => {
      const [clientId, clientSecret] = atob(client.basic.slice('Basic '.length)).split(':') as [
        string,
        string,
      ];
      const replay = createReplay({
        oauthUrl: app.addresses.oauth!,
        clientId,
        clientSecret,
        destination,
      });
      return createReceiver({
        cursor: {
          load: async (sequence) => states.get(sequence),
          save: async (sequence, state) => void states.set(sequence, state),
        },
        handle: async (event) => void handled.push(event),
        askForReplay: async (gap) => (gaps.push(gap), replay(gap)),
      });
    };
    let receiving: ReturnType<typeof open>;
    let losing = 0;
    const endpoint = createServer(async (request, response) => {
      const events = readWebhook(
        { headers: request.headers, body: await text(request) },
        { secrets: [secret] },
      );
      // It says that it has them, and stops before it has.
      if (losing-- > 0) return void response.writeHead(204).end();
      await receiving.receive(events);
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
    ({ id: destination, secret } = (await ask('add', { url, kinds: 'telemetry.sample' })).data);
    await scene.grant(client.application.id, owner.id);
    receiving = open();
    const delivered = async (count: number): Promise<void> => {
      await expect
        .poll(async () => (await ask('show', { id: destination })).data.delivered, {
          timeout: 60_000,
          interval: 20,
        })
        .toBeGreaterThanOrEqual(count);
    };
    const times = () => handled.map(({ data }) => data['at']);

    const first = await report(1);
    await expect.poll(times, { timeout: 60_000 }).toEqual([first]);
    const { delivered: before } = (await ask('show', { id: destination })).data;
    losing = 2;
    const lost = [await report(2)];
    lost.push(await report(3));
    await delivered(before + 2);
    receiving = open();
    const last = await report(4);
    await expect.poll(times, { timeout: 60_000 }).toEqual([first, last, ...lost]);
    expect(gaps).toMatchObject([{ first: 2, last: 3, deviceSn: sn, kind: 'telemetry.sample' }]);
    expect(await report(5)).toBeGreaterThan(last);
    await expect.poll(() => times().length, { timeout: 60_000 }).toBe(5);
    expect([...states.values()].flatMap(({ missing }) => missing)).toEqual([]);
    endpoint.close();
    endpoint.closeAllConnections();
  });
});
