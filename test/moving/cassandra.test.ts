import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countStretches } from '../../packages/server/src/measurements/moving/work-list.ts';
import { findHome } from '../../packages/server/src/measurements/series/home.ts';
import { clusterAddress, openCassandraSeries } from '../support/cassandra/series.ts';
import { newKeyspace } from '../support/cassandra/shared.ts';
import { createInstallation } from '../support/command.ts';
import { describeSeriesEnginesOn, settingsOf } from '../support/engines.ts';
import { effort } from '../support/effort.ts';
import { spawnHelioport } from '../support/server-process.ts';
import { createLoad } from './load.ts';
import { createMoves, HOUR } from './moves.ts';

describeSeriesEnginesOn(/Cassandra/, 'series that move to a cluster', (database, seriesOf) => {
  const moves = createMoves(database);
  const { main, servers } = moves;

  test('there and back, beside reports, by copiers that are killed: nothing is lost, and roll-ups are as calculated anew', async () => {
    const { db } = database();
    const cluster = seriesOf(db);
    const devices = await moves.begin(2, cluster);
    const load = createLoad(db, servers(), devices, 1);
    for (let i = 0; i < 40; i++) await load.report();
    await moves.moveBesideReports(load, main(), cluster, effort(6, 100));
    await moves.moveBesideReports(load, cluster, main(), effort(6, 100));
    // It still has what was there; a copy goes to an empty place.
    await expect(moves.copy(main(), cluster)).rejects.toThrow(`${cluster.name} is not empty`);
  });

  test('the command copies, shows what is left, and moves once the settings name the cluster', async () => {
    const { db } = database();
    const [device] = await moves.begin(1, seriesOf(db));
    await moves.world.report(device!, [
      { at: Date.parse('2026-07-01T08:00:00Z'), values: { acPowerW: 5, energyTotalKwh: 10 } },
    ]);
    const address = await newKeyspace();
    const { keyspace } = clusterAddress(address);
    const home = createInstallation(settingsOf(database()));
    const copied = await home.helioport('series', 'copy', '--to', address);
    expect(copied).toMatchObject({ exitCode: 0 });
    expect(copied.stdout).toMatch(
      /^\d+ devices are the same in cassandra\/\w+: \d+ samples, \d+ days, \d+ months; run this again with --switch to move there/,
    );
    expect(copied.stderr).toMatch(/^copying: \d+ stretches left/);
    expect(await home.helioport('series', 'copy', '--to', address, '--switch')).toMatchObject({
      exitCode: 1,
    });
    const there = createInstallation({ ...settingsOf(database()), HELIOPORT_SERIES_URL: address });
    const doctor = async (): Promise<unknown> =>
      ((await there.helioport('doctor', '--json')).json() as { check: string }[]).find(
        ({ check }) => check === 'series',
      );
    expect(await doctor()).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(
        /^in the database: helioport series copy moves them to cassandra/,
      ),
    });
    const moved = await there.helioport('series', 'copy', '--to', address, '--switch', '--json');
    expect(moved.json()).toMatchObject({ moved: true, differences: [] });
    expect(await findHome(db)).toEqual({ engine: `cassandra/${keyspace}`, copyingTo: null });
    expect(await doctor()).toMatchObject({ state: 'ok' });
    expect(await there.helioport('series', 'copy', '--to', 'database', '--switch')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/the series are there now$/),
    });
    for (const one of [home, there]) one.remove();
  });

  test(
    'the command is killed half-way: another one goes on from there, and everything is on both sides, once',
    { timeout: 120_000 },
    async () => {
      const { db } = database();
      const devices = await moves.begin(effort(30, 500), seriesOf(db));
      const start = Date.parse('2026-06-30T20:00:00Z');
      const hourly = (first: number, count: number, acPowerW: number) =>
        Array.from({ length: count }, (_, i) => ({
          at: start + (first + i) * HOUR,
          values: { acPowerW: acPowerW + i },
        }));
      for (const [i, device] of devices.entries())
        await moves.world.report(device, hourly(0, 8, i));
      const { rows } = await sql<{
        all: number;
      }>`select (select count(*) from device) + 2 * (select count(*) from binding) as "all"`.execute(
        db,
      );
      const { all } = rows[0]!;

      const address = await newKeyspace();
      const home = createInstallation(settingsOf(database()));
      const killed = spawnHelioport(
        home.folder,
        ['series', 'copy', '--to', address],
        home.environment,
      );
      const ended = once(killed, 'exit');
      let left = 0;
      // While this is looked at, the command waits for its turn.
      const isHalfWay = (): Promise<boolean> =>
        db.transaction().execute(async (trx) => {
          await trx
            .updateTable('seriesHome')
            .set(({ ref }) => ({ engine: ref('engine') }))
            .execute();
          left = await countStretches(trx);
          if (left === 0 || left === all) return false;
          killed.kill('SIGKILL');
          await ended;
          return true;
        });
      await expect.poll(isHalfWay, { timeout: 60_000, interval: 1 }).toBe(true);
      expect(await ended).toEqual([null, 'SIGKILL']);

      // New, late and corrected ones meanwhile: of devices that have been copied, and of others.
      const changed = [devices[0]!, devices.at(-1)!];
      for (const device of changed)
        await moves.world.report(device, [
          ...hourly(8, 2, 500),
          { at: start + HOUR / 2, values: { acPowerW: 7 } },
          ...hourly(3, 1, 900),
        ]);
      const listed = await countStretches(db);
      expect(listed).toBeGreaterThanOrEqual(left);
      const { stdout, stderr } = await home.helioport('series', 'copy', '--to', address, '--json');
      expect(stderr).toMatch(new RegExp(`^copying: ${listed} stretches left`));
      const copied = JSON.parse(stdout) as { differences: unknown[]; moved: boolean };
      expect(copied).toMatchObject({ differences: [], moved: false });

      const target = await openCassandraSeries(clusterAddress(address), db);
      for (const device of devices) {
        const held = [main(), target].map((series) =>
          Promise.all([
            series.range(db, device.series, 0, Infinity),
            series.days(db, [device.binding], 0, 99_999_999),
            series.months(db, [device.binding], 0, 999_999),
          ]),
        );
        const [here, there] = await Promise.all(held);
        expect(there).toEqual(here);
        expect(here!.map(({ length }) => length)).toEqual([
          changed.includes(device) ? 11 : 8,
          2,
          1,
        ]);
      }
      await target.close();
      home.remove();
    },
  );
});
