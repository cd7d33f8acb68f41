import { expect, test } from 'vitest';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { mergeSample } from '../../packages/server/src/measurements/ingest/readings/merge-sample.ts';
import { createReadingParser } from '../../packages/server/src/measurements/ingest/readings/reading.ts';
import { readingOf } from '../../packages/server/src/measurements/telemetry/thinning.ts';
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

  test('when there are too many sets of quantities, further ones share the list of all', async () => {
    const { db } = database();
    const { count } = await db
      .selectFrom('fieldList')
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const series = createSqlSeries(db, createFieldLists(db, count + 1));
    const parse = createReadingParser(series.fieldLists);
    const at = Date.parse('2026-01-01T00:00:00Z');
    const shapes = [{ humidityPercent: 1 }, { dewPointC: 2, acPowerW: 3 }, { rainfallMm: 4 }];
    const { valid } = await parse(
      shapes.map((values, i) => ({ sn: 'X', at: at + i, values })),
      at,
    );
    expect(
      valid.map(({ fields }) => fields.names.length).filter((length) => length > 100).length,
    ).toBe(2);
    await db
      .transaction()
      .execute((trx) =>
        series.put(trx, { samples: valid.map((sample) => ({ seriesId: 88, sample })) }),
      );
    const found = (await createSqlSeries(db).range(db, 88, 0, at * 2)).map(readingOf);
    expect(found.map(({ values }) => values)).toEqual(shapes);
    const merged = mergeSample(valid[1]!, valid[2]!, series.fieldLists);
    expect(readingOf(merged).values).toEqual({ ...shapes[1], ...shapes[2] });
  });

  test('a list that was never made is an error, not an endless search', async () => {
    const { db } = database();
    await expect(
      createSqlSeries(db).fieldLists.resolving(db, (listOf) => listOf(30_000)),
    ).rejects.toThrow('field list 30000');
  });
});
