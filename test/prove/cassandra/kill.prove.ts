import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { BEGINNING } from '../../../packages/server/src/platform/events/position.ts';
import { readEntriesOfPlants } from '../../../packages/server/src/platform/events/read.ts';
import type { Series } from '../../../packages/server/src/measurements/series/port.ts';
import { startCassandra, type CassandraCluster } from '../../support/cassandra/cluster.ts';
import { findCassandra } from '../../support/cassandra/jars.ts';
import { clusterAddress, openCassandraSeries } from '../../support/cassandra/series.ts';
import { effort, proving } from '../../support/effort.ts';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  settingsOf,
  type TestDatabase,
} from '../../support/engines.ts';
import { serve, type ServerProcess } from '../../support/server-process.ts';
import { createForwardingScene } from '../../forwarding/scene.ts';
import type { Installation } from '../../telemetry/installation.ts';
import type { Reading } from '../../telemetry/post-readings.ts';
import { deliver } from '../../telemetry/deliver.ts';

const NODES = proving ? 3 : 1;
const INSTANCES = 2;
const DEVICES = effort(4, 30);
/** At least so long, and at least until every fault has come once and each collector has delivered some reports. */
const SECONDS = effort(5, 1_800);
const REPORTS_EACH = 4;
const MINUTE = 60_000;
const FIRST_AT = Date.parse('2025-03-29T00:00:00Z');
/** More than there are. */
const ENTRIES_AT_MOST = 1_000_000;
/** How long all nodes may need to be back, and instances to store what collectors still have. */
const SETTLED_MS = 180_000;

/** The n-th report of a device: new readings, and now and then late ones, and others that correct former ones. */
function reportOf(n: number): Reading[] {
  const at = (minute: number): number => FIRST_AT + minute * MINUTE;
  const fresh = Array.from({ length: 12 }, (_, i): Reading => {
    const minute = n * 15 + i;
    return {
      at: at(minute),
      values: { acPowerW: (minute % 997) * 3.5, energyTotalKwh: 100 + minute / 8 },
    };
  });
  const late =
    n % 3 === 2
      ? [12, 13].map((i): Reading => ({ at: at((n - 2) * 15 + i), values: { acPowerW: 500 + i } }))
      : [];
  const corrected =
    n % 4 === 3
      ? [1, 5].map((i): Reading => ({ at: at((n - 3) * 15 + i), values: { acPowerW: 9 * i } }))
      : [];
  return [...fresh, ...late, ...corrected];
}

