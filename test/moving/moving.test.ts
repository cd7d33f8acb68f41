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
import { findHome } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { effort } from '../support/effort.ts';
import { describeEngines, describeLoad } from '../support/engines.ts';
import { createMemorySeries, type MemorySeries } from '../support/memory-series.ts';
import { Failed, failingBefore, stepwiseSeries } from '../support/step-by-step.ts';
import type { Installation } from '../telemetry/installation.ts';
import { createLoad } from './load.ts';
import { createMoves, HOUR } from './moves.ts';

describeEngines('series that move to another engine', (database) => {
  const moves = createMoves(database);
  const { main, servers } = moves;

  test('there and back, beside reports, late and corrected ones too, by copiers that are killed: nothing is lost, and roll-ups are as calculated anew', async () => {
    const memory = createMemorySeries(createFieldLists(database().db));
    const devices = await moves.begin(4, memory);
    const load = createLoad(database().db, servers(), devices, 1);
    for (let i = 0; i < 60; i++) await load.report();
    await moves.moveBesideReports(load, main(), memory, effort(6, 300));
    await moves.moveBesideReports(load, memory, main(), effort(6, 300));
  });
});

describeLoad('a copy of the series', (database) => {
  const moves = createMoves(database);
  const { world, depsWith, main, servers, copy } = moves;
  let memory: MemorySeries;

  const begin = (devices: number): Promise<Installation[]> => {
    memory = createMemorySeries(createFieldLists(database().db));
    return moves.begin(devices, memory);
  };

  const copied = (target: Series, switching = false): Promise<Copied> =>
    copy(main(), target, switching);

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

  test('a row of the copy that was altered is found by its checksum, nothing moves, and the next copy puts it right', async () => {
    const { db } = database();
    const [altered, other] = await beginWithReadings(2);
    const first = await copied(memory);
    expect(first).toMatchObject({ differences: [], moved: false });
    expect([first.samples >= 60, first.days >= 8, first.months >= 2]).toEqual([true, true, true]);
    const alterations: [of: Installation, alter: () => Promise<unknown>][] = [
      [
        altered!,
        async () => {
          const [sample] = await memory.range(db, altered!.series, 0, Infinity, 1);
          await memory.put(db, {
            samples: [
              {
                seriesId: altered!.series,
                sample: {
                  ...sample!,
                  values: Float64Array.from(sample!.values, (value) => value + 1),
                },
              },
            ],
          });
        },
      ],
      [other!, async () => memory.remove(db, other!.binding, { days: [20260630] })],
      [
        altered!,
        async () =>
          memory.put(db, {
            months: (await memory.months(db, [altered!.binding], 202606, 202606)).map((row) => ({
              ...row,
              month: 202605,
            })),
          }),
      ],
    ];
    for (const [of, alter] of alterations) {
      await alter();
      await db.deleteFrom('seriesComparison').execute();
      const found = await copied(memory, true);
      expect(found.moved).toBe(false);
      expect(found.differences.map(({ sn }) => sn)).toEqual([of.sn]);
      const [{ source, target }] = found.differences as [(typeof found.differences)[0]];
      expect(source.checksum).not.toBe(target.checksum);
      expect(await copied(memory)).toMatchObject({ differences: [], moved: false });
    }
    // What nothing removes stays a difference.
    const [sample] = await memory.range(db, altered!.series, 0, Infinity, 1);
    await memory.put(db, {
      samples: [{ seriesId: altered!.series, sample: { ...sample!, at: sample!.at - HOUR } }],
    });
    await db.deleteFrom('seriesComparison').execute();
    for (let i = 0; i < 2; i++) {
      const { differences } = await copied(memory, true);
      expect(differences.map(({ source, target }) => target.samples - source.samples)).toEqual([1]);
    }
  });

  test('a target that is the source, is not empty, or another one than before gets one sentence, and a copy can be given up', async () => {
    const { db } = database();
    const [device] = await beginWithReadings(1);
    const fault = async (target: Series): Promise<unknown> =>
      copied(target).catch(({ message }: Error) => message);
    expect(await fault(main())).toBe('the series are in database already');
    const days = await main().days(db, [device!.binding], 0, 99_999_999);
    await memory.put(db, { days });
    expect(await fault(memory)).toBe('memory is not empty: name a place that holds no series');
    expect(await findHome(db)).toEqual({ engine: 'database', copyingTo: null });
    await memory.remove(db, device!.binding, { days: days.map(({ day }) => day) });
    expect((await copied(memory)).differences).toEqual([]);
    const another: Series = {
      ...createMemorySeries(createFieldLists(db)),
      name: 'another',
      withRevisions: () => another,
    };
    expect(await fault(another)).toBe(
      'a copy to memory has been begun: go on with that one, or end it with helioport series copy --cancel',
    );
    expect(await cancelCopy(db)).toBe('memory');
    // Nobody lists changes any more.
    await world.report(device!, [
      { at: Date.parse('2026-07-10T08:00:00Z'), values: { acPowerW: 5 } },
    ]);
    expect(await db.selectFrom('seriesChange').select('kind').execute()).toEqual([]);
    expect((await copied(another)).differences).toEqual([]);
    expect(await cancelCopy(db)).toBe('another');
    await db.updateTable('seriesHome').set({ engine: 'elsewhere' }).execute();
    expect(await fault(memory)).toBe('the series are in elsewhere, not in database');
  });

  test('of two copiers the later one goes on, and the earlier one stops', async () => {
    const { db } = database();
    await beginWithReadings(2);
    let second: Promise<Copied> | undefined;
    const deps = depsWith(main(), memory, () => {
      second ??= copied(memory);
    });
    await expect(copySeries(deps, { switching: true })).rejects.toThrow(
      'another process goes on with this copy',
    );
    expect(await second).toMatchObject({ differences: [], moved: false });
    expect(await findHome(db)).toEqual({ engine: 'database', copyingTo: 'memory' });
  });

  test('a target that is away for a while is waited for, and reports go on meanwhile', async () => {
    const [device] = await beginWithReadings(1);
    memory.away = true;
    let pauses = 0;
    const told: unknown[] = [];
    const deps: CopyDeps = {
      ...depsWith(main(), memory),
      onAway: (error) => void told.push(error),
      pause: async () => {
        await world.report(device!, [
          { at: Date.parse('2026-07-10T08:00:00Z') + pauses * HOUR, values: { acPowerW: 5 } },
        ]);
        memory.away = (pauses += 1) < 3;
      },
    };
    expect(await copySeries(deps, { switching: true })).toMatchObject({ moved: true });
    expect(told).toHaveLength(3);
    const stored = await memory.range(database().db, device!.series, 0, Infinity);
    expect(stored).toHaveLength(33);
  });

  test.for(['compared', 'moved'])(
    'rows of attempts that never ended are calculated again before the series are %s',
    async (step) => {
      const { db } = database();
      const [device] = await beginWithReadings(1);
      expect(await copied(memory, true)).toMatchObject({ moved: true });
      for (const server of servers()) await server.look();
      const late = {
        at: Date.parse('2026-06-30T07:30:00Z'),
        values: { acPowerW: 4000, energyTotalKwh: 107 },
      };
      await copySeries(depsWith(memory, main()), { switching: false });
      if (step === 'compared') await db.deleteFrom('seriesComparison').execute();
      const failing = failingBefore('day');
      const ingest = createIngest({
        db,
        clock: world.clock,
        series: stepwiseSeries(memory, failing.step),
      });
      await expect(
        ingest({ collectorId: device!.collectorId }, [{ sn: device!.sn, ...late }]),
      ).rejects.toThrow(Failed);
      expect(await memory.marks()).not.toEqual([]);
      expect(await copySeries(depsWith(memory, main()), { switching: true })).toMatchObject({
        moved: true,
      });
      for (const server of servers()) await server.look();
      // It was not acknowledged, but is there all the same.
      expect(await main().range(db, device!.series, late.at, late.at + 1)).toHaveLength(1);
      expect(await world.rollups(device!.binding)).toEqual(
        await world.recalculated(device!.binding),
      );
    },
  );

  test('what a copy writes wins over former attempts, and later attempts over the copy, whatever the clocks say', async () => {
    const { db } = database();
    const [device] = await begin(1);
    const future = Date.parse('2100-01-01T00:00:00Z') * 1000;
    await db.deleteFrom('seriesClaim').execute();
    await db
      .insertInto('seriesClaim')
      .values({ series: device!.series, attempt: null, until: 0, revision: future })
      .execute();
    const revisions = await createCopyRevisions(db);
    expect(revisions.next()).toBeGreaterThan(future);
    const last = revisions.next();
    await revisions.keep(db);
    const claims = await db.selectFrom('seriesClaim').select(['series', 'revision']).execute();
    expect(claims.length).toBeGreaterThan(1);
    for (const { revision } of claims) expect(revision).toBeGreaterThan(last);
    await db.deleteFrom('seriesClaim').execute();
    expect((await createCopyRevisions(db)).next()).toBeGreaterThan(Date.now() * 1000 - 60_000_000);
  });
});
