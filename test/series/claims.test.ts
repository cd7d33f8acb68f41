import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Series, SeriesRows } from '../../packages/server/src/measurements/series/port.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { describeSeriesEnginesOn } from '../support/engines.ts';
import { Failed, failingBefore, stepwiseCommits, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';

const NOW = Date.parse('2026-08-01T00:00:00Z');
const AT = Date.parse('2026-06-15T10:00:00Z');
const MINUTE = 60_000;

/** The same engine, which waits before it puts what `isHeld` names. */
function holding(series: Series, isHeld: (rows: SeriesRows) => boolean) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = (inner: Series): Series => ({
    ...inner,
    withRevisions: (next) => held(inner.withRevisions(next)),
    async put(db, rows) {
      if (isHeld(rows)) {
        reach();
        await released;
      }
      return inner.put(db, rows);
    },
  });
  return { series: held(series), reached, release };
}

describeSeriesEnginesOn(/memory|Cassandra/, 'writers of a device', (database, seriesOf, engine) => {
  const clock = settableClock(NOW);
  const world = createForwardingScene(database, clock, seriesOf);

  const reading = (at: number, acPowerW: number) => ({ at, values: { acPowerW } });
  const over = (series: Series) => {
    const ingest = createIngest({ db: database().db, clock, series });
    return (to: Installation, ...readings: readonly ReturnType<typeof reading>[]) =>
      ingest(
        { collectorId: to.collectorId },
        readings.map((each) => ({ sn: to.sn, ...each })),
      );
  };
  const powers = async ({ series }: Installation): Promise<(number | undefined)[]> =>
    (await seriesOf(database().db).range(database().db, series, 0, Infinity)).map(
      ({ values }) => values[0],
    );
  const expectRight = async ({ binding }: Installation): Promise<void> => {
    // A read mends what is marked.
    await world.parts().telemetry.latestOf(database().db, [binding]);
    expect(await world.parts().series.marks([binding])).toEqual([]);
    expect(await world.rollups(binding)).toEqual(await world.recalculated(binding));
  };

  test('while an engine is written to, the database is free, and another writer of the device waits', async () => {
    const device = await world.install();
    const slow = holding(seriesOf(database().db), ({ samples = [] }) => samples.length > 0);
    const first = over(slow.series)(device, reading(AT, 1000));
    await slow.reached;
    // SQLite has one writer; on PostgreSQL, the row of the device is not locked either.
    await database()
      .db.transaction()
      .execute((trx) =>
        trx.updateTable('device').set({ model: 'X' }).where('id', '=', device.deviceId).execute(),
      );
    let second: unknown;
    const later = over(seriesOf(database().db))(device, reading(AT + MINUTE, 2000)).then(
      (answer) => (second = answer),
    );
    expect(await world.report(await world.install(), [reading(AT, 1)])).toMatchObject({
      accepted: 1,
    });
    expect(second).toBeUndefined();
    slow.release();
    expect([await first, await later]).toEqual([
      expect.objectContaining({ accepted: 1 }),
      expect.objectContaining({ accepted: 1 }),
    ]);
    expect(await powers(device)).toEqual([1000, 2000]);
    await expectRight(device);
  });

  test('an attempt whose device was taken over is not acknowledged, and what it writes late changes nothing', async () => {
    const device = await world.install();
    const here = over(seriesOf(database().db));
    await here(device, reading(AT, 1000));
    // It stands still for longer than its claim lasts, as a frozen process does.
    const frozen = holding(seriesOf(database().db), ({ samples = [] }) => samples.length > 0);
    const outcome = over(frozen.series)(device, reading(AT + MINUTE, 2000)).catch(
      (error: unknown) => error,
    );
    await frozen.reached;
    await database()
      .db.updateTable('seriesClaim')
      .set({ until: 0 })
      .where('series', '=', device.series)
      .execute();
    expect(await here(device, reading(AT + 2 * MINUTE, 3000))).toMatchObject({ accepted: 1 });
    expect(await here(device, reading(AT, 1500))).toMatchObject({ accepted: 1 });
    frozen.release();
    expect(isStorageAway(await outcome)).toBe(true);
    if (engine.includes('Cassandra')) expect(await powers(device)).toEqual([1500, 3000]);
    // The collector sends it again.
    await here(device, reading(AT + MINUTE, 2000));
    expect(await powers(device)).toEqual([1500, 2000, 3000]);
    if (engine.includes('Cassandra')) await expectRight(device);
  });

  test('a correction wins even if the clock was ahead when the first value was stored', async () => {
    const device = await world.install();
    const here = over(seriesOf(database().db));
    await here(device, reading(AT, 1000));
    // A writer whose clock was a month ahead.
    const ahead = (Date.now() + 30 * 86_400_000) * 1000;
    await database()
      .db.updateTable('seriesClaim')
      .set({ revision: ahead })
      .where('series', '=', device.series)
      .execute();
    await here(device, reading(AT, 2000));
    await here(device, reading(AT, 3000));
    expect(await powers(device)).toEqual([3000]);
    const { revision } = await database()
      .db.selectFrom('seriesClaim')
      .select('revision')
      .where('series', '=', device.series)
      .executeTakeFirstOrThrow();
    if (engine.includes('Cassandra')) expect(revision).toBeGreaterThan(ahead);
    await expectRight(device);
  });

  test('an event is logged once its sample is stored, in time for the answer, and none of a sample that is not', async () => {
    const { device } = await world.connected('https://platform.example/events', {
      kinds: ['telemetry.sample'],
    });
    const events = async (): Promise<number> =>
      (await world.logged('telemetry.sample')).filter(({ subject }) => subject === device.deviceId)
        .length;
    const { db } = database();
    const readings = [reading(AT, 1000)];
    const send = (ingest: ReturnType<typeof createIngest>) =>
      ingest(
        { collectorId: device.collectorId },
        readings.map((each) => ({ sn: device.sn, ...each })),
      );
    const unstored = stepwiseSeries(seriesOf(db), failingBefore('sample').step);
    await expect(send(createIngest({ db, clock, series: unstored }))).rejects.toThrow(Failed);
    expect([await powers(device), await events()]).toEqual([[], 0]);
    // Samples and roll-ups are stored, and then the writer that stored them ends.
    let commits = 0;
    const unended = stepwiseCommits(db, (name) => {
      if (name === 'commit' && (commits += 1) === 2) throw new Failed(name);
    });
    await expect(send(createIngest({ db: unended, clock, series: seriesOf(db) }))).rejects.toThrow(
      Failed,
    );
    expect([await powers(device), await events()]).toEqual([[1000], 0]);
    expect(await send(createIngest({ db, clock, series: seriesOf(db) }))).toEqual({
      accepted: 0,
      duplicate: 1,
      refused: [],
    });
    expect([await powers(device), await events()]).toEqual([[1000], 1]);
    await expectRight(device);
  });

  test('the next attempt has larger revisions than any that this one had, also for removing its marks', async () => {
    const device = await world.install();
    await over(seriesOf(database().db))(device, reading(AT, 1000));
    const ahead = (Date.now() + 30 * 86_400_000) * 1000;
    await database()
      .db.updateTable('seriesClaim')
      .set({ revision: ahead })
      .where('series', '=', device.series)
      .execute();
    const used: number[] = [];
    const noted = (inner: Series): Series => ({
      ...inner,
      withRevisions: (next) =>
        inner.withRevisions(() => {
          const revision = next();
          used.push(revision);
          return revision;
        }),
    });
    await over(noted(seriesOf(database().db)))(device, reading(AT + MINUTE, 1100));
    const { revision } = await database()
      .db.selectFrom('seriesClaim')
      .select('revision')
      .where('series', '=', device.series)
      .executeTakeFirstOrThrow();
    if (engine.includes('Cassandra')) expect(used).toHaveLength(3);
    expect(revision).toBeGreaterThanOrEqual(Math.max(ahead, ...used));
  });

  test('a batch of many devices has the revision of the newest of them', async () => {
    const [one, other] = [await world.install(), await world.install()];
    const here = over(seriesOf(database().db));
    await here(one, reading(AT, 1000));
    const ahead = (Date.now() + 30 * 86_400_000) * 1000;
    await database()
      .db.updateTable('seriesClaim')
      .set({ revision: ahead })
      .where('series', '=', one.series)
      .execute();
    const ingest = createIngest({ db: database().db, clock, series: seriesOf(database().db) });
    await ingest('operator', [
      { sn: one.sn, ...reading(AT, 1100) },
      { sn: other.sn, ...reading(AT, 1200) },
    ]);
    expect([await powers(one), await powers(other)]).toEqual([[1100], [1200]]);
    await here(other, reading(AT, 1300));
    expect(await powers(other)).toEqual([1300]);
  });
});
