import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinBroker, tryBroker } from '../../packages/server/src/interfaces/edges/mqtt/external.ts';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { makeSelfSigned } from '../support/machine/self-signed.ts';
import { mqttParts } from './broker-fixture.ts';
import { standInBroker } from './stand-in-broker.ts';

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;
if (!hasOpenssl) console.log('skipped: an external broker with TLS (openssl is not installed)');

describe.skipIf(!hasOpenssl)('an external broker with TLS', () => {
  let database: TestDatabase;
  let folder: string;
  let server: Server;
  let url: string;
  /** Who has connected, by the names in their certificates. */
  const visitors: string[] = [];
  const scene = createControlScene(() => database);
  const file = (name: string): string => join(folder, name);
  const make = (name: string): void =>
    makeSelfSigned({
      keyFile: file(`${name}.key`),
      certFile: file(`${name}.pem`),
      name,
      others: 'IP:127.0.0.1',
    });
  const read = (name: string): Buffer => readFileSync(file(name));
  /** Each certificate has signed itself, so it is its own authority. */
  const files = () => ({
    mqttTlsCa: file('ca.pem'),
    mqttTlsCert: file('own.pem'),
    mqttTlsKey: file('own.key'),
  });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-external-tls-'));
    for (const name of ['broker-1', 'broker-2', 'server-1', 'server-2']) make(name);
    copyFileSync(file('broker-1.pem'), file('ca.pem'));
    copyFileSync(file('server-1.pem'), file('own.pem'));
    copyFileSync(file('server-1.key'), file('own.key'));
    database = await createSqliteDatabase();
    const serve = standInBroker(() => false);
    server = createServer(
      {
        cert: read('broker-1.pem'),
        key: read('broker-1.key'),
        requestCert: true,
        ca: [read('server-1.pem'), read('server-2.pem')],
      },
      (socket: TLSSocket) => {
        visitors.push(String(socket.getPeerCertificate().subject.CN));
        serve(socket);
      },
    ).on('tlsClientError', () => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `mqtts://helioport:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is joined with certificates that are read again when they are renewed, and tells when they expire', async () => {
    const parts = mqttParts({ db: database.db, clock: scene.clock, wakeUps: database.wakeUps });
    const broker = joinBroker({
      ...parts,
      db: database.db,
      clock: scene.clock,
      url,
      files: files(),
    });
    try {
      await expect.poll(() => broker.ailment()).toBeUndefined();
      expect(visitors).toEqual(['server-1']);
      const name = 'helioport_certificate_expiry_timestamp_seconds';
      const metrics = await parts.metrics.getSingleMetricAsString(name);
      for (const listener of ['broker', 'mqtt'])
        expect(metrics).toMatch(new RegExp(`^${name}\\{listener="${listener}"\\} \\d{10}$`, 'm'));

      // Unchanged files disturb nothing.
      broker.reload();
      expect(broker.ailment()).toBeUndefined();

      // Files that cannot be used leave the connection as it is.
      writeFileSync(file('own.pem'), 'no certificate');
      expect(() => broker.reload()).toThrow(/PEM/);
      expect(broker.ailment()).toBeUndefined();
      expect(visitors).toHaveLength(1);

      server.setSecureContext({
        cert: read('broker-2.pem'),
        key: read('broker-2.key'),
        ca: [read('server-1.pem'), read('server-2.pem')],
      });
      copyFileSync(file('broker-2.pem'), file('ca.pem'));
      copyFileSync(file('server-2.pem'), file('own.pem'));
      copyFileSync(file('server-2.key'), file('own.key'));
      broker.reload();
      await expect.poll(() => visitors).toEqual(['server-1', 'server-2']);
      await expect.poll(() => broker.ailment()).toBeUndefined();
    } finally {
      await broker.close();
    }
  });

  test('is tried with the same certificates, and one that nobody has signed is a fault', async () => {
    expect(await tryBroker(url, files())).toEqual({ expiresAt: expect.any(Number) });
    expect(await tryBroker(url, { ...files(), mqttTlsCa: null })).toEqual({
      fault: expect.stringMatching(/self-signed|certificate/),
    });
  });
});
