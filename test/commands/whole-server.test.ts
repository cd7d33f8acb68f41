import { createClient } from '@helioport/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { describeEngines } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createWorld, type SettableClock } from '../support/world.ts';
import { signed } from '../user-api/fixture.ts';

describeEngines('a whole server', (database) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp(database(), { HELIOPORT_COLLECTOR_RATE_LIMIT: 'off' });
  });
  afterAll(() => app.stop());

  test('carries a write to a collector that waits at the gateway, says within eight seconds that it was confirmed, and to the SDK that it was verified', async () => {
    const clock: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };
    const world = createWorld(database, clock);
    const { id: ownerId } = await world.person();
    const plantId = await world.plant(ownerId);
    const { id: deviceId, sn } = await world.device(plantId, { model: 'SIM-8K-ES' });
    const { id: collectorId, token } = await world.write((trx) =>
      addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
    );
    await world.write((trx) => assignCollector(trx, deviceId, collectorId));
    const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
    const key = await world.write((trx) =>
      insertKeyPair(trx, world.act(), app.secretBox, ownerId, terms),
    );

    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const actions: string[] = [];
    const state = { value: '30', working: true };
    const fetchCommands = async (
      wait: number,
    ): Promise<{ id: string; action: string; value?: string }[]> =>
      (
        (await (
          await fetch(`${app.addresses.gateway}/v1/commands?wait=${wait}`, { headers })
        ).json()) as { commands: never[] }
      ).commands;
    await fetchCommands(0);
    const obeying = (async () => {
      while (state.working) {
        for (const { id, action, value } of await fetchCommands(2)) {
          actions.push(action);
          if (action === 'write') state.value = value!;
          const result = { id, ok: true, ...(action === 'read' && { value: state.value }) };
          await fetch(`${app.addresses.gateway}/v1/results`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ results: [result] }),
          });
        }
      }
    })();

    const begunAt = performance.now();
    const body = JSON.stringify({ inverterSn: sn, cid: '157', value: '20' });
    const request = signed({ key, at: clock.now(), path: '/v2/api/control', body });
    const answer = await fetch(`${app.addresses['user-api']}/v2/api/control`, {
      method: 'POST',
      headers: request.headers.map(([name, value]) => [name, value] as [string, string]),
      body,
    });
    expect(await answer.json()).toMatchObject({
      success: true,
      code: '0',
      data: [{ code: 0, sn }],
    });
    expect(performance.now() - begunAt).toBeLessThan(8_000);
    await expect.poll(() => actions).toEqual(['read', 'write', 'read']);
    expect(state.value).toBe('20');
    await expect
      .poll(
        async () =>
          (
            await database()
              .db.selectFrom('command')
              .select('state')
              .where('deviceId', '=', deviceId)
              .executeTakeFirst()
          )?.state,
      )
      .toBe('verified');

    const client = createClient({ baseUrl: app.addresses['user-api']!, ...key });
    expect(await client.control({ sn, parameter: 158, value: 15 })).toEqual({
      sn,
      orderId: expect.stringMatching(/^\d{13}_\d{19}$/),
    });
    expect(state.value).toBe('15');
    await expect(client.control({ sn, parameter: 158, value: 500 })).rejects.toMatchObject({
      code: 'H0001',
      data: { field: 'value' },
    });
    state.working = false;
    await obeying;
  });
});
