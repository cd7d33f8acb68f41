import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { describeEngines, settingsOf } from '../support/engines.ts';
import { effort } from '../support/effort.ts';
import { serve } from '../support/server-process.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import type { Bombardment } from './bombard.ts';

const SECONDS = effort(4, 60);
const BOMBERS = 12;
const HONEST = 20;
/** Each honest collector reports so often. */
const EVERY_MS = 500;
/** Where there are enough requests for a 99th percentile that does not hang on what else the machine does. */
const isLong = SECONDS >= 60;

describeEngines(`twelve bombs at a time for ${SECONDS} s`, (database) => {
  test('leave honest reports and /healthz within three times their time, and memory below twice its idle figure', async () => {
    const world = createReportingWorld(database, { at: Date.now(), now: () => Date.now() });
    const hostile = await world.install();
    const honest = await Promise.all(Array.from({ length: HONEST }, () => world.install()));
    const folder = mkdtempSync(join(tmpdir(), 'helioport-bombs-'));
    const server = serve(folder, {
      ...settingsOf(database()),
      HELIOPORT_ROLES: 'user-api,gateway',
    });
    try {
      const addresses = await server.started;
      const url = `${addresses['gateway']}/v1/readings`;
      const memory = async (): Promise<number> =>
        Number(/^process_resident_memory_bytes (\d+)/m.exec(await (await fetch(`${addresses['ops']}/metrics`)).text())![1]);
      const post = async ({ token }: Installation, body: string): Promise<number> => {
        const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body });
        await answer.arrayBuffer();
        return answer.status;
      };

      /** The steady load for some seconds; times in ms. */
      const steady = async (seconds: number) => {
        const [reports, health]: number[][] = [[], []];
        const until = Date.now() + seconds * 1000;
        let [sent, highest] = [0, 0];
        const collect = async (from: Installation, delay: number): Promise<void> => {
          await setTimeout(delay);
          while (Date.now() < until) {
            const began = performance.now();
            const reading = { sn: from.sn, at: Date.now() - 3_600_000 + ++sent, values: { acPowerW: sent, energyTotalKwh: 5 } };
            const status = await post(from, JSON.stringify({ readings: [reading] }));
            expect(status).toBe(200);
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
        await Promise.all([...honest.map((from, i) => collect(from, (i * EVERY_MS) / HONEST)), ask()]);
        return { reports: p99(reports!), health: p99(health!), highest };
      };
      await steady(Math.min(3, SECONDS));
      const idle = await memory();
      const without = await steady(SECONDS);
      const until = Date.now() + SECONDS * 1000;
      const workerData: Bombardment = { url, token: hostile.token, sn: hostile.sn, atOnce: BOMBERS, until };
      const bombardment = once(new Worker(new URL('./bombard.ts', import.meta.url), { workerData }), 'message');
      const during = await steady(SECONDS);
      const [statuses] = (await bombardment) as [Record<number, number>];
      console.log(
        `${database().engine}: p99 of reports ${without.reports.toFixed(1)} -> ${during.reports.toFixed(1)} ms, of /healthz ${without.health.toFixed(1)} -> ${during.health.toFixed(1)} ms, ` +
          `memory ${mib(idle)} -> ${mib(during.highest)} MiB, bombs answered ${JSON.stringify(statuses)}`,
      );
      expect(statuses[429]).toBeGreaterThan(0);
      expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
      if (isLong) {
        expect(during.reports).toBeLessThanOrEqual(3 * without.reports);
        expect(during.health).toBeLessThanOrEqual(3 * without.health);
      }
      expect(during.highest).toBeLessThan(2 * idle);
    } finally {
      server.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);
const p99 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
