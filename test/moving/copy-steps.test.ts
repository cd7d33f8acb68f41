import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { beginCopy } from '../../packages/server/src/measurements/moving/begin.ts';
import type { Way } from '../../packages/server/src/measurements/moving/bring.ts';
import { bringSome } from '../../packages/server/src/measurements/moving/catch-up.ts';
import { copySeries } from '../../packages/server/src/measurements/moving/copy.ts';
import { createCopyRevisions } from '../../packages/server/src/measurements/moving/revisions.ts';
import { switchOver } from '../../packages/server/src/measurements/moving/switch-over.ts';
import {
  BEGINNING,
  countStretches,
} from '../../packages/server/src/measurements/moving/work-list.ts';
import { CHANGED, noteChanges } from '../../packages/server/src/measurements/series/changes.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import {
  enterSeries,
  SeriesElsewhere,
  SeriesShut,
} from '../../packages/server/src/measurements/series/gate.ts';
import { findHome } from '../../packages/server/src/measurements/series/home.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { StorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { describeEngines, describePostgres } from '../support/engines.ts';
import { createMemorySeries, MemoryAway, type MemorySeries } from '../support/memory-series.ts';
import { createMoves, HOUR } from './moves.ts';

const AT = Date.parse('2026-06-29T08:00:00Z');
/** A page of samples, and some. */
const MANY = 10_020;

