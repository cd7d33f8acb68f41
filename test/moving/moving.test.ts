import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { cancelCopy } from '../../packages/server/src/measurements/moving/begin.ts';
import {
  copySeries,
  type Copied,
  type CopyDeps,
} from '../../packages/server/src/measurements/moving/copy.ts';
import { createCopyRevisions } from '../../packages/server/src/measurements/moving/revisions.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { SeriesElsewhere, SeriesShut } from '../../packages/server/src/measurements/series/gate.ts';
import { findHome } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { StorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { effort } from '../support/effort.ts';
import { describeEngines, describeLoad } from '../support/engines.ts';
import { createMemorySeries, MemoryAway, type MemorySeries } from '../support/memory-series.ts';
import { Failed, failingBefore, stepwiseSeries } from '../support/step-by-step.ts';
import type { Installation } from '../telemetry/installation.ts';
import { createLoad } from './load.ts';
import { createMoves, HOUR } from './moves.ts';

describeEngines('series that move to another engine', (database) => {
  const moves = createMoves(database);
  const { main } = moves;

  test('there and back, by copiers that are killed at any step: nothing is lost, roll-ups are as calculated anew, and reports are refused meanwhile', async () => {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    const devices = await moves.begin(4);
    const load = createLoad(db, devices, 1);
    for (let i = 0; i < 60; i++) await load.report(main());
    await moves.moveByKilledCopiers(load, main(), memory, effort(6, 300));
    await moves.moveByKilledCopiers(load, memory, main(), effort(6, 300));
  });

  test('a switch that was carried out without an answer is not taken for somebody else’s', async () => {
    const { db } = database();
    const [device] = await moves.begin(1);
    await moves.world.report(device!, [
      { at: Date.parse('2026-06-29T08:00:00Z'), values: { acPowerW: 5 } },
    ]);
    const answerless = new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'transaction')
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return () => ({
          async execute<T>(body: (trx: Db) => Promise<T>): Promise<T> {
            const before = await findHome(db);
            const done = await db.transaction().execute(body);
            if (before && (await findHome(db))!.engine !== before.engine)
              throw new StorageAway('no answer');
            return done;
          },
        });
      },
    });
    const deps = moves.depsWith(main(), createMemorySeries(createFieldLists(db)));
    expect(await copySeries({ ...deps, db: answerless })).toMatchObject({ moved: true });
  });

  test('a copier that stands still and goes on when the series have moved without it writes nothing into them', async () => {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    const [device] = await moves.begin(1);
    const report = (hour: number): Promise<unknown> =>
      moves.world.report(device!, [
        {
          at: Date.parse('2026-06-29T08:00:00Z') + hour * HOUR,
          values: { acPowerW: 100 * hour, energyTotalKwh: hour },
        },
      ]);
    for (const hour of [1, 2]) await report(hour);
    expect(await moves.copy(main(), memory)).toMatchObject({ moved: true });
    moves.use(memory);
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Series = {
      ...memory,
      async days(...asked) {
        const days = await memory.days(...asked);
        if (days.length > 0) {
          reached.resolve();
          await released.promise;
        }
        return days;
      },
    };
    const outcome = moves.copy(slow, main()).catch((error: unknown) => error);
    await reached.promise;
    expect(await moves.copy(memory, main())).toMatchObject({ moved: true });
    moves.use(main());
    for (const hour of [3, 30]) await report(hour);
    released.resolve();
    expect(await outcome).toMatchObject({ message: 'another process goes on with this copy' });
    expect(await findHome(db)).toEqual({ engine: 'database', copyingTo: null });
    expect(await main().range(db, device!.series, 0, Infinity)).toHaveLength(4);
    expect(await moves.world.rollups(device!.binding)).toEqual(
      await moves.world.recalculated(device!.binding),
    );
  });
});

