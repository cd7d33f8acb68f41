import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { enterSeries } from '../../packages/server/src/measurements/series/gate.ts';
import { findHome, settleHome } from '../../packages/server/src/measurements/series/home.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describePostgres } from '../support/engines.ts';
import { createReportingWorld } from '../telemetry/installation.ts';

const AT = Date.parse('2026-06-29T08:00:00Z');

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
      await enterSeries(trx, series);
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
