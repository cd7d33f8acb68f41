import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { createPostgresDatabase, type TestDatabase } from '../support/engines.ts';
import { openLine, type Line } from './line.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';
import { createReportingWorld } from '../telemetry/installation.ts';
import { checkStored, startReporter } from './reporter.ts';

const cluster = inject('postgresUrl');
const DEVICES = 6;

describe.skipIf(cluster === '')(
  'connections to PostgreSQL that are dead while new ones work',
  () => {
    let database: TestDatabase;
    let line: Line;
    let server: ServerProcess;
    const world = createReportingWorld(() => database);

    beforeEach(async () => {
      database = await createPostgresDatabase();
      line = await openLine(database.address);
      server = serve(process.cwd(), {
        HELIOPORT_DATABASE_URL: line.url,
        HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
        HELIOPORT_MASTER_KEY: randomBytes(32).toString('base64'),
      });
    });
    afterEach(async () => {
      server.kill('SIGKILL');
      await server.ended;
      line.close();
      await database.drop();
    });

    test(
      'are found within seconds: not ready until then, then reports are stored again, none lost and none doubled',
      { timeout: 90_000 },
      async () => {
        const devices = await Promise.all(Array.from({ length: DEVICES }, () => world.install()));
        const { gateway, ops } = await server.started;
        const ready = async (): Promise<number> => (await fetch(`${ops}/readyz`)).status;
        const reporters = devices.map((device) => startReporter(gateway!, device));
        await expect
          .poll(() => Math.min(...reporters.map(({ acknowledged }) => acknowledged)))
          .toBeGreaterThan(5);
        expect(await ready()).toBe(200);

        const cutAt = performance.now();
        line.forget();
        expect(await ready()).toBe(503);
        await expect
          .poll(
            () => reporters.every(({ lastAcknowledgedAt }) => lastAcknowledgedAt > cutAt + 500),
            { timeout: 30_000 },
          )
          .toBe(true);
        await expect.poll(ready, { timeout: 30_000 }).toBe(200);
        const recoveryMs = performance.now() - cutAt;
        console.log(
          `dead connections: reports and readiness back after ${(recoveryMs / 1000).toFixed(1)} s`,
        );
        expect(recoveryMs).toBeLessThan(15_000);

        await Promise.all(reporters.map((reporter) => reporter.stop()));
        expect(
          reporters.flatMap(({ refusals }) => refusals).filter((status) => status !== 503),
        ).toEqual([]);
        for (const [i, device] of devices.entries())
          await checkStored(database.db, world, device, reporters[i]!);
        const open = sql<{
          n: number;
        }>`select count(*) as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
        await expect
          .poll(async () => (await open.execute(database.db)).rows[0]!.n, { timeout: 60_000 })
          .toBe(0);
      },
    );

    test('do not hold up a stop beyond its limits', async () => {
      const devices = await Promise.all(Array.from({ length: DEVICES }, () => world.install()));
      const { gateway } = await server.started;
      const reporters = devices.map((device) => startReporter(gateway!, device));
      await expect
        .poll(() => Math.min(...reporters.map(({ acknowledged }) => acknowledged)))
        .toBeGreaterThan(2);
      line.forget();
      const cutAt = performance.now();
      server.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      console.log(
        `dead connections: stopped after ${((performance.now() - cutAt) / 1000).toFixed(1)} s`,
      );
      expect(performance.now() - cutAt).toBeLessThan(10_000);
      await Promise.all(reporters.map((reporter) => reporter.stop()));
    });
  },
);
