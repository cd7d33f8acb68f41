import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { atHome } from '../../packages/server/src/measurements/series/home.ts';
import { createInstallation, type Installation as Command } from '../support/command.ts';
import { describeLoad, settingsOf } from '../support/engines.ts';
import { createMemorySeries } from '../support/memory-series.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { postReadings } from '../telemetry/post-readings.ts';
import { settableClock } from '../support/world.ts';

const MOVED =
  'the series of this installation are in cassandra/elsewhere: set HELIOPORT_SERIES_URL to its address';
const COPIED =
  'the series are being copied to cassandra/elsewhere: run helioport series copy to its end, or give it up with helioport series copy --cancel';

describeLoad('servers and commands of an installation whose series move', (database) => {
  const clock = settableClock(Date.now());
  const world = createReportingWorld(database, clock);
  let app: RunningApp;
  let device: Installation;
  let home: Command;
  beforeAll(async () => {
    clock.at -= 86_400_000;
    device = await world.install();
    clock.at += 86_400_000;
    app = await startApp(database(), { HELIOPORT_COLLECTOR_RATE_LIMIT: 'off' });
    home = createInstallation(settingsOf(database()));
  });
  afterAll(async () => {
    home.remove();
    await app.stop();
  });

  async function setHome(engine: string, copyingTo: string | null): Promise<void> {
    const row = { engine, copyingTo, copier: null };
    await database()
      .db.insertInto('seriesHome')
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

  test.for([
    ['are being copied', 'database', 'cassandra/elsewhere', COPIED],
    ['are where its settings do not lead', 'cassandra/elsewhere', null, MOVED],
  ] as const)(
    'a server whose series %s refuses reports with 503 and Retry-After, and does not start again; doctor and commands say why in one sentence',
    async ([, engine, copyingTo, sentence]) => {
      await setHome('database', null);
      expect(await report()).toMatchObject({ status: 200 });
      await setHome(engine, copyingTo);
      const refused = await Promise.all(Array.from({ length: 4 }, report));
      expect(refused.map(({ status, retryAfter }) => [status, retryAfter > 0])).toEqual(
        refused.map(() => [503, true]),
      );
      const { db } = database();
      const opening = atHome(db, createMemorySeries(createFieldLists(db)), 'memory').open();
      await expect(opening).rejects.toThrow(sentence);
      const doctor = await home.helioport('doctor', '--json');
      expect(
        (doctor.json() as { check: string }[]).find(({ check }) => check === 'series'),
      ).toEqual({ check: 'series', state: 'fault', text: sentence });
      expect(doctor.exitCode).toBe(1);
      expect(await home.helioport('plant', 'recalculate', '--all')).toMatchObject({
        exitCode: 1,
        stderr: `helioport: ${sentence}`,
      });
      await setHome('database', null);
      expect((await report()).status).toBe(200);
    },
  );

  test.each([
    [[], 2, 'say where to with --to'],
    [
      ['--to', 'cassandra://'],
      2,
      '--to must be database, or look like cassandra://user:password@host1,host2:9042/keyspace?dc=NAME',
    ],
    [['--cancel', '--to', 'database'], 2, '--cancel cannot be combined with --to'],
    [['--cancel'], 1, 'no copy has been begun'],
    [['--to', 'database'], 1, 'the series are in database already'],
    [
      ['--to', 'cassandra://127.0.0.1:9/solar?dc=dc1'],
      1,
      'an instance is running: stop all of them first; collectors keep their readings until they are started again',
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
