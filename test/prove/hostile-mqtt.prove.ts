import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { connectCollector } from '../mqtt/collector.ts';
import { effort } from '../support/effort.ts';
import { createSqliteDatabase, settingsOf } from '../support/engines.ts';
import { serve } from '../support/server-process.ts';
import { createChance } from './hostile/chance.ts';
import { assail } from './hostile/mqtt.ts';

const MESSAGES = effort(1_500, 100_000);
const SEED = Number(process.env['HELIOPORT_PROVE_SEED'] ?? Date.now() % 1_000_000);
const ASSAILANTS = 12;
/** Resident memory may grow by caches, but not by messages. */
const GROWTH_AT_MOST = 64 * 1024 * 1024;

test(`${MESSAGES} hostile messages (seed ${SEED}) at the MQTT broker meet no fault of ours, and others are served`, async () => {
  const database = await createSqliteDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'helioport-hostile-'));
  const scene = createControlScene(() => database);
  const [captured, victim] = [await scene.home(), await scene.home()];
  const server = serve(folder, {
    ...settingsOf(database),
    HELIOPORT_ROLES: 'gateway',
    HELIOPORT_COLLECTOR_RATE_LIMIT: '1000/s',
  });
  try {
    const addresses = await server.started;
    const port = Number(new URL(addresses['mqtt']!).port);
    const memory = async (): Promise<number> =>
      Number(
        /^process_resident_memory_bytes (\d+)/m.exec(
          await (await fetch(`${addresses['ops']}/metrics`)).text(),
        )![1],
      );

    const bystander = await connectCollector(addresses['mqtt']!, victim);
    const topics = new Set<string>();
    bystander.client.on('message', (topic) => topics.add(topic));
    let reports = 0;
    const report = async (): Promise<void> => {
      const at = Date.now() - 1_000 * reports;
      const ack = await bystander.say('report', {
        id: `own ${reports++}`,
        readings: [{ sn: victim.sn, at, values: { acPowerW: 1 } }],
      });
      expect(ack).toMatchObject({ status: 200, accepted: 1 });
    };

    let sent = 0;
    const assailUntil = async (number: number, until: number): Promise<void> => {
      const chance = createChance(SEED * 1000 + number);
      while (sent < until) sent += await assail(port, chance, captured, victim);
    };
    const assailAll = (until: number): Promise<unknown> =>
      Promise.all(Array.from({ length: ASSAILANTS }, (_, i) => assailUntil(until + i, until)));
    let before = 0;
    for (let tenth = 1; tenth <= 10; tenth++) {
      await Promise.all([assailAll((MESSAGES * tenth) / 10), report()]);
      if (tenth === 1) before = await memory();
    }
    await report();

    expect(server.output()).not.toMatch(/"request failed"|uncaught|unhandled/i);
    expect(bystander.acks.map(({ id }) => id)).toEqual(
      Array.from({ length: reports }, (_, i) => `own ${i}`),
    );
    expect([...topics]).toEqual([`helioport/v1/${victim.collectorId}/ack`]);
    const foreign = await database.db
      .selectFrom('sample')
      .innerJoin('device', 'device.series', 'sample.series')
      .select('sample.at')
      .where('device.id', '=', victim.deviceId)
      .execute();
    expect(foreign.length).toBe(reports);
    const { state } = await database.db
      .selectFrom('device')
      .select('state')
      .where('id', '=', victim.collectorId)
      .executeTakeFirstOrThrow();
    expect(state).toBe(1);
    if (MESSAGES >= 100_000) expect(await memory()).toBeLessThan(before + GROWTH_AT_MOST);
    await bystander.leave();
    expect(await (await fetch(`${addresses['ops']}/readyz`)).text()).toContain('ready');
  } finally {
    server.kill('SIGTERM');
    await server.ended;
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
});
