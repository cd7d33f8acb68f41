import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { minimal } from '../management/fixture.ts';
import {
  openConnection,
  PROCESSES,
  startProcesses,
  type Answer,
  type Connection,
} from '../processes/scene.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import type { SettableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { addKey, signed } from '../user-api/fixture.ts';

const KILLS = effort(1, 30);
const REPORTERS = 6;
const WRITERS = 3;
const FIRST_AT = Date.parse('2025-03-01T00:00:00Z');

/** How long it may take on a busy machine until another process serves. */
const RESTART = { timeout: 120_000 };

describeEngines('kill -9 of processes under load', (database) => {
  const clock: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };
  const world = createReportingWorld(database, clock);

  test(
    `loses nothing acknowledged, others serve on, and another is started, ${KILLS} times`,
    { timeout: 200_000 + KILLS * 60_000 },
    async () => {
      const server = await startProcesses(database(), {
        HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
        HELIOPORT_RATE_LIMIT: 'off',
      });
      onTestFinished(() => server.end());
      const homes = await Promise.all(Array.from({ length: REPORTERS }, () => world.install()));
      const key = await addKey(world, { canControl: true });
      const acknowledged = homes.map((): number[] => []);
      const created: string[] = [];
      const state = { working: true, round: 0 };
      /** The connections of this round that have been answered, and those that have been cut off. */
      const [spread, cut] = [new Set<number>(), new Set<number>()];

      /** Repeats a request until it is answered, over a new connection in each round; a client that is cut off connects anew. */
      async function insist(
        name: string,
        client: number,
        ask: (connection: Connection) => Promise<void>,
      ): Promise<void> {
        let connection = openConnection(server.addresses[name]!);
        let { round } = state;
        const connect = (): void => {
          connection.close();
          connection = openConnection(server.addresses[name]!);
          ({ round } = state);
        };
        while (state.working) {
          if (round !== state.round) connect();
          try {
            await ask(connection);
            if (round === state.round) spread.add(client);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code === undefined) throw error;
            cut.add(client);
            connect();
          }
        }
        connection.close();
      }
      const loads = [
        ...homes.map((home, i) => {
          let n = 0;
          return insist('gateway', i, async (connection) => {
            const at = FIRST_AT + n++ * 60_000;
            const { status, body } = await report(connection, home, at);
            expect([status, body.refused]).toEqual([200, []]);
            acknowledged[i]!.push(at);
          });
        }),
        ...Array.from({ length: WRITERS }, (_, i) => {
          let n = 0;
          return insist('user-api', REPORTERS + i, async (connection) => {
            const path = '/v1/api/addStation';
            const body = JSON.stringify({ ...minimal, stationName: `Plant ${i} ${n++}` });
            const { headers, body: sent } = signed({ key, at: clock.now(), path, body });
            const answer = await connection.ask(path, {
              method: 'POST',
              headers: Object.fromEntries(headers),
              body: sent as string,
            });
            expect(answer.body).toMatchObject({ code: '0' });
            created.push(answer.body.data.id);
          });
        }),
      ];

      const answered = (): number =>
        acknowledged.reduce((sum, times) => sum + times.length, created.length);
      for (let kill = 0; kill < KILLS; kill++) {
        // Otherwise, those that survive would gather all connections.
        for (const clients of [spread, cut]) clients.clear();
        state.round += 1;
        await expect.poll(() => spread.size, RESTART).toBe(loads.length);
        const pids = server.pids();
        expect(pids).toHaveLength(PROCESSES);
        const before = answered();
        process.kill(pids[kill % PROCESSES]!, 'SIGKILL');
        await expect.poll(answered, RESTART).toBeGreaterThan(before + 60);
        // Only those of that process.
        expect(cut.size).toBeLessThan(loads.length);
        await expect.poll(() => server.metric('helioport_processes'), RESTART).toBe(PROCESSES);
        expect(server.pids()).not.toContain(pids[kill % PROCESSES]);
      }
      expect(await server.metric('helioport_process_ends_total')).toBe(KILLS);
      state.working = false;
      await Promise.all(loads);
      await server.end();

      const { db } = database();
      for (const [i, home] of homes.entries()) {
        const stored = await world
          .parts()
          .telemetry.readingsBetween(db, home.series, 0, Number.MAX_SAFE_INTEGER);
        const times = new Set(stored.map(({ at }) => at));
        expect(acknowledged[i]!.filter((at) => !times.has(at))).toEqual([]);
      }
      const plants = await db
        .selectFrom('plant')
        .select('id')
        .where('ownerId', '=', key.accountId)
        .execute();
      expect(created.filter((id) => !plants.some((plant) => plant.id === id))).toEqual([]);
    },
  );
});

const report = (connection: Connection, { sn, token }: Installation, at: number): Promise<Answer> =>
  connection.ask('/v1/readings', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ readings: [{ sn, at, values: { acPowerW: 1000 } }] }),
  });
