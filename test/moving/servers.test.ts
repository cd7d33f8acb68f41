import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import type { FollowingSeries } from '../../packages/server/src/measurements/series/following.ts';
import { createInstallation, type Installation as Command } from '../support/command.ts';
import { describeLoad, settingsOf } from '../support/engines.ts';
import { createMemorySeries } from '../support/memory-series.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { postReadings } from '../telemetry/post-readings.ts';
import { settableClock } from '../support/world.ts';
import { followingOf } from './load.ts';

describeLoad('a server whose series move', (database) => {
  const clock = settableClock(Date.now());
  const world = createReportingWorld(database, clock);
  let app: RunningApp;
  let series: FollowingSeries;
  let device: Installation;
  let home: Command;
  beforeAll(async () => {
    const { db } = database();
    series = followingOf(db, createMemorySeries(createFieldLists(db)));
    clock.at -= 86_400_000;
    device = await world.install();
    clock.at += 86_400_000;
    await setHome('database');
    app = await startApp(database(), {}, () => series);
    home = createInstallation(settingsOf(database()));
  });
  afterAll(async () => {
    home.remove();
    await app.stop();
  });

  /** Where the series are, and until when nobody may begin to write. */
  async function setHome(engine: string, shutUntil: number | null = null): Promise<void> {
    const row = { engine, copyingTo: null, copier: null, shutUntil };
    const { db } = database();
    await db
      .insertInto('seriesHome')
      .values({ id: 1, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  }

  let reported = 0;
  async function report(): Promise<{ status: number; retryAfter: number }> {
    const reading = { at: clock.at - 3_600_000 + (reported += 1), values: { acPowerW: 5 } };
    const response = await postReadings(app.addresses['gateway']!, device, [reading]);
    return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
  }

  const ready = async (): Promise<number> =>
    (await fetch(`${app.addresses['gateway']}/readyz`)).status;

  test('answers reports with 503 and Retry-After as long as they are about to move, and takes them again when they have', async () => {
    expect(await report()).toMatchObject({ status: 200 });
    await setHome('database', Date.now() + 60_000);
    const refused = await report();
    expect([refused.status, refused.retryAfter > 0]).toEqual([503, true]);
    expect(await ready()).toBe(200);
    // Long ago: whoever shut them was killed.
    await setHome('database', Date.now() - 1_000);
    expect(await report()).toMatchObject({ status: 200 });
    await setHome('memory');
    await series.look();
    expect(await report()).toMatchObject({ status: 200 });
    const stored = await series.inForce().range(database().db, device.series, 0, Infinity);
    expect([series.inForce().name, stored.length]).toEqual(['memory', 1]);
  });

  test('is not ready and refuses reports while they are where its settings do not lead, which doctor and a start say in one sentence', async () => {
    await setHome('cassandra/elsewhere');
    await series.look();
    expect(await report()).toMatchObject({ status: 503 });
    expect(await ready()).toBe(503);
    const sentence =
      'the series of this installation are in cassandra/elsewhere: set HELIOPORT_SERIES_URL to its address';
    await expect(
      followingOf(database().db, createMemorySeries(createFieldLists(database().db))).open(),
    ).rejects.toThrow(sentence);
    const doctor = await home.helioport('doctor', '--json');
    expect((doctor.json() as { check: string }[]).find(({ check }) => check === 'series')).toEqual({
      check: 'series',
      state: 'fault',
      text: sentence,
    });
    expect(doctor.exitCode).toBe(1);
    expect(await home.helioport('plant', 'recalculate', '--all')).toMatchObject({
      exitCode: 1,
      stderr: `helioport: ${sentence}`,
    });
    await setHome('database');
    await series.look();
    expect([await ready(), (await report()).status]).toEqual([200, 200]);
  });

  test.each([
    [[], 2, 'say where to with --to'],
    [
      ['--to', 'cassandra://'],
      2,
      '--to must be database, or look like cassandra://user:password@host1,host2:9042/keyspace?dc=NAME',
    ],
    [['--cancel', '--switch'], 2, '--cancel cannot be combined with --to or --switch'],
    [['--cancel'], 1, 'no copy has been begun'],
    [['--to', 'database'], 1, 'the series are in database already'],
    [
      ['--to', 'cassandra://127.0.0.1:9/solar?dc=dc1', '--switch'],
      1,
      'set HELIOPORT_SERIES_URL to that address first, here and for all servers, and restart them: they go on using the database until the switch',
    ],
  ])('series copy %j: %i, %s', async (args, exitCode, message) => {
    const outcome = await home.helioport('series', 'copy', ...args);
    expect(outcome).toEqual({
      exitCode,
      stdout: '',
      stderr: `helioport: ${message}`,
      json: outcome.json,
    });
  });
});
