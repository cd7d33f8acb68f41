import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { describeLoad, settingsOf } from '../support/engines.ts';
import { effort } from '../support/effort.ts';
import { serve } from '../support/server-process.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import type { Bombardment } from './bombard.ts';
import { comparison, createSteadyLoad, HONEST } from './steady-load.ts';

const SECONDS = effort(2, 60);
const BOMBERS = 12;
/** Where there are enough requests for a 99th percentile that does not hang on what else the machine does. */
const isLong = SECONDS >= 60;

describeLoad(`twelve bombs at a time for ${SECONDS} s`, (database) => {
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
      const post = async ({ token }: Installation, body: string): Promise<number> => {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body,
        });
        await answer.arrayBuffer();
        return answer.status;
      };

      const steady = createSteadyLoad(addresses, async (i, fresh) => {
        const from = honest[i]!;
        expect(await post(from, JSON.stringify({ readings: [fresh(from.sn)] }))).toBe(200);
      });
      await steady.run(Math.min(3, SECONDS));
      const idle = await steady.memory();
      const without = await steady.run(SECONDS);
      const until = Date.now() + SECONDS * 1000;
      const workerData: Bombardment = {
        url,
        token: hostile.token,
        sn: hostile.sn,
        atOnce: BOMBERS,
        until,
      };
      const bombardment = once(
        new Worker(new URL('./bombard.ts', import.meta.url), { workerData }),
        'message',
      );
      const during = await steady.run(SECONDS);
      const [statuses] = (await bombardment) as [Record<number, number>];
      console.log(
        `${database().engine}: ${comparison(idle, without, during)}, bombs answered ${JSON.stringify(statuses)}`,
      );
      expect(Object.keys(statuses)).not.toEqual([]);
      expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([]);
      if (isLong) {
        expect(statuses[429]).toBeGreaterThan(0);
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
