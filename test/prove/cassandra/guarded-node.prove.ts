import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createCluster } from '../../../packages/server/src/measurements/series/cassandra/cluster.ts';
import { startCassandra, type CassandraCluster } from '../../support/cassandra/cluster.ts';
import { findCassandra } from '../../support/cassandra/jars.ts';
import { clusterAddress, openCassandraSeries } from '../../support/cassandra/series.ts';
import { newKeyspace } from '../../support/cassandra/shared.ts';
import { createInstallation, type Installation } from '../../support/command.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAhead } from '../../support/machine/fake-clock.ts';
import { startApp, type RunningApp } from '../../support/running-app.ts';
import { settableClock } from '../../support/world.ts';
import { createReportingWorld, type Installation as Device } from '../../telemetry/installation.ts';
import { postReadings } from '../../telemetry/post-readings.ts';
import { makeCertificates, type Certificates } from '../../series/cassandra/certificates.ts';
import { startDeafNode } from '../../series/cassandra/deaf-to-reads.ts';

/** Of the node, once it has been started again. */
const ahead = clockAhead(3_600);

// A node of its own: one that asks for passwords, speaks TLS and is made to stand still.
describe.skipIf(inject('cassandraUrl') === '')('a cluster that the settings name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-guarded-'));
  let node: CassandraCluster;
  let certificates: Certificates;
  let home: Installation;
  beforeAll(async () => {
    certificates = makeCertificates(folder);
    node = await startCassandra((await findCassandra())!, {
      passwords: true,
      keystore: certificates.keystore,
      commitlogSync: 'periodic',
    });
    home = createInstallation();
    // The first user is made a moment after the node listens.
    await vi.waitFor(
      async () => {
        const cluster = createCluster(clusterAddress(address()));
        await cluster.connect();
        await cluster.close();
      },
      { timeout: 60_000, interval: 500 },
    );
  }, 240_000);
  afterAll(async () => {
    home.remove();
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = ({
    password = 'cassandra',
    ca = certificates.authority,
    hosts = '127.0.0.1',
    keyspace = 'solar',
    more = '',
  } = {}): string =>
    `cassandra://cassandra:${password}@${hosts}:${node.port}/${keyspace}?dc=datacenter1&replication=1&ca=${encodeURIComponent(ca)}${more}`;
  const doctor = async (url: string, from = home): Promise<string> => {
    from.environment['HELIOPORT_SERIES_URL'] = url;
    const { stdout } = await from.helioport('doctor', '--json');
    const { state, text } = (
      JSON.parse(stdout) as { check: string; state: string; text: string }[]
    ).find(({ check }) => check === 'series')!;
    return `${state}: ${text}`;
  };

  test('migrate makes the keyspace and says so once; doctor has a line on it, and the password is shown nowhere', async () => {
    home.environment['HELIOPORT_SERIES_URL'] = address();
    expect((await home.ok('migrate')).applied).toContain('tables of the series');
    expect(await home.ok('migrate')).toEqual({ applied: [] });
    expect(await home.ok('migrate', '--dry-run')).toEqual({ pending: [] });
    expect(await doctor(address())).toMatch(
      /^warning: the node 127.0.0.1:\d+ loses what it acknowledged last when it is killed, .*: set its commitlog_sync to batch, /,
    );
    const { stdout } = await home.helioport('config', 'show');
    expect(stdout).toMatch(/HELIOPORT_SERIES_URL +\*{8} /);
  });

  test('one node that is not there is no hindrance', async () => {
    const real = await newKeyspace();
    const there = createInstallation({ HELIOPORT_SERIES_URL: real });
    await there.ok('migrate');
    const keyspace = /\w+(?=\?)/.exec(real)![0];
    expect(await doctor(real.replace('//', '//127.0.0.99,'), there)).toBe(
      `ok: Cassandra, keyspace ${keyspace}, nodes: 1, up to date`,
    );
    there.remove();
  });

  test.each([
    [
      'a wrong password',
      () => address({ password: 'wrong' }),
      /^fault: the Cassandra cluster refuses the user cassandra: wrong name or password$/,
    ],
    [
      'an authority that signed nothing',
      () => address({ ca: certificates.other }),
      /^fault: the certificate of the Cassandra cluster is not trusted: \S/,
    ],
    [
      'no TLS where there must be',
      () => `cassandra://127.0.0.1:${node.port}/solar?dc=datacenter1`,
      /^fault: no node of the Cassandra cluster answers at 127.0.0.1 /,
    ],
    [
      'another data center',
      () => address().replace('datacenter1', 'west'),
      /^fault: the Cassandra cluster has no data center west$/,
    ],
    [
      'more copies than nodes',
      () => address({ keyspace: 'more' }).replace('replication=1', 'replication=3'),
      /^fault: the keyspace more is to keep 3 copies .*, which has fewer nodes \(1\): add some, or lower the replication$/,
    ],
    [
      'nobody there',
      () => address({ hosts: '127.0.0.98' }),
      /^fault: no node of the Cassandra cluster answers at 127.0.0.98 /,
    ],
  ])('%s is said in one sentence, by doctor and where it is started', async (_, url, sentence) => {
    const said = await doctor(url());
    expect(said).toMatch(sentence);
    const { exitCode, stderr } = await home.helioport('migrate');
    expect([exitCode, stderr]).toEqual([1, `helioport: ${said.slice('fault: '.length)}`]);
  });

  test('a keyspace of another installation, of something else, or of a newer version is refused', async () => {
    const other = createInstallation({ HELIOPORT_SERIES_URL: address() });
    const { exitCode, stderr } = await other.helioport('migrate');
    expect([exitCode, stderr]).toEqual([
      1,
      'helioport: the keyspace solar belongs to another installation: its rows are of other devices',
    ]);
    other.remove();
    const cluster = createCluster(clusterAddress(address()));
    await cluster.connect();
    await cluster.define(
      `create keyspace elsewhere with replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}`,
    );
    await cluster.define('create table elsewhere.things (id int primary key)');
    expect(await doctor(address({ keyspace: 'elsewhere' }))).toBe(
      'fault: the keyspace elsewhere holds tables of something else: name one of its own for Helioport',
    );
    await cluster.define(`update solar.installation set value = '1000' where name = 'version'`);
    expect(await doctor(address())).toMatch(
      /^fault: the keyspace solar was written by a newer version of Helioport; install /,
    );
    await cluster.define(`update solar.installation set value = '2' where name = 'version'`);
    await cluster.close();
  });

  test('a cluster that takes writes and answers no reads is called so', async () => {
    const real = await newKeyspace();
    const url = new URL(real.replace('cassandra:', 'http:'));
    const deaf = await startDeafNode(Number(url.port));
    url.port = String(deaf.port);
    const there = createInstallation();
    there.environment['HELIOPORT_SERIES_URL'] = real;
    await there.ok('migrate');
    expect(await doctor(url.href.replace('http:', 'cassandra:'), there)).toMatch(
      /^fault: the Cassandra cluster .*does not answer reads: /,
    );
    deaf.close();
    there.remove();
  });

  describe('under a server', () => {
    let database: TestDatabase;
    let app: RunningApp;
    let device: Device;
    const world = createReportingWorld(() => database, settableClock(Date.now()));
    beforeAll(async () => {
      database = await createSqliteDatabase();
      device = await world.install();
      app = await startApp(database, { HELIOPORT_SERIES_URL: address({ keyspace: 'served' }) });
    });
    afterAll(async () => {
      await app.stop();
      await database.drop();
    });

    const report = async (minutesAgo: number): Promise<string> => {
      const answer = await postReadings(app.addresses.gateway!, device, [
        { at: Date.now() - minutesAgo * 60_000, values: { acPowerW: 1000 } },
      ]);
      return `${answer.status} ${answer.headers.get('retry-after')}`;
    };
    const ready = async (): Promise<number> =>
      (await fetch(`${app.addresses.gateway}/readyz`)).status;

    test('while it stands still reports are answered 503 with Retry-After, and when it is back so is the server', async () => {
      expect([await ready(), await report(30)]).toEqual([200, '200 null']);
      expect(await database.db.selectFrom('sample').selectAll().execute()).toEqual([]);
      node.freeze(0);
      await expect.poll(ready).toBe(503);
      expect(await report(20)).toBe('503 5');
      // What needs no series goes on.
      expect((await fetch(`${app.addresses.portal}/portal/session`)).status).toBe(200);
      node.thaw(0);
      await expect.poll(ready).toBe(200);
      expect(await report(20)).toBe('200 null');
      const metrics = await (await fetch(`${app.addresses.ops}/metrics`)).text();
      expect(metrics).toMatch(/^helioport_series_nodes\{state="up"\} 1$/m);
      expect(metrics).toMatch(
        /^helioport_series_request_seconds_count\{kind="write",outcome="answered"\} [1-9]/m,
      );
      expect(metrics).toMatch(
        /^helioport_series_request_seconds_count\{kind="read",outcome="failed"\} [1-9]/m,
      );
    });

    test(
      'a node that is killed and started again is found again',
      { timeout: 120_000 },
      async () => {
        await node.kill(0);
        expect([await ready(), (await report(10)).slice(0, 3)]).toEqual([503, '503']);
        await node.restart(0, ahead);
        // For a moment it is slow.
        await expect.poll(() => report(10), { timeout: 60_000 }).toBe('200 null');
        await expect.poll(ready).toBe(200);
      },
    );

    test.skipIf(ahead === undefined)(
      'a node whose clock is an hour ahead is named, and corrections win',
      async () => {
        expect(await doctor(address())).toMatch(
          /^warning: the clock of the node 127.0.0.1:\d+ is 3\d{3} s ahead of this machine’s; /,
        );
        const at = Date.now() - 5 * 60_000;
        for (const acPowerW of [1, 3, 2])
          expect(
            (await postReadings(app.addresses.gateway!, device, [{ at, values: { acPowerW } }]))
              .status,
          ).toBe(200);
        const series = await openCassandraSeries(
          clusterAddress(address({ keyspace: 'served' })),
          database.db,
        );
        expect(
          (await series.range(database.db, device.series, at, at + 1)).map(({ values }) => [
            ...values,
          ]),
        ).toEqual([[2]]);
        await series.close();
      },
    );
  });
});
