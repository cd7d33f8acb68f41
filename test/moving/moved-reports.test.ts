import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { enterSeries } from '../../packages/server/src/measurements/series/gate.ts';
import { findHome, settleHome } from '../../packages/server/src/measurements/series/home.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describeEngines, describePostgres } from '../support/engines.ts';
import { createMemorySeries } from '../support/memory-series.ts';
import { createReportingWorld } from '../telemetry/installation.ts';
import { createMoves } from './moves.ts';

const AT = Date.parse('2026-06-29T08:00:00Z');

describeEngines(
  'reports to a server whose series have moved away from the main database',
  (database) => {
    const moves = createMoves(database);

    test('are stored one by one: a device that is being written to holds up no other that reports at the same time', async () => {
      const { db } = database();
      const memory = createMemorySeries(createFieldLists(db));
      const [held, free] = await moves.begin(2, memory);
      const [server] = moves.servers();
      const ingest = createIngest({ db, clock: moves.world.clock, series: server! });
      const report = ({ collectorId, sn }: typeof held & object): Promise<unknown> =>
        ingest({ collectorId }, [{ sn, at: AT, values: { acPowerW: 5 } }]);
      expect(await moves.copy(moves.main(), memory, true)).toMatchObject({ moved: true });
      await server!.look();
      await db
        .updateTable('seriesClaim')
        .set({ attempt: 'somebody', until: Date.now() + 600_000 })
        .where('series', '=', held!.series)
        .execute();
      const waiting = report(held!);
      expect(await report(free!)).toMatchObject({ accepted: 1 });
      await db
        .updateTable('seriesClaim')
        .set({ attempt: null })
        .where('series', '=', held!.series)
        .execute();
      expect(await waiting).toMatchObject({ accepted: 1 });
    });
  },
);

describePostgres('where the series of a new installation are', (database) => {
  const world = createReportingWorld(database);

  test('is not decided while somebody stores the first samples in the main database', async () => {
    const { db } = database();
    const { series: seriesId } = await world.install();
    const series = createSqlSeries(db);
    const [fields] = await series.fieldLists.ensure([['acPowerW']]);
    const stored = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<string>();
    const storing = db.transaction().execute(async (trx) => {
      await enterSeries(trx, series, 'begin');
      await series.put(trx, {
        samples: [{ seriesId, sample: { at: AT, fields: fields!, values: Float64Array.of(5) } }],
      });
      stored.resolve();
      // It has decided, or waits for this transaction.
      await Promise.race([decided.promise, waitsForLock()]);
    });
    await stored.promise;
    decided.resolve(settleHome(db, 'cassandra/one'));
    await storing;
    expect(await decided.promise).toBe('database');
    expect(await findHome(db)).toBeUndefined();
  });

  async function waitsForLock(): Promise<void> {
    for (;;) {
      const { rows } =
        await sql`select 1 from pg_locks where not granted and locktype = 'advisory' and classid = 72052`.execute(
          database().db,
        );
      if (rows.length > 0) return;
    }
  }
});
