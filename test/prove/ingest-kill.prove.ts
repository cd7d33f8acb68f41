import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { killMidway } from '../support/machine/kill-midway.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import type { Reading } from '../telemetry/post-readings.ts';
import { deliver } from '../telemetry/deliver.ts';

const KILLS = effort(2, 10);
const DEVICES = 3;
const MINUTE = 60_000;
const FIRST_AT = Date.parse('2025-03-29T00:00:00Z');

/** The n-th report of a device: new readings in no order, and now and then a further quantity of older ones. */
function reportOf(n: number): Reading[] {
  const at = (minute: number): number => FIRST_AT + minute * MINUTE;
  const fresh = Array.from({ length: 20 }, (_, i): Reading => {
    const minute = n * 20 + ((i * 7) % 20);
    return {
      at: at(minute),
      values: { acPowerW: (minute % 997) * 3.5, energyTotalKwh: 100 + minute / 8 },
    };
  });
  const late =
    n % 4 === 3
      ? Array.from({ length: 5 }, (_, i): Reading => ({
          at: at((n - 3) * 20 + i),
          values: { temperatureC: i },
        }))
      : [];
  return [...fresh, ...late];
}

describeEngines('kill -9 in the middle of reports', (database) => {
  const world = createReportingWorld(database);

  test(`loses no acknowledged reading, stores none twice, and leaves roll-ups as a recalculation makes them, ${KILLS} times`, async () => {
    const devices = await Promise.all(
      Array.from({ length: DEVICES }, () => world.install({ timeZone: 'Europe/Berlin' })),
    );
    const sent = devices.map(() => 0);
    const acknowledged: Set<number>[] = devices.map(() => new Set());
    for (let kill = 0; kill < KILLS; kill++) {
      const server = startServer(database());
      const { gateway } = await server.started;
      const stopKilling = killMidway(
        () => server.kill('SIGKILL'),
        () => acknowledged.every(({ size }) => size > kill),
      );
      await Promise.all(
        devices.map(async (device, i) => {
          // Two reports of each device are on their way at a time.
          const post = async (): Promise<void> => {
            for (;;) {
              const n = sent[i]!++;
              const outcome = await deliver(gateway!, device, reportOf(n));
              if (outcome === 'gone') return;
              expect(outcome).toBe('acknowledged');
              acknowledged[i]!.add(n);
            }
          };
          await Promise.all([post(), post()]);
        }),
      );
      stopKilling();
      expect((await server.ended).signal).toBe('SIGKILL');
      for (const [i, device] of devices.entries()) await check(device, sent[i]!, acknowledged[i]!);
    }
    expect(acknowledged.every(({ size }) => size >= KILLS)).toBe(true);
  });

  async function check(
    device: Installation,
    sent: number,
    acknowledged: ReadonlySet<number>,
  ): Promise<void> {
    const { db } = database();
    const stored = new Map(
      (
        await world.parts().telemetry.readingsBetween(db, device.series, 0, Number.MAX_SAFE_INTEGER)
      ).map(({ at, values }) => [at, values as Record<string, number>]),
    );
    const expected = new Map<number, Record<string, number>>();
    for (let n = 0; n < sent; n++) {
      const readings = reportOf(n);
      const there = readings.filter(({ at, values }) =>
        Object.entries(values).every(([name, value]) => stored.get(at)?.[name] === value),
      ).length;
      // A report is there as a whole or not at all, and always when it was acknowledged.
      expect([0, readings.length]).toContain(there);
      if (acknowledged.has(n)) expect(there).toBe(readings.length);
      if (there > 0)
        for (const { at, values } of readings) expected.set(at, { ...expected.get(at), ...values });
    }
    expect(stored.size).toBe(expected.size);
    for (const [at, values] of expected) expect(stored.get(at)).toEqual(values);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  }
});

function startServer({ engine, address }: TestDatabase): ServerProcess {
  const folder = engine === 'sqlite' ? dirname(address) : process.cwd();
  const storage: Record<string, string> =
    engine === 'sqlite' ? { HELIOPORT_DATA_DIR: folder } : { HELIOPORT_DATABASE_URL: address };
  return serve(folder, {
    ...storage,
    HELIOPORT_MASTER_KEY: MASTER_KEY,
    HELIOPORT_ROLES: 'gateway',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  });
}

const MASTER_KEY = randomBytes(32).toString('base64');
