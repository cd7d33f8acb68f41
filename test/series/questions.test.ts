import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { describeEngines, describeSeriesEngines } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { noting } from './noting.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld } from '../telemetry/installation.ts';

const HOUR = 3_600_000;

describeSeriesEngines('what an engine is asked', (database, seriesOf) => {
  const clock = settableClock('2026-08-01T00:00:00Z');
  const world = createReportingWorld(database, clock, seriesOf);
  const start = Date.parse('2026-06-01T00:00:00Z');

  test('for a report that goes on: the newest days and one write, and nothing for marks where it shares transactions', async () => {
    const device = await world.install();
    const { db } = database();
    const { series, asked } = noting(seriesOf(db));
    const ingest = createIngest({ db, clock, series });
    const report = async (hour: number): Promise<string[]> => {
      asked.length = 0;
      const values = { acPowerW: 1000, energyTotalKwh: 100 + hour };
      expect(
        await ingest({ collectorId: device.collectorId }, [
          { sn: device.sn, at: start + hour * HOUR, values },
        ]),
      ).toMatchObject({ accepted: 1 });
      return [...asked];
    };
    // The first three at once.
    const marked = (...inside: string[]): string[] =>
      series.sharesTransaction ? inside : ['marks', ...inside.toSpliced(1, 0, 'mark'), 'unmark'];
    await report(1);
    expect(await report(2)).toEqual(marked('newestDays', 'put'));
    // A day closes: it is added to its month, or the month is made from its days, and the sums from the months.
    expect(await report(25)).toEqual(marked('newestDays', 'months', 'put'));
    expect(await report(50)).toEqual(
      marked('newestDays', ...(series.sharesTransaction ? [] : ['days']), 'months', 'put'),
    );
    expect(await report(51)).toEqual(marked('newestDays', 'put'));
  });

  test('for the newest values of a thousand devices: one question', async () => {
    const device = await world.install();
    await world.report(device, [{ at: start, values: { acPowerW: 1000 } }]);
    const { db } = database();
    const { series, asked } = noting(seriesOf(db));
    const latest = await createTelemetry(settledReads(db, series)).latestOf(
      db,
      Array.from({ length: 1000 }, (_, i) => device.binding + i),
    );
    expect([asked, [...latest.keys()]]).toEqual([['newestDays'], [device.binding]]);
  });
});

describeEngines('what the main database is asked as an engine', (database) => {
  test('the newest values of a thousand devices are one statement', async () => {
    const { db, texts } = listening(database().db);
    await createTelemetry(settledReads(db, createSqlSeries(db))).latestOf(
      db,
      Array.from({ length: 1000 }, (_, i) => i + 1),
    );
    expect(texts).toHaveLength(1);
  });
});