describeEngines('steps of a copy', (database, engine) => {
  const moves = createMoves(database);
  const { world, main, servers } = moves;
  afterEach(() => void vi.useRealTimers());

  /** A device with a few readings, and another engine. */
  async function begin() {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    const [device] = await moves.begin(1, memory);
    const report = (hour: number): Promise<unknown> =>
      world.report(device!, [
        { at: AT + hour * HOUR, values: { acPowerW: 100, energyTotalKwh: hour } },
      ]);
    for (const hour of [1, 30]) await report(hour);
    return { db, memory, device: device!, report };
  }

  async function begun(source: Series, target: Series): Promise<Way> {
    const { db } = database();
    await beginCopy(db, { source, target, copier: 'we' });
    return { source, target, db, copier: 'we' };
  }

  const moved = async (memory: MemorySeries): Promise<void> => {
    expect(await moves.copy(main(), memory, true)).toMatchObject({ moved: true });
    for (const server of servers()) await server.look();
  };

  test('what changes while a stretch is brought stays on the list', async () => {
    const { db, memory, device, report } = await begin();
    const during: unknown[] = [];
    const changing: Series = {
      ...main(),
      async days(...asked) {
        const days = await main().days(...asked);
        if (during.length === 0 && asked[1].includes(device.binding)) during.push(await report(31));
        return days;
      },
    };
    const way = await begun(changing, memory);
    while ((await bringSome(way, BEGINNING)).stretches.length > 0 && during.length === 0);
    expect(await countStretches(db)).toBeGreaterThan(0);
    while ((await bringSome(way, BEGINNING)).stretches.length > 0);
    const days = [[device.binding], 0, 99_999_999] as const;
    expect(await memory.days(db, ...days)).toEqual(
      (await main().days(db, ...days)).map((row) =>
        expect.objectContaining({ day: row.day, state: row.state }),
      ),
    );
  });

  test('a long stretch that is interrupted goes on after its last page', async () => {
    const { db, memory, device } = await begin();
    const [fields] = await memory.fieldLists.ensure([['acPowerW']]);
    const values = Float64Array.of(5);
    const samples = Array.from({ length: MANY }, (_, i) => ({
      seriesId: device.series,
      sample: { at: AT - (i + 1) * 1000, fields: fields!, values },
    }));
    await db.transaction().execute((trx) => main().put(trx, { samples }));
    let pages = 0;
    const failing: Series = {
      ...memory,
      async put(...given) {
        if (given[1].samples?.[0]?.seriesId === device.series && (pages += 1) === 2)
          throw new MemoryAway();
        // One row after the other takes a while.
        if (!given[1].samples) await memory.put(...given);
      },
    };
    const way = await begun(main(), failing);
    await expect(bringSome(way, { series: device.series, bindings: [] })).rejects.toThrow(
      MemoryAway,
    );
    const left = await db
      .selectFrom('seriesChange')
      .select('fromKey')
      .where('kind', '=', CHANGED.samples)
      .where('subject', '=', device.series)
      .execute();
    expect(left).toEqual([{ fromKey: AT - (MANY - 10_000 + 1) * 1000 + 1 }]);
  });

  test('marks that the target has from former times are removed, and comparisons of a former copy do not count', async () => {
    const { db, memory, device } = await begin();
    await memory.mark([{ binding: device.binding, day: 20260629, attempt: 'former' }]);
    await db
      .insertInto('seriesComparison')
      .values({ series: device.series, samples: 999_999, days: 1, months: 1, checksum: 'former' })
      .execute();
    const { samples } = await moves.copy(main(), memory);
    expect(samples).toBeLessThan(999_999);
    expect(await memory.marks()).toEqual([]);
  });

  test('a switch that was carried out without an answer is not taken for somebody else’s', async () => {
    const { db, memory } = await begin();
    const answerless = new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'transaction')
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return () => ({
          async execute<T>(body: (trx: Db) => Promise<T>): Promise<T> {
            const before = await findHome(db);
            const done = await db.transaction().execute(body);
            if ((await findHome(db))!.engine !== before?.engine && before)
              throw new StorageAway('no answer');
            return done;
          },
        });
      },
    });
    const deps = { ...moves.depsWith(main(), memory), onAway: () => {} };
    expect(await copySeries({ ...deps, db: answerless }, { switching: true })).toMatchObject({
      moved: true,
    });
  });

  test('after a move, attempts write with revisions above all that the copy has used', async () => {
    const { db, memory, device } = await begin();
    let next: (() => number) | undefined;
    const noting: Series = { ...memory, withRevisions: (given) => ((next = given), memory) };
    expect(await moves.copy(main(), noting, true)).toMatchObject({ moved: true });
    const { revision } = await db
      .selectFrom('seriesClaim')
      .select('revision')
      .where('series', '=', device.series)
      .executeTakeFirstOrThrow();
    expect(revision).toBeGreaterThanOrEqual(next!());
  });

  test('a switch for which too much is left happens another time', async () => {
    const { db, memory } = await begin();
    vi.useFakeTimers({ toFake: ['performance'] });
    let isSlow = true;
    const slow: Series = {
      ...main(),
      range(...asked) {
        if (isSlow) vi.advanceTimersByTime(6_000);
        return main().range(...asked);
      },
    };
    const way = await begun(slow, memory);
    const revisions = await createCopyRevisions(db);
    expect(await switchOver(way, revisions)).toBe(false);
    expect(await findHome(db)).toEqual({ engine: 'database', copyingTo: 'memory' });
    isSlow = false;
    expect(await switchOver(way, revisions)).toBe(true);
  });

  test('a report that would begin to write outside of transactions while the series are about to move is refused, and writes nothing', async () => {
    const { db, memory, device } = await begin();
    await moved(memory);
    await db
      .updateTable('seriesHome')
      .set({ shutUntil: Date.now() + 600_000 })
      .execute();
    const ingest = createIngest({ db, clock: world.clock, series: memory });
    const readings = [{ sn: device.sn, at: AT + 50 * HOUR, values: { acPowerW: 5 } }];
    await expect(ingest({ collectorId: device.collectorId }, readings)).rejects.toThrow(SeriesShut);
    expect([
      await memory.marks(),
      await memory.range(db, device.series, AT + 50 * HOUR, Infinity),
    ]).toEqual([[], []]);
  });

  test('a copier that was taken over from moves nothing', async () => {
    const { db, memory } = await begin();
    const way = await begun(main(), memory);
    await db.updateTable('seriesHome').set({ copier: 'another' }).execute();
    await db.deleteFrom('seriesChange').execute();
    await expect(switchOver(way, await createCopyRevisions(db))).rejects.toThrow(
      'another process goes on with this copy',
    );
    expect(await findHome(db)).toEqual({ engine: 'database', copyingTo: 'memory' });
  });

  test('a report that ends after the series have moved without it is not acknowledged', async () => {
    const { db, memory, device } = await begin();
    await moved(memory);
    const moving: Series = {
      ...memory,
      withRevisions: () => moving,
      async put(...given) {
        await memory.put(...given);
        await db.updateTable('seriesHome').set({ engine: 'database' }).execute();
      },
    };
    const report = createIngest({ db, clock: world.clock, series: moving })(
      { collectorId: device.collectorId },
      [{ sn: device.sn, at: AT + 50 * HOUR, values: { acPowerW: 5 } }],
    );
    await expect(report).rejects.toThrow(SeriesElsewhere);
  });

  /** A report that is being stored in an engine without transactions, and the copy that moves the series away from it. */
  async function beginsMoving() {
    const { db, memory, device } = await begin();
    await moved(memory);
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
    const way = await begun(memory, main());
    while ((await bringSome(way, BEGINNING)).stretches.length > 0);
    const at = AT + 50 * HOUR;
    const ingest = createIngest({ db, clock: world.clock, series: held });
    const report = ingest({ collectorId: device.collectorId }, [
      { sn: device.sn, at, values: { acPowerW: 5 } },
    ]);
    await reached.promise;
    return {
      db,
      memory,
      way,
      release: released.resolve,
      report,
      stored: () => main().range(db, device.series, at, Infinity),
    };
  }

  async function isShut(): Promise<void> {
    for (;;) {
      const { db } = database();
      if ((await db.selectFrom('seriesHome').select('shutUntil').executeTakeFirst())?.shutUntil)
        return;
      if (
        engine === 'PostgreSQL' &&
        (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length > 0
      )
        return;
      await setImmediate();
    }
  }

  test('a switch lets reports that have begun to write outside of transactions end, also while others are just beginning', async () => {
    const { db, memory, way, release, report, stored } = await beginsMoving();
    const [entered, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = db.transaction().execute(async (trx) => {
      // SQLite's write transactions exclude each other.
      if (engine === 'PostgreSQL') await enterSeries(trx, memory, 'begin');
      entered.resolve();
      if (engine === 'PostgreSQL') await over.promise;
    });
    await entered.promise;
    const switched = switchOver(way, await createCopyRevisions(db));
    await isShut();
    release();
    const answer = await report.catch((error: unknown) => error);
    over.resolve();
    await other;
    const isMoved = await switched;
    expect(answer).toMatchObject({ accepted: 1 });
    expect(isMoved).toBe(true);
    for (const server of servers()) await server.look();
    expect(await stored()).toHaveLength(1);
  });
});