describeLoad('a copy of the series', (database) => {
  const moves = createMoves(database);
  const { world, depsWith, main, copy } = moves;
  let memory: MemorySeries;

  const begin = (devices: number): Promise<Installation[]> => {
    memory = createMemorySeries(createFieldLists(database().db));
    return moves.begin(devices);
  };

  /** Devices with a few days of readings. */
  async function beginWithReadings(count: number): Promise<Installation[]> {
    const devices = await begin(count);
    const start = Date.parse('2026-06-29T08:00:00Z');
    for (const device of devices) {
      const readings = Array.from({ length: 30 }, (_, i) => ({
        at: start + i * 3 * HOUR,
        values: { acPowerW: 100 * i, energyTotalKwh: 100 + i },
      }));
      await world.report(device, readings);
    }
    return devices;
  }

  /** An engine that loses or changes what is put into it, as long as it is set to. */
  function faulty(alter: (rows: Parameters<Series['put']>[1]) => Parameters<Series['put']>[1]) {
    const state = { isFaulty: true };
    const series: Series = {
      ...memory,
      withRevisions: () => series,
      put: (db, rows) => memory.put(db, state.isFaulty ? alter(rows) : rows),
    };
    return { series, state };
  }

  test('that came out wrong in a single value, day or month is found by its checksum, nothing moves, and the next copy puts it right', async () => {
    const alterations: Parameters<typeof faulty>[0][] = [
      ({ samples = [], ...rest }) => ({
        ...rest,
        samples: samples.map(({ seriesId, sample }) => ({
          seriesId,
          sample: { ...sample, values: Float64Array.from(sample.values, (value) => value + 1) },
        })),
      }),
      ({ days = [], ...rest }) => ({
        ...rest,
        days: days.filter(({ day }) => day !== 20260630),
      }),
      ({ months = [], ...rest }) => ({
        ...rest,
        months: months.map((row, i) => (i === 0 ? { ...row, month: 202605 } : row)),
      }),
    ];
    for (const alter of alterations) {
      const [device, other] = await beginWithReadings(2);
      const { series, state } = faulty((rows) =>
        [device!.series, device!.binding].some(
          (id) =>
            rows.samples?.some(({ seriesId }) => seriesId === id) ||
            rows.days?.some(({ binding }) => binding === id) ||
            rows.months?.some(({ binding }) => binding === id),
        )
          ? alter(rows)
          : rows,
      );
      const found = await copy(main(), series);
      expect(found.moved).toBe(false);
      expect(found.differences.map(({ sn }) => sn)).toContain(device!.sn);
      expect(found.differences.length).toBeLessThanOrEqual(2);
      const { source, target } = found.differences.find(({ sn }) => sn === device!.sn)!;
      expect(source.checksum).not.toBe(target.checksum);
      expect(await findHome(database().db)).toMatchObject({ engine: 'database' });
      state.isFaulty = false;
      const moved = await copy(main(), series);
      expect(moved).toMatchObject({ differences: [], moved: true });
      expect([moved.samples >= 60, moved.days >= 8, moved.months >= 2]).toEqual([true, true, true]);
      for (const { series: id } of [device!, other!])
        expect(await memory.range(database().db, id, 0, Infinity)).toHaveLength(30);
    }
  });

  test('does not move anything where the target has a sample that the source lacks, which nothing removes', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    const [sample] = await main().range(db, device!.series, 0, Infinity, 1);
    await memory.put(db, {
      samples: [{ seriesId: device!.series, sample: { ...sample!, at: sample!.at - HOUR } }],
    });
    for (let i = 0; i < 2; i++) {
      const { differences, moved } = await copy(main(), memory);
      expect(moved).toBe(false);
      expect(differences.map(({ source, target }) => target.samples - source.samples)).toEqual([1]);
    }
  });

  test('to a target that is the source, is not empty, or another one than before gets one sentence, and it can be given up', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    const fault = async (target: Series): Promise<unknown> =>
      copy(main(), target).catch(({ message }: Error) => message);
    expect(await fault(main())).toBe('the series are in database already');
    const days = await main().days(db, [device!.binding], 0, 99_999_999);
    await memory.put(db, { days });
    expect(await fault(memory)).toBe('memory is not empty: name a place that holds no series');
    expect(await findHome(db)).toBeUndefined();
    await memory.remove(db, device!.binding, { days: days.map(({ day }) => day) });
    const { series: losing } = faulty(() => ({}));
    expect(await copy(main(), losing)).toMatchObject({ moved: false });
    const another: Series = {
      ...createMemorySeries(createFieldLists(db)),
      name: 'another',
      withRevisions: () => another,
    };
    expect(await fault(another)).toBe(
      'a copy to memory has been begun: go on with that one, or end it with helioport series copy --cancel',
    );
    const late = [{ at: Date.parse('2026-07-10T08:00:00Z'), values: { acPowerW: 5 } }];
    await expect(world.report(device!, late)).rejects.toThrow(SeriesShut);
    expect(await cancelCopy(db)).toBe('memory');
    await world.report(device!, late);
    expect(await copy(main(), another)).toMatchObject({ moved: true });
    expect(await cancelCopy(db)).toBeUndefined();
    expect(await fault(memory)).toBe('the series are in another, not in database');
  });

  test('that two processes make is made by the later one, and the earlier one stops', async () => {
    const { db } = database();
    await beginWithReadings(2);
    let second: Promise<Copied> | undefined;
    const first = copySeries({
      ...depsWith(main(), memory),
      onProgress: () => void (second ??= copy(main(), memory)),
    });
    await expect(first).rejects.toThrow('another process goes on with this copy');
    expect(await second).toMatchObject({ differences: [], moved: true });
    expect(await findHome(db)).toEqual({ engine: 'memory', copyingTo: null });
  });

  test('waits for a target that is away, and for what is in progress before it tries again', async () => {
    const [device] = await beginWithReadings(1);
    memory.away = true;
    let pauses = 0;
    const seen: unknown[] = [];
    const deps: CopyDeps = {
      ...depsWith(main(), memory),
      onAway: (error) => void seen.push(error),
      pause: async () => void (memory.away = (pauses += 1) < 3),
    };
    expect(await copySeries(deps)).toMatchObject({ moved: true });
    expect(seen).toEqual([0, 1, 2].map(() => expect.any(MemoryAway)));
    const stored = await memory.range(database().db, device!.series, 0, Infinity);
    expect(stored).toHaveLength(30);
  });

  test('begins when rows of attempts that never ended have been calculated again', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    expect(await copy(main(), memory)).toMatchObject({ moved: true });
    moves.use(memory);
    const late = {
      at: Date.parse('2026-06-30T07:30:00Z'),
      values: { acPowerW: 4000, energyTotalKwh: 107 },
    };
    const ingest = createIngest({
      db,
      clock: world.clock,
      series: stepwiseSeries(memory, failingBefore('day').step),
    });
    await expect(
      ingest({ collectorId: device!.collectorId }, [{ sn: device!.sn, ...late }]),
    ).rejects.toThrow(Failed);
    expect(await memory.marks()).not.toEqual([]);
    expect(await copy(memory, main())).toMatchObject({ moved: true });
    moves.use(main());
    // It was not acknowledged, but is there all the same.
    expect(await main().range(db, device!.series, late.at, late.at + 1)).toHaveLength(1);
    expect(await world.rollups(device!.binding)).toEqual(await world.recalculated(device!.binding));
  });

  test('does not begin while somebody writes outside of transactions, whose report is acknowledged and copied', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    expect(await copy(main(), memory)).toMatchObject({ moved: true });
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held: Series = {
      ...memory,
      withRevisions: () => held,
      async mark(...given) {
        reached.resolve();
        await released.promise;
        await memory.mark(...given);
      },
    };
    const at = Date.parse('2026-07-10T08:00:00Z');
    const report = createIngest({ db, clock: world.clock, series: held })(
      { collectorId: device!.collectorId },
      [{ sn: device!.sn, at, values: { acPowerW: 5 } }],
    );
    await reached.promise;
    let waits = 0;
    const copied = copySeries({
      ...depsWith(memory, main()),
      pause: async () => {
        expect(await findHome(db)).toEqual({ engine: 'memory', copyingTo: null });
        if ((waits += 1) === 2) released.resolve();
        await setImmediate();
      },
    });
    expect(await report).toMatchObject({ accepted: 1 });
    expect(await copied).toMatchObject({ moved: true });
    expect(waits).toBeGreaterThanOrEqual(2);
    expect(await main().range(db, device!.series, at, at + 1)).toHaveLength(1);
  });

  test('does not end if somebody who had stood still wrote to the source meanwhile, whose report is not acknowledged', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    expect(await copy(main(), memory)).toMatchObject({ moved: true });
    const claims: Series = {
      ...memory,
      withRevisions: () => claims,
      // The copy begins when its claim has ended, before it has marked anything.
      async mark(...given) {
        await db.updateTable('seriesClaim').set({ attempt: null }).execute();
        await db.updateTable('seriesHome').set({ copyingTo: 'database', copier: 'x' }).execute();
        await memory.mark(...given);
      },
    };
    const report = createIngest({ db, clock: world.clock, series: claims })(
      { collectorId: device!.collectorId },
      [{ sn: device!.sn, at: Date.parse('2026-07-10T08:00:00Z'), values: { acPowerW: 5 } }],
    );
    await expect(report).rejects.toThrow(SeriesShut);
    await expect(copy(memory, main())).rejects.toThrow(
      'something has written to memory while it was copied',
    );
    expect(await findHome(db)).toEqual({ engine: 'memory', copyingTo: 'database' });
  });

  test('leaves nothing to a report that ends after the series have moved without it', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    expect(await copy(main(), memory)).toMatchObject({ moved: true });
    const late: Series = {
      ...memory,
      withRevisions: () => late,
      async put(...given) {
        await memory.put(...given);
        await db.updateTable('seriesHome').set({ engine: 'database' }).execute();
      },
    };
    const report = createIngest({ db, clock: world.clock, series: late })(
      { collectorId: device!.collectorId },
      [{ sn: device!.sn, at: Date.parse('2026-07-10T08:00:00Z'), values: { acPowerW: 5 } }],
    );
    await expect(report).rejects.toThrow(SeriesElsewhere);
  });

  test('removes marks that the target has from former times, and counts no comparisons of a former copy', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    await memory.mark([{ binding: device!.binding, day: 20260629, attempt: 'former' }]);
    await db
      .insertInto('seriesComparison')
      .values({ series: device!.series, samples: 999_999, days: 1, months: 1, checksum: 'former' })
      .execute();
    const { samples } = await copy(main(), memory);
    expect(samples).toBeLessThan(999_999);
    expect(await memory.marks()).toEqual([]);
  });

  test('wins over what former attempts wrote, and later attempts over it, whatever the clocks say', async () => {
    const { db } = database();
    const [device] = await begin(1);
    const future = Date.parse('2100-01-01T00:00:00Z') * 1000;
    await db.deleteFrom('seriesClaim').execute();
    await db
      .insertInto('seriesClaim')
      .values({ series: device!.series, attempt: null, until: 0, revision: future })
      .execute();
    let next: (() => number) | undefined;
    const noting: Series = { ...memory, withRevisions: (given) => ((next = given), memory) };
    expect(await copy(main(), noting)).toMatchObject({ moved: true });
    const last = next!();
    expect(last).toBeGreaterThan(future);
    const claims = await db.selectFrom('seriesClaim').select(['series', 'revision']).execute();
    expect(claims.length).toBeGreaterThan(1);
    for (const { revision } of claims) expect(revision).toBeGreaterThanOrEqual(last);
    await db.deleteFrom('seriesClaim').execute();
    expect((await createCopyRevisions(db)).next()).toBeGreaterThan(Date.now() * 1000 - 60_000_000);
  });
});
