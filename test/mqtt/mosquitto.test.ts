import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeTokens } from '../../packages/server/src/fleet/collectors/tokens.ts';
import type { ExternalBroker } from '../../packages/server/src/interfaces/edges/mqtt/external.ts';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp } from '../support/running-app.ts';
import { joinExternal } from './broker-fixture.ts';
import { connectCollector, REFUSED } from './collector.ts';
import { hasMosquitto, startMosquitto, type Mosquitto } from './mosquitto.ts';
import { describeCollectors } from './suite.ts';

describe.skipIf(!hasMosquitto)('collectors at Mosquitto', () => {
  let database: TestDatabase;
  let mosquitto: Mosquitto;
  const servers: ExternalBroker[] = [];
  const scene = createControlScene(() => database);
  const { clock } = scene;
  const url = (): string => `mqtt://127.0.0.1:${mosquitto.port}`;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    mosquitto = await startMosquitto({ db: database.db, clock });
    // Two instances share what arrives.
    for (let i = 0; i < 2; i++)
      servers.push(
        await joinExternal({ db: database.db, clock, wakeUps: database.wakeUps }, mosquitto.url),
      );
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await mosquitto.close();
    await database.drop();
  });

  describeCollectors({ scene, database: () => database, url, admit: () => mosquitto.refresh() });

  test('are served by a whole server that is given the address of the broker', async () => {
    const home = await scene.home();
    await mosquitto.refresh();
    for (const server of servers.splice(0)) await server.close();
    const app = await startApp(database, {
      HELIOPORT_ROLES: 'gateway',
      HELIOPORT_MQTT_URL: mosquitto.url,
    });
    expect(Object.keys(app.addresses).toSorted()).toEqual(['gateway', 'ops']);
    const metrics = async (): Promise<string> =>
      (await fetch(`${app.addresses.ops}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^helioport_mqtt_broker_connected 1$/m);
    const collector = await connectCollector(url(), home);
    const reading = { sn: home.sn, at: clock.now(), values: { acPowerW: 1 } };
    expect(await collector.say('report', { id: 'r', readings: [reading] })).toMatchObject({
      id: 'r',
      status: 200,
      accepted: 1,
    });
    expect(await metrics()).toMatch(/^helioport_readings_total\{outcome="accepted"\} 1$/m);
    await collector.leave();
    await app.stop();
    servers.push(
      await joinExternal({ db: database.db, clock, wakeUps: database.wakeUps }, mosquitto.url),
    );
  });

  test('whose tokens have ended are refused by the server at once, and by the broker once it knows', async () => {
    const home = await scene.home();
    await mosquitto.refresh();
    const collector = await connectCollector(url(), home);
    expect(await collector.say('report', { id: 'valid', readings: [] })).toMatchObject({
      status: 200,
    });
    await scene.write((trx) =>
      revokeTokens(trx, scene.act(), { id: home.collectorId, sn: home.collectorSn }),
    );
    expect(await collector.say('report', { id: 'ended', readings: [] })).toMatchObject({
      id: 'ended',
      status: 401,
      msg: 'the collector has no valid token',
    });
    await collector.leave();
    await mosquitto.refresh();
    await expect(connectCollector(url(), home)).rejects.toThrow(REFUSED);
  });

  test('whose last token expires are refused by the server at that instant, whatever the broker knows', async () => {
    const home = await scene.home();
    await mosquitto.refresh();
    const collector = await connectCollector(url(), home);
    await database.db
      .updateTable('collectorToken')
      .set({ expiresAt: clock.now() + 60_000 })
      .where('collectorId', '=', home.collectorId)
      .execute();
    clock.at += 59_999;
    expect(await collector.say('report', { id: 'valid', readings: [] })).toMatchObject({
      status: 200,
    });
    clock.at += 1;
    expect(await collector.say('report', { id: 'expired', readings: [] })).toMatchObject({
      id: 'expired',
      status: 401,
      msg: 'the collector has no valid token',
    });
    await collector.leave();
    await mosquitto.refresh();
    await expect(connectCollector(url(), home)).rejects.toThrow(REFUSED);
  });
});