describePostgres('the beginning of a copy', (database) => {
  const moves = createMoves(database);

  test('waits for whoever writes without listing it', async () => {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    await moves.begin(1, memory);
    const order: string[] = [];
    const [entered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = db.transaction().execute(async (trx) => {
      expect(await enterSeries(trx, moves.main(), 'begin')).toBe(false);
      entered.resolve();
      await released.promise;
      order.push('written');
    });
    await entered.promise;
    const beginning = beginCopy(db, { source: moves.main(), target: memory, copier: 'we' }).then(
      () => order.push('begun'),
    );
    for (let turn = 0; turn < 20; turn++)
      await db.selectFrom('seriesHome').select('engine').execute();
    released.resolve();
    await Promise.all([writing, beginning]);
    expect(order).toEqual(['written', 'begun']);
  });

  test('is waited for by the end of it: what somebody stores at the switch is brought too', async () => {
    const { db } = database();
    const memory = createMemorySeries(createFieldLists(db));
    const [device] = await moves.begin(1, memory);
    const way: Way = { source: moves.main(), target: memory, db, copier: 'we' };
    await beginCopy(db, way);
    while ((await bringSome(way, BEGINNING)).stretches.length > 0);
    const [fields] = await memory.fieldLists.ensure([['acPowerW']]);
    const [stored, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storing = db.transaction().execute(async (trx) => {
      const changes = noteChanges(moves.main());
      expect(await enterSeries(trx, moves.main(), 'begin')).toBe(true);
      await changes.series.put(trx, {
        samples: [
          {
            seriesId: device!.series,
            sample: { at: AT, fields: fields!, values: Float64Array.of(5) },
          },
        ],
      });
      await changes.store(trx);
      stored.resolve();
      await released.promise;
    });
    await stored.promise;
    let isOver = false;
    const switched = switchOver(way, await createCopyRevisions(db)).finally(() => (isOver = true));
    const isWaiting = async (): Promise<boolean> =>
      (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length > 0;
    await vi.waitUntil(async () => isOver || (await isWaiting()), { timeout: 20_000 });
    released.resolve();
    await storing;
    expect(await switched).toBe(true);
    expect(await memory.range(db, device!.series, AT, AT + 1)).toHaveLength(1);
  });
});
