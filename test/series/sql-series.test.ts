import { expect, test } from 'vitest';
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

  test('a list that was never made is an error, not an endless search', async () => {
    const { db } = database();
    await expect(
      createSqlSeries(db).fieldLists.resolving(db, (listOf) => listOf(30_000)),
    ).rejects.toThrow('field list 30000');
  });
});
