import { quantities } from '@helioport/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { DaySample } from '../../packages/server/src/measurements/energy/day-state.ts';
import {
  createFieldList,
  inStoredOrder,
  UNSETTLED,
} from '../../packages/server/src/measurements/energy/field-list.ts';
import { settled } from '../../packages/server/src/measurements/ingest/readings/settle-fields.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describeEngines } from '../support/engines.ts';

describeEngines('series in the main database', (database) => {
  test('lists that another instance made are found when they are met', async () => {
    const { db } = database();
    const [mine, other] = [createSqlSeries(db), createSqlSeries(db)];
    await mine.fieldLists.ensure([['dcPowerW']]);
    const [fields] = await other.fieldLists.ensure([['dcPowerW', 'gridFrequencyHz']]);
    await db.transaction().execute((trx) =>
      other.put(trx, {
        samples: [
          { seriesId: 77, sample: { at: 5, fields: fields!, values: Float64Array.of(1, 50) } },
        ],
      }),
    );
    expect((await mine.range(db, 77, 0, 10)).map(({ fields: { names } }) => names)).toEqual([
      ['dcPowerW', 'gridFrequencyHz'],
    ]);
  });

  test('a set of quantities for which no list can be made takes little more room than with a list', async () => {
    const { db } = database();
    await createSqlSeries(db).fieldLists.ensure([['acPowerW']]);
    // As many as there are already: nobody can make another.
    const full = createSqlSeries(db, createFieldLists(db, { all: 1, ofOwner: 1 }));
    const set = ['batterySocPercent', 'gridFrequencyHz', 'acPowerW'] as const;
    const names = inStoredOrder(set);
    const samples = Array.from({ length: 1_000 }, (_, i) => ({
      at: i,
      fields: createFieldList(UNSETTLED, names),
      values: Float64Array.of(i, 50, 99),
    }));
    const [all] = await full.fieldLists.ensure([names], 'somebody');
    expect(all!.names).toHaveLength(quantities.size);
    const stored = samples.map((sample) => settled(sample, () => all!));
    const bytesOf = async (seriesId: number): Promise<number> => {
      const { rows } = await sql<{ bytes: number | string }>`select sum(length("values")) as bytes
        from sample where series = ${seriesId}`.execute(db);
      return Number(rows[0]!.bytes);
    };
    await db
      .transaction()
      .execute((trx) =>
        full.put(trx, { samples: stored.map((sample) => ({ seriesId: 78, sample })) }),
      );
    // Three values, and which ones; it would be eight bytes for each of all quantities.
    expect(await bytesOf(78)).toBe(1_000 * (3 * 8 + 8));
    const valuesOf = (found: readonly DaySample[]) => found.map(({ values }) => [...values]);
    expect(valuesOf(await full.range(db, 78, 0, 2_000))).toEqual(valuesOf(stored));

    // Those that were stored with a value for each quantity can be read still.
    const { values } = stored[7]!;
    await db
      .insertInto('sample')
      .values({ series: 79, at: 7, fields: all!.id, values: Buffer.from(values.buffer) })
      .execute();
    await db
      .transaction()
      .execute((trx) => full.put(trx, { samples: [{ seriesId: 79, sample: stored[8]! }] }));
    const both = valuesOf(stored.slice(7, 9));
    expect(valuesOf(await full.range(db, 79, 0, 10))).toEqual(both);
    expect(valuesOf((await full.ranges(db, [79], 0, 10)).get(79)!)).toEqual(both);
    const around = await full.around!(db, [{ seriesId: 79, fromAt: 7, toAt: 8 }]);
    expect(valuesOf(around.get(79)!)).toEqual(both);
  });

  test('a list that was never made is an error, not an endless search', async () => {
    const { db } = database();
    await expect(
      createSqlSeries(db).fieldLists.resolving(db, (listOf) => listOf(30_000)),
    ).rejects.toThrow('field list 30000');
  });
});