describe.skipIf(inject('cassandraUrl') === '')(
  'nodes of the cluster and instances that die, stand still and come back',
  () => {
    let cluster: CassandraCluster;
    let database: TestDatabase;
    let series: Series;
    let address: string;
    const world = createForwardingScene(
      () => database,
      undefined,
      () => series,
    );
    beforeAll(async () => {
      cluster = await startCassandra((await findCassandra())!, { nodes: NODES });
      database = await (inject('postgresUrl') === ''
        ? createSqliteDatabase()
        : createPostgresDatabase());
      address = `cassandra://${cluster.ips.join(',')}:${cluster.port}/killed?dc=datacenter1&replication=${NODES}`;
      series = await openCassandraSeries(clusterAddress(address), database.db);
    }, 300_000);
    afterAll(async () => {
      await series.close();
      await database.drop();
      await cluster.close();
    });

    test(
      `lose no acknowledged reading, store none twice, and leave roll-ups as a recalculation makes them, in ${SECONDS} s`,
      { timeout: SECONDS * 1000 + 600_000 },
      async () => {
        const devices = [];
        for (let i = 0; i < DEVICES; i++) {
          const { device } = await world.connected('https://platform.example/events', {
            kinds: ['telemetry.sample'],
          });
          devices.push(device);
        }
        const instances = await Promise.all(
          Array.from({ length: INSTANCES }, () => createInstance(database, address)),
        );
        const endAt = performance.now() + SECONDS * 1000;
        const done = devices.map(() => 0);
        const counts = { kills: 0, freezes: 0, instances: 0 };
        const isOver = (): boolean =>
          performance.now() >= endAt &&
          Math.min(...Object.values(counts)) > 0 &&
          Math.min(...done) >= REPORTS_EACH;
        const slowest: number[] = [];
        /** A collector: it keeps each report until it is acknowledged, and sends it to any instance. */
        const collect = async (device: Installation, i: number): Promise<void> => {
          for (let tries = 0; !isOver();) {
            const since = performance.now();
            if (
              (await deliver(
                instances[(i + tries) % INSTANCES]!.gateway(),
                device,
                reportOf(done[i]!),
              )) !== 'acknowledged'
            ) {
              tries += 1;
              await setTimeout(200);
              continue;
            }
            slowest.push(performance.now() - since);
            done[i]! += 1;
          }
        };
        await Promise.all([...devices.map(collect), chaos(cluster, instances, counts, isOver)]);
        // Late in the night, everything is well again, and the last report of each arrives.
        for (const [i, device] of devices.entries()) {
          await expect
            .poll(() => deliver(instances[0]!.gateway(), device, reportOf(done[i]!)), {
              timeout: SETTLED_MS,
              interval: 500,
            })
            .toBe('acknowledged');
          done[i]! += 1;
        }
        for (const instance of instances) await instance.stop();
        const acknowledged = done.reduce((sum, count) => sum + count, 0);
        console.log(
          `${acknowledged} reports acknowledged, slowest answer ${Math.round(Math.max(...slowest))} ms, ${JSON.stringify(counts)}`,
        );
        for (const [i, device] of devices.entries()) await check(device, done[i]!);
      },
    );

    async function check(device: Installation, done: number): Promise<void> {
      const { db } = database;
      // A read mends what was left half-written.
      await world.parts().telemetry.latestOf(db, [device.binding]);
      const expected = new Map<number, Record<string, number>>();
      for (let n = 0; n < done; n++)
        for (const { at, values } of reportOf(n))
          expected.set(at, { ...expected.get(at), ...values });
      const stored = await series.range(db, device.series, 0, Infinity);
      expect(stored.length).toBe(expected.size);
      for (const { at, fields, values } of stored)
        expect([at, Object.fromEntries(fields.names.map((name, i) => [name, values[i]]))]).toEqual([
          at,
          expected.get(at),
        ]);
      expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
      expect(await series.marks([device.binding])).toEqual([]);
      // An event of each, the last one with what is stored, and none of anything else.
      await world.settled();
      const entries = await readEntriesOfPlants(db, BEGINNING, [device.plantId], ENTRIES_AT_MOST);
      const events = entries.flatMap((entry) =>
        entry.events.map((event) => JSON.parse(event.data()) as Reading),
      );
      const delivered = new Map(events.map(({ at, values }) => [at, values['acPowerW']]));
      const powers = [...expected].map(([at, values]) => [at, values['acPowerW']]);
      expect([...delivered].toSorted(([a], [b]) => a - b)).toEqual(
        powers.toSorted(([a], [b]) => a! - b!),
      );
    }
  },
);

interface Instance {
  gateway(): string;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function createInstance(database: TestDatabase, address: string): Promise<Instance> {
  const environment = {
    ...settingsOf(database),
    HELIOPORT_SERIES_URL: address,
    HELIOPORT_ROLES: 'gateway',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  };
  let gateway = 'http://127.0.0.1:1';
  let server: ServerProcess;
  const start = async (): Promise<void> => {
    server = serve(process.cwd(), environment);
    gateway = (await server.started)['gateway']!;
  };
  await start();
  return {
    gateway: () => gateway,
    async kill() {
      server.kill('SIGKILL');
      await server.ended;
      // Without a cluster there is no start.
      while (
        !(await start().then(
          () => true,
          () => false,
        ))
      )
        await setTimeout(500);
    },
    async stop() {
      server.kill('SIGTERM');
      await server.ended;
    },
  };
}

/** How many faults there were. */
interface Counts {
  kills: number;
  freezes: number;
  instances: number;
}

/** One fault after the other, never two nodes at once. */
async function chaos(
  cluster: CassandraCluster,
  instances: readonly Instance[],
  counts: Counts,
  isOver: () => boolean,
): Promise<void> {
  const faults = [
    async (): Promise<void> => {
      const node = randomInt(NODES);
      await cluster.kill(node);
      counts.kills += 1;
      await setTimeout(1_000);
      await cluster.restart(node);
    },
    async (): Promise<void> => {
      const node = randomInt(NODES);
      cluster.freeze(node);
      counts.freezes += 1;
      await setTimeout(3_000);
      cluster.thaw(node);
    },
    async (): Promise<void> => {
      await instances[randomInt(INSTANCES)]!.kill();
      counts.instances += 1;
    },
  ];
  for (let n = 0; !isOver(); n++) {
    await setTimeout(1_000);
    await faults[n % faults.length]!();
  }
}
