import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { connectCollector, type MqttCollector } from '../mqtt/collector.ts';
import { effort } from '../support/effort.ts';
import { describeEngines, settingsOf } from '../support/engines.ts';
import { serve } from '../support/server-process.ts';
import type { MqttBombardment, Tally } from './bombard-mqtt.ts';

const SECONDS = effort(2, 60);
const HOSTILE = 15;
const HONEST = 20;
/** Each honest collector reports so often. */
const EVERY_MS = 500;
/** Where there are enough requests for a 99th percentile that does not hang on what else the machine does. */
const isLong = SECONDS >= 60;

describeEngines(`bombs and floods over MQTT for ${SECONDS} s`, (database) => {
  const scene = createControlScene(database);

  test('leave honest reports and /healthz within three times their time, and memory below twice its idle figure', async () => {
    scene.clock.at = Date.now();
    const captured = await Promise.all(Array.from({ length: HOSTILE }, () => scene.home()));
    const homes = await Promise.all(Array.from({ length: HONEST }, () => scene.home()));
    const folder = mkdtempSync(join(tmpdir(), 'helioport-bombs-'));
    const server = serve(folder, { ...settingsOf(database()), HELIOPORT_ROLES: 'user-api,gateway' });
    const honest: MqttCollector[] = [];
    try {
      const addresses = await server.started;
      const url = addresses['mqtt']!;
      const memory = async (): Promise<number> =>
        Number(/^process_resident_memory_bytes (\d+)/m.exec(await (await fetch(`${addresses['ops']}/metrics`)).text())![1]);
      for (const home of homes) honest.push(await connectCollector(url, home));

      /** The steady load for some seconds; times in ms. */
      const steady = async (seconds: number) => {
        const [reports, health]: number[][] = [[], []];
        const until = Date.now() + seconds * 1000;
        let [sent, highest] = [0, 0];
        const collect = async (from: MqttCollector, sn: string, delay: number): Promise<void> => {
          await setTimeout(delay);
          while (Date.now() < until) {
            const began = performance.now();
            const reading = { sn, at: Date.now() - 3_600_000 + ++sent, values: { acPowerW: sent, energyTotalKwh: 5 } };
            expect(await from.say('report', { id: `r-${sent}`, readings: [reading] })).toMatchObject({ status: 200, accepted: 1 });
            reports!.push(performance.now() - began);
            await setTimeout(EVERY_MS);
          }
        };
        const ask = async (): Promise<void> => {
          while (Date.now() < until) {
            for (const listener of ['user-api', 'gateway']) {
              const began = performance.now();
              expect((await fetch(`${addresses[listener]}/healthz`)).status).toBe(200);
              health!.push(performance.now() - began);
            }
            highest = Math.max(highest, await memory());
            await setTimeout(50);
          }
        };
        await Promise.all([...honest.map((from, i) => collect(from, homes[i]!.sn, (i * EVERY_MS) / HONEST)), ask()]);
        return { reports: p99(reports!), health: p99(health!), highest };
      };
      await steady(Math.min(3, SECONDS));
      const idle = await memory();
      const without = await steady(SECONDS);
      const known = captured.map(({ collectorId, tokenId, token, sn }) => ({ collectorId, tokenId, token, sn }));
      const workerData: MqttBombardment = { url, captured: known, seconds: SECONDS };
      const worker = new Worker(new URL('./bombard-mqtt.ts', import.meta.url), { workerData });
      await once(worker, 'message');
      const bombardment = once(worker, 'message');
      const during = await steady(SECONDS);
      const [tally] = (await bombardment) as [Tally];
      console.log(
        `${database().engine}: p99 of reports ${without.reports.toFixed(1)} -> ${during.reports.toFixed(1)} ms, of /healthz ${without.health.toFixed(1)} -> ${during.health.toFixed(1)} ms, ` +
          `memory ${mib(idle)} -> ${mib(during.highest)} MiB, ${JSON.stringify(tally)}`,
      );
      expect(tally).toMatchObject({ 'bomb: 413': expect.any(Number), 'reconnect: connected': expect.any(Number) });
      expect(Object.keys(tally).filter((outcome) => /: 5\d\d$|guess: connected/.test(outcome))).toEqual([]);
      expect(server.output()).not.toMatch(/"request failed"|uncaught|unhandled/i);
      for (const { client } of honest) expect(client.connected).toBe(true);
      if (isLong) {
        expect(tally).toMatchObject({ 'bomb: 200': expect.any(Number), 'reconnect: refused': expect.any(Number), 'guess: refused': expect.any(Number) });
        expect(during.reports).toBeLessThanOrEqual(3 * without.reports);
        expect(during.health).toBeLessThanOrEqual(3 * without.health);
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

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);
const p99 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
