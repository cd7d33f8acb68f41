import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCollector } from '../../packages/server/src/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/devices/devices.ts';
import { systemClock } from '../../packages/server/src/kernel/clock.ts';
import { revokeGrant } from '../../packages/server/src/oauth/grants.ts';
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
    app = await startApp(database(), { HELIOPORT_ROLES: 'oauth,gateway,worker', HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8' });
  });
  afterAll(async () => {
    await app.stop();
    await receiver.close();
  });

  test('forwards what a collector reports to the destination that a platform has added, until the owner revokes', async () => {
    const owner = await scene.person();
    const plantId = await scene.plant(owner.id);
    const { id: deviceId, sn } = await scene.device(plantId, { ratedPowerW: 10_000 });
    const { id: collectorId, token } = await scene.write((trx) => addCollector(trx, scene.act(), { sn: scene.uniqueSn('COL'), plantId }));
    await scene.write((trx) => assignCollector(trx, deviceId, collectorId));
    const client = await addClient(scene);
    const ask = async (path: string, body: object): Promise<any> => {
      const headers = { Authorization: client.basic, 'Content-Type': 'application/json' };
      const answer = await fetch(`${app.addresses.oauth}/oauth/forwarding/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.json();
    };
    const report = async (acPowerW: number): Promise<number> => {
      const at = systemClock.now();
      const answer = await fetch(`${app.addresses.gateway}/v1/readings`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ readings: [{ sn, at, values: { acPowerW } }] }),
      });
      expect(await answer.json()).toMatchObject({ accepted: 1 });
      return at;
    };

    const { data } = await ask('add', { url: receiver.url, kinds: 'telemetry.sample,authorization.revoked' });
    const grantId = await scene.grant(client.application.id, owner.id);
    const times = [await report(1), await report(2), await report(3)];
    await expect.poll(() => receiver.taken.map((event) => event.data['at']), { timeout: 10_000 }).toEqual(times);
    expect((await ask('show', { id: data.id })).data).toMatchObject({ state: 'active', transport: 'http' });
    await expect.poll(async () => (await ask('show', { id: data.id })).data.delivered).toBe(3);
    const metrics = await (await fetch(`${app.addresses.ops}/metrics`)).text();
    expect(metrics).toContain(`helioport_forwarding_delivered{destination="${data.id}"} 3`);

    await scene.write((trx) => revokeGrant(trx, scene.act(), grantId, owner.id));
    await report(4);
    await expect.poll(() => receiver.taken.map(({ kind }) => kind).slice(3), { timeout: 10_000 }).toEqual(['authorization.revoked']);
  });
});
