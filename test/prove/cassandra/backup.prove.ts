import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createIngest } from '../../../packages/server/src/measurements/ingest/ingest.ts';
import { createCluster } from '../../../packages/server/src/measurements/series/cassandra/cluster.ts';
import type { Series } from '../../../packages/server/src/measurements/series/port.ts';
import { openStorage, type Storage } from '../../../packages/server/src/platform/storage/open.ts';
import { createFleet } from '../../operations/fleet.ts';
import { SCENE_NOW } from '../../operations/scene.ts';
import { clusterAddress, openCassandraSeries } from '../../support/cassandra/series.ts';
import { newKeyspace, sharedNode } from '../../support/cassandra/shared.ts';
import {
  createPostgresDatabase,
  runOn,
  settingsOf,
  type TestDatabase,
} from '../../support/engines.ts';
import { findPostgres } from '../../support/postgres.ts';
import { Failed, failingBefore, stepwiseSeries } from '../../support/step-by-step.ts';
import { settableClock } from '../../support/world.ts';
import { createReportingWorld } from '../../telemetry/installation.ts';
import { askAll, makeHistory } from '../../series/history.ts';

const run = promisify(execFile);
const page = readFileSync(
  fileURLToPath(new URL('../../../docs/series-engines.md', import.meta.url)),
  'utf8',
);
const EXECUTABLE = fileURLToPath(
  new URL('../../../packages/server/bin/helioport.mjs', import.meta.url),
);

/** The commands of the page, step by step. */
const [snapshot, dump, restore, load, recalculate] = [
  ...page
    .slice(page.indexOf('## Backups'), page.indexOf('## What it promises'))
    .matchAll(/^ {3}```sh\n([\s\S]*?)^ {3}```/gm),
].map(([, commands]) => commands!);

const tools = findPostgres();
if (inject('cassandraUrl') !== '' && tools === undefined)
  console.log('skipped: the backup of a database and a cluster (PostgreSQL is not installed)');

describe.skipIf(inject('cassandraUrl') === '' || tools === undefined)(
  'the recipe for a backup of a database and a cluster',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'helioport-backup-'));
    const clock = settableClock(SCENE_NOW);
    let address: string;
    let original: TestDatabase;
    let restored: Storage | undefined;
    let environment: Record<string, string>;
    const opened: Series[] = [];

    beforeAll(async () => {
      // Named as on the page.
      address = await newKeyspace('helioport');
      original = await createPostgresDatabase();
      const { data, nodetool } = await sharedNode();
      const programs = join(folder, 'bin');
      mkdirSync(programs);
      const program = (name: string, command: readonly string[]): void =>
        writeFileSync(
          join(programs, name),
          `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`,
          { mode: 0o755 },
        );
      program('nodetool', nodetool);
      program('helioport', [process.execPath, EXECUTABLE]);
      environment = {
        ...settingsOf(original),
        PATH: [programs, tools!, process.env['PATH']].join(':'),
        HELIOPORT_SERIES_URL: address,
        DATA: data,
        NAME: 'monday',
      };
    }, 240_000);
    afterAll(async () => {
      for (const series of opened) await series.close();
      await restored?.close();
      await original.drop().catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    });

    /** Follows a step of the page, as a shell that stops at the first fault. */
    const follow = (commands: string): Promise<{ stdout: string }> =>
      run('sh', ['-euc', commands], { cwd: folder, env: environment });

    async function open(storage: Storage) {
      const series = await openCassandraSeries(clusterAddress(address), storage.db);
      opened.push(series);
      const parts = [() => storage, clock, () => series] as const;
      return { series, fleet: createFleet(...parts), world: createReportingWorld(...parts) };
    }

    /** A further device in a plant. */
    async function measuring(fleet: ReturnType<typeof createFleet>, plantId: string, sn: string) {
      const { id } = await fleet.device(plantId, { sn });
      return fleet.write((trx) =>
        trx
          .selectFrom('device')
          .innerJoin('binding', 'binding.deviceId', 'device.id')
          .where('device.id', '=', id)
          .select(['device.sn', 'device.series', 'binding.no as binding'])
          .executeTakeFirstOrThrow(),
      );
    }

    /** Nothing is left of what was stored. */
    async function loseEverything(): Promise<void> {
      const cluster = createCluster(clusterAddress(address));
      await cluster.connect();
      await cluster.define('drop keyspace helioport');
      await cluster.close();
      await original.drop();
      await runOn(
        inject('postgresUrl'),
        `create database ${new URL(original.address).pathname.slice(1)}`,
      );
    }

    test(
      'brings back every answer, makes anew what was half-written, and goes on',
      { timeout: 180_000 },
      async () => {
        const before = await open(original);
        const history = await makeHistory(before.fleet);
        const answers = await askAll(before.fleet, history);
        const plantId = await before.fleet.plant((await before.fleet.person()).id);
        const device = await measuring(before.fleet, plantId, 'HALF');
        const readings = [3, 2, 1].map((hours) => ({
          sn: device.sn,
          at: clock.at - hours * 3_600_000,
          values: { acPowerW: 1000, energyTotalKwh: 100 - hours },
        }));
        const [known, halfWritten, later] = readings as [
          (typeof readings)[0],
          (typeof readings)[0],
          (typeof readings)[0],
        ];
        const report = createIngest({ db: original.db, clock, series: before.series });
        await report('operator', [known]);
        // The snapshot has a sample without its day, of a report that the database knows as stored.
        const failing = createIngest({
          db: original.db,
          clock,
          series: stepwiseSeries(before.series, failingBefore('day').step),
        });
        await expect(failing('operator', [halfWritten])).rejects.toThrow(Failed);
        await follow(snapshot!);
        const newer = await measuring(before.fleet, plantId, 'NEWER');
        await report('operator', [halfWritten, later, { ...later, sn: newer.sn }]);
        await follow(dump!);

        await loseEverything();
        await follow(restore!);
        await follow(load!);
        const { stdout } = await follow(recalculate!);
        expect(stdout).toMatch(/^the energy of \d+ devices in \d+ plants was recalculated$/m);

        restored = openStorage(original.address);
        const after = await open(restored);
        expect(await askAll(after.fleet, history)).toEqual(answers);
        const held = async ({ series }: { series: number }): Promise<number[]> =>
          (await after.series.range(restored!.db, series, 0, Infinity)).map(({ at }) => at);
        expect([await held(device), await held(newer)]).toEqual([[known.at, halfWritten.at], []]);
        const rollups = await after.world.rollups(device.binding);
        expect(rollups.length).toBeGreaterThan(0);
        expect(rollups).toEqual(await after.world.recalculated(device.binding));
        expect(await after.series.marks()).toEqual([]);
        // What was reported since then comes again from the collector that still has it, and a new device has measured nothing.
        const again = createIngest({ db: restored.db, clock, series: after.series });
        expect(await again('operator', [halfWritten, later])).toEqual({
          accepted: 1,
          duplicate: 1,
          refused: [],
        });
        expect(await held(await measuring(after.fleet, plantId, 'NEWEST'))).toEqual([]);
      },
    );
  },
);
