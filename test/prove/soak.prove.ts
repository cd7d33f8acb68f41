import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { startReceiver } from '../forwarding/receiver.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { addClient } from '../oauth/fixture.ts';
import { effort, proving } from '../support/effort.ts';
import { describeLoad, settingsOf } from '../support/engines.ts';
import { visitAs } from '../support/portal.ts';
import { serve } from '../support/server-process.ts';
import type { SettableClock } from '../support/world.ts';

const SECONDS = effort(8, 3_600);
const COLLECTORS = proving ? 300 : 12;
const EVERY_MS = proving ? 10_000 : 500;
/** What may come and go: connections of the pool, files of the database. */
const HANDLES_APART = 12;
/** Memory of the last quarter beside the third one. A brief round is over before a process has its usual size. */
const GROWS_AT_MOST = proving ? 1.1 : 2;
/** Tables that grow with what is measured, forwarded and done; everything else stays as it is. */
const GROWING = new Set([
  'sample',
  'deviceDay',
  'deviceMonth',
  'event',
  'visibleCount',
  'pageEnd',
  'applicationUse',
  'performanceDay',
  'performanceLoss',
  'alarm',
]);

const INSTANT: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };

describeLoad('an hour of a fleet', (database) => {
  const scene = createForwardingScene(database, INSTANT);

  test(
    `of ${COLLECTORS} collectors leaves memory, handles and tables as they were half way, ${SECONDS} s`,
    { timeout: SECONDS * 1_000 + 600_000 },
    async () => {
      const { db, address } = database();
      const receiver = await startReceiver();
      const server = serve(dirname(address), {
        ...settingsOf(database()),
        HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8',
      });
      onTestFinished(async () => {
        server.kill('SIGTERM');
        await Promise.all([server.ended, receiver.close()]);
      });
      const addresses = await server.started;
      const owner = await scene.person();
      const plantId = await scene.plant(owner.id);
      const fleet: { sn: string; token: string }[] = [];
      for (let i = 0; i < COLLECTORS; i++) {
        const { id, sn } = await scene.device(plantId, { ratedPowerW: 10_000 });
        const { id: collectorId, token } = await scene.write((trx) =>
          addCollector(trx, scene.act(), { sn: scene.uniqueSn('COL'), plantId }),
        );
        await scene.write((trx) => assignCollector(trx, id, collectorId));
        fleet.push({ sn, token });
      }
      const client = await addClient(scene);
      const added = await fetch(`${addresses['oauth']}/oauth/forwarding/add`, {
        method: 'POST',
        headers: { Authorization: client.basic, 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: receiver.url, kinds: 'telemetry.sample' }),
      });
      expect(added.status).toBe(200);
      await scene.grant(client.application.id, owner.id);
      const { visitor, end } = await visitAs(scene, addresses['portal']!, owner.id);
      const stream = await visitor.get('/portal/live');
      let streamed = 0;
      const reader = stream.body!.getReader();
      const listening = (async () => {
        for (let part = await reader.read(); !part.done; part = await reader.read()) streamed += 1;
      })().catch(() => {});

      const began = Date.now();
      const until = began + SECONDS * 1_000;
      let sent = 0;
      const refused: number[] = [];
      const collect = async ({ sn, token }: { sn: string; token: string }, i: number) => {
        await pause((i * EVERY_MS) / COLLECTORS);
        while (Date.now() < until) {
          const next = Date.now() + EVERY_MS;
          const values = { acPowerW: 1_000 + (sent % 900), energyTotalKwh: sent / 1_000 };
          const answer = await fetch(`${addresses['gateway']}/v1/readings`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ readings: [{ sn, at: Date.now(), values }] }),
          });
          if (answer.status === 200) sent += 1;
          else refused.push(answer.status);
          await answer.arrayBuffer();
          await pause(Math.max(0, next - Date.now()));
        }
      };
      const looks: { at: number; memory: number; handles: number }[] = [];
      const look = async (): Promise<void> => {
        while (Date.now() < until) {
          const text = await (await fetch(`${addresses['ops']}/metrics`)).text();
          const memory = Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]);
          const handles = readdirSync(`/proc/${server.pid}/fd`).length;
          looks.push({ at: (Date.now() - began) / (SECONDS * 1_000), memory, handles });
          await pause(Math.min(10_000, SECONDS * 20));
        }
      };
      const rows = async (): Promise<Record<string, number>> => {
        const tables = await db.introspection.getTables();
        const counts: Record<string, number> = {};
        for (const { name } of tables.filter((table) => !GROWING.has(table.name))) {
          const { rows: found } = await sql<{ n: number }>`
            select count(*) as n from ${sql.table(name)}`.execute(db);
          counts[name] = found[0]!.n;
        }
        return counts;
      };
      let halfWay: Record<string, number> = {};
      const middle = pause(SECONDS * 500).then(async () => void (halfWay = await rows()));
      await Promise.all([...fleet.map(collect), look(), middle]);
      await expect.poll(() => receiver.taken.length, { timeout: 60_000 }).toBe(sent);
      const atEnd = await rows();
      await end();
      await reader.cancel();
      await listening;
      const quarter = (from: number, name: 'memory' | 'handles'): number => {
        const found = looks.filter(({ at }) => at >= from && at < from + 0.25);
        return found.reduce((sum, one) => sum + one[name], 0) / found.length;
      };
      const [third, last] = [quarter(0.5, 'memory'), quarter(0.75, 'memory')];
      console.log(
        `soak: ${sent} reports, ${streamed} parts of the stream, memory ${looks
          .map(({ memory }) => Math.round(memory / 1_048_576))
          .filter((_, i) => i % Math.ceil(looks.length / 12) === 0)
          .join(' ')} MiB, handles ${looks[0]!.handles} to ${looks.at(-1)!.handles}`,
      );
      expect(refused).toEqual([]);
      expect(streamed).toBeGreaterThan(0);
      expect(last).toBeLessThan(third * GROWS_AT_MOST);
      expect(quarter(0.75, 'handles')).toBeLessThan(quarter(0.5, 'handles') + HANDLES_APART);
      const grown = Object.entries(atEnd).filter(([name, n]) => n > (halfWay[name] ?? 0));
      expect(Object.fromEntries(grown)).toEqual({});
    },
  );
});
