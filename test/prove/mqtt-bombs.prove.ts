import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { connectCollector, type MqttCollector } from '../mqtt/collector.ts';
import { effort } from '../support/effort.ts';
import { describeLoad, settingsOf } from '../support/engines.ts';
import { serve } from '../support/server-process.ts';
import type { MqttBombardment, Tally } from './bombard-mqtt.ts';
import { comparison, createSteadyLoad, HONEST } from './steady-load.ts';

const SECONDS = effort(2, 60);
const HOSTILE = 15;
/**
 * How many times as long honest requests may take. PostgreSQL needs processors as well, which the bombardment takes from it when all run on one machine,
 * and a report waits for it more than once.
 */
const SLOWER_AT_MOST = { sqlite: 3, postgres: 5 };
/** Where there are enough requests for a 99th percentile that does not hang on what else the machine does. */
const isLong = SECONDS >= 60;

describeLoad(`bombs and floods over MQTT for ${SECONDS} s`, (database) => {
  const scene = createControlScene(database);

  test('leave honest reports and /healthz within a few times their time, and memory below twice its idle figure', async () => {
    scene.clock.at = Date.now();
    const captured = await Promise.all(Array.from({ length: HOSTILE }, () => scene.home()));
    const homes = await Promise.all(Array.from({ length: HONEST }, () => scene.home()));
    const folder = mkdtempSync(join(tmpdir(), 'helioport-bombs-'));
    const server = serve(folder, {
      ...settingsOf(database()),
      HELIOPORT_ROLES: 'user-api,gateway',
    });
    const honest: MqttCollector[] = [];
    let sent = 0;
    try {
      const addresses = await server.started;
      const url = addresses['mqtt']!;
      for (const home of homes) honest.push(await connectCollector(url, home));

      const steady = createSteadyLoad(addresses, async (i, fresh) => {
        const report = { id: `r-${++sent}`, readings: [fresh(homes[i]!.sn)] };
        expect(await honest[i]!.say('report', report)).toMatchObject({ status: 200, accepted: 1 });
      });
      await steady.run(Math.min(3, SECONDS));
      const idle = await steady.memory();
      const without = await steady.run(SECONDS);
      const known = captured.map(({ collectorId, tokenId, token, sn }) => ({
        collectorId,
        tokenId,
        token,
        sn,
      }));
      const workerData: MqttBombardment = { url, captured: known, seconds: SECONDS };
      const worker = new Worker(new URL('./bombard-mqtt.ts', import.meta.url), { workerData });
      await once(worker, 'message');
      const bombardment = once(worker, 'message');
      const during = await steady.run(SECONDS);
      const [tally] = (await bombardment) as [Tally];
      console.log(
        `${database().engine}: ${comparison(idle, without, during)}, ${JSON.stringify(tally)}`,
      );
      expect(tally).toMatchObject({ 'reconnect: connected': expect.any(Number) });
      expect(
        Object.keys(tally).filter((outcome) => /: 5\d\d$|guess: connected/.test(outcome)),
      ).toEqual([]);
      expect(server.output()).not.toMatch(/"request failed"|uncaught|unhandled/i);
      for (const { client } of honest) expect(client.connected).toBe(true);
      if (isLong) {
        expect(tally).toMatchObject({
          'bomb: 200': expect.any(Number),
          'bomb: 413': expect.any(Number),
          'reconnect: refused': expect.any(Number),
          'guess: refused': expect.any(Number),
        });
        expect(during.reports).toBeLessThanOrEqual(
          SLOWER_AT_MOST[database().engine] * without.reports,
        );
        expect(during.health).toBeLessThanOrEqual(
          SLOWER_AT_MOST[database().engine] * without.health,
        );
      }
      // At first, a process grows by itself.
      expect(during.highest).toBeLessThan((isLong ? 2 : 3) * idle);
    } finally {
      for (const one of honest) await one.leave();
      server.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
