import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { makeSelfSigned } from '../support/machine/self-signed.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector, protocols } from './collector.ts';

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;
if (!hasOpenssl) console.log('skipped: MQTT with TLS (openssl is not installed)');

describe.skipIf(!hasOpenssl)('the embedded broker with a certificate', () => {
  let database: TestDatabase;
  let broker: OpenBroker;
  let folder: string;
  const scene = createControlScene(() => database);
  const file = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-tls-'));
    makeSelfSigned({
      keyFile: file('key.pem'),
      certFile: file('cert.pem'),
      name: 'localhost',
      others: 'IP:127.0.0.1',
    });
    database = await createSqliteDatabase();
    const config = {
      mqttTlsCert: file('cert.pem'),
      mqttTlsKey: file('key.pem'),
      mqttStrangers: 1_000,
    };
    broker = await openBroker(
      { db: database.db, clock: scene.clock, wakeUps: database.wakeUps },
      { config },
    );
  });
  afterAll(async () => {
    await broker.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(protocols)(
    'speaks %s with those who trust it, and with nobody in the clear',
    async (_, protocol) => {
      const home = await scene.home();
      const collector = await connectCollector(`mqtts://127.0.0.1:${broker.port}`, home, protocol, {
        ca: readFileSync(file('cert.pem')),
      });
      expect(
        await collector.say('report', {
          id: 'r',
          readings: [{ sn: home.sn, at: scene.clock.now(), values: { acPowerW: 1 } }],
        }),
      ).toMatchObject({
        accepted: 1,
      });
      await collector.leave();
      await expect(
        connectCollector(`mqtts://127.0.0.1:${broker.port}`, home, protocol),
      ).rejects.toThrow('self-signed');
      await expect(
        connectCollector(`mqtt://127.0.0.1:${broker.port}`, home, protocol),
      ).rejects.toThrow("Couldn't connect to server");
    },
  );

  test('keeps places for others while one network begins handshakes and never ends them', async () => {
    const config = {
      mqttTlsCert: file('cert.pem'),
      mqttTlsKey: file('key.pem'),
      mqttStrangers: 3,
    };
    const few = await openBroker(
      { db: database.db, clock: scene.clock, wakeUps: database.wakeUps },
      { config, limits: { strangersOfNetwork: 3 } },
    );
    const idle = (localAddress: string): Socket =>
      connect({ port: few.port, host: '127.0.0.1', localAddress }).on('error', () => {});
    const sockets = Array.from({ length: 12 }, () => idle('127.0.0.2'));
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(9);
    const ca = readFileSync(file('cert.pem'));
    const url = `mqtts://127.0.0.1:${few.port}`;
    // Those who have ended their handshakes leave room for more than may begin one at a time.
    const collectors = [];
    for (let i = 0; i < 5; i++)
      collectors.push(await connectCollector(url, await scene.home(), 5, { ca }));
    for (const collector of collectors) await collector.leave();
    for (const socket of sockets) socket.destroy();
    await few.close();
  });

  test('does not start with a file that is not there or is no certificate', async () => {
    const over = { db: database.db, clock: scene.clock, wakeUps: database.wakeUps };
    for (const [mqttTlsCert, mqttTlsKey] of [
      [file('none.pem'), file('key.pem')],
      [file('key.pem'), file('key.pem')],
    ]) {
      await expect(
        openBroker(over, {
          config: {
            mqttTlsCert: mqttTlsCert!,
            mqttTlsKey: mqttTlsKey!,
            mqttStrangers: 1_000,
          },
        }),
      ).rejects.toThrow('HELIOPORT_MQTT_TLS_CERT');
    }
  });
});
