import { once } from 'node:events';
import { expect, test } from 'vitest';
import { countDevicesLeft } from '../../../packages/server/src/measurements/moving/devices.ts';
import { findHome } from '../../../packages/server/src/measurements/series/home.ts';
import { clusterAddress, openCassandraSeries } from '../../support/cassandra/series.ts';
import { newKeyspace } from '../../support/cassandra/shared.ts';
import { createInstallation } from '../../support/command.ts';
import { describeSeriesEnginesOn, settingsOf } from '../../support/engines.ts';
import { effort } from '../../support/effort.ts';
import { spawnHelioport } from '../../support/server-process.ts';
import { createLoad } from '../../moving/load.ts';
import { createMoves, HOUR } from '../../moving/moves.ts';

describeSeriesEnginesOn(/Cassandra/, 'series that move to a cluster', (database, seriesOf) => {
  const moves = createMoves(database);
  const { main } = moves;

  test('there and back, by copiers that are killed: nothing is lost, and roll-ups are as calculated anew', async () => {
    const { db } = database();
    const cluster = seriesOf(db);
    const devices = await moves.begin(2);
    const load = createLoad(db, devices, 1);
    for (let i = 0; i < 40; i++) await load.report(main());
    await moves.moveByKilledCopiers(load, main(), cluster, effort(6, 100));
    await moves.moveByKilledCopiers(load, cluster, main(), effort(6, 100));
    // It still has what was there; a copy goes to an empty place.
    await expect(moves.copy(main(), cluster)).rejects.toThrow(`${cluster.name} is not empty`);
  });

  test(
    'the command copies, moves, and says which setting the servers need',
    { timeout: 120_000 },
    async () => {
      const { db } = database();
      const [device] = await moves.begin(1);
      await moves.world.report(device!, [
        { at: Date.parse('2026-07-01T08:00:00Z'), values: { acPowerW: 5, energyTotalKwh: 10 } },
      ]);
      const address = await newKeyspace();
      const { keyspace } = clusterAddress(address);
      const home = createInstallation(settingsOf(database()));
      const there = createInstallation({
        ...settingsOf(database()),
        HELIOPORT_SERIES_URL: address,
      });
      const doctor = async (of: typeof home): Promise<unknown> =>
        ((await of.helioport('doctor', '--json')).json() as { check: string }[]).find(
          ({ check }) => check === 'series',
        );
      expect(await doctor(there)).toMatchObject({ state: 'ok' });
      const copied = await home.helioport('series', 'copy', '--to', address);
      expect(copied).toMatchObject({ exitCode: 0 });
      expect(copied.stdout).toMatch(
        /^\d+ devices are the same in cassandra\/\w+: \d+ samples, \d+ days, \d+ months; the series are there now: set HELIOPORT_SERIES_URL to that address for all servers, and start them$/,
      );
      expect(copied.stderr).toMatch(/^copying: \d+ devices left/);
      expect(await findHome(db)).toEqual({ engine: `cassandra/${keyspace}`, copyingTo: null });
      expect(await doctor(there)).toMatchObject({ state: 'ok' });
      expect(await doctor(home)).toMatchObject({
        state: 'fault',
        text: `the series of this installation are in cassandra/${keyspace}: set HELIOPORT_SERIES_URL to its address`,
      });
      const back = await there.helioport('series', 'copy', '--to', 'database', '--json');
      expect(back.json()).toMatchObject({ moved: true, differences: [] });
      expect(await doctor(there)).toMatchObject({
        state: 'warning',
        text: `in the database: helioport series copy moves them to cassandra/${keyspace}, which HELIOPORT_SERIES_URL names`,
      });
      for (const one of [home, there]) one.remove();
    },
  );

  test(
    'the command is killed half-way: another one goes on from there, and everything is on both sides, once',
    { timeout: 120_000 },
    async () => {
      const { db } = database();
      const devices = await moves.begin(effort(30, 500));
      const start = Date.parse('2026-06-30T20:00:00Z');
      for (const [i, device] of devices.entries())
        await moves.world.report(
          device,
          Array.from({ length: 8 }, (_, hour) => ({
            at: start + hour * HOUR,
            values: { acPowerW: i + hour },
          })),
        );
      const all = await countDevicesLeft(db);

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
          left = await countDevicesLeft(trx);
          if (left === 0 || left === all) return false;
          killed.kill('SIGKILL');
          await ended;
          return true;
        });
      await expect.poll(isHalfWay, { timeout: 60_000, interval: 1 }).toBe(true);
      expect(await ended).toEqual([null, 'SIGKILL']);

      const { stdout, stderr } = await home.helioport('series', 'copy', '--to', address, '--json');
      expect(stderr).toMatch(new RegExp(`^copying: ${left} devices left`));
      expect(JSON.parse(stdout)).toMatchObject({ differences: [], moved: true, devices: all });

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
        expect(here!.map(({ length }) => length)).toEqual([8, 2, 1]);
      }
      await target.close();
      home.remove();
    },
  );
});
