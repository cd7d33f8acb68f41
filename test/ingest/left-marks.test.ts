import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { describeSeriesEnginesOn } from '../support/engines.ts';
import { Failed, failingBefore, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const AT = Date.parse('2026-06-15T10:00:00Z');
const MINUTE = 60_000;

// What marks show is calculated again; that costs all days of a device, and is not done for nothing.
describeSeriesEnginesOn(/memory/, 'marks without anything half-written', (database, seriesOf) => {
  const clock = settableClock('2026-08-01T00:00:00Z');
  const world = createReportingWorld(database, clock, seriesOf);

  const reportTo = (
    series: Series,
    { collectorId, sn }: Installation,
    minute: number,
  ): Promise<unknown> =>
    createIngest({ db: database().db, clock, series })({ collectorId }, [
      { sn, at: AT + minute * MINUTE, values: { acPowerW: 100 } },
    ]);
  const claimOf = ({ series }: Installation) =>
    database()
      .db.selectFrom('seriesClaim')
      .select(['attempt', 'stored'])
      .where('series', '=', series)
      .executeTakeFirstOrThrow();

  test('of an attempt that was stored as a whole are taken away by the next report, and nothing is calculated again', async () => {
    const device = await world.install();
    const series = seriesOf(database().db);
    // Field lists are created first.
    await reportTo(series, await world.install(), 0);
    await expect(
      reportTo(stepwiseSeries(series, failingBefore('removal of a mark').step), device, 0),
    ).rejects.toThrow(Failed);
    expect(await series.marks([device.binding])).toHaveLength(1);
    let sealed = 0;
    const counting: Series = {
      ...series,
      withRevisions: () => counting,
      async seal(...given) {
        sealed += 1;
        await series.seal(...given);
      },
    };
    expect(await reportTo(counting, device, 1)).toMatchObject({ accepted: 1 });
    expect(sealed).toBe(0);
    expect(await series.marks([device.binding])).toEqual([]);
    // Of one that was not stored, they are.
    await expect(
      reportTo(stepwiseSeries(series, failingBefore('day').step), device, 2),
    ).rejects.toThrow(Failed);
    await reportTo(counting, device, 3);
    expect(sealed).toBe(1);
  });

  test('of an attempt that is still writing are waited for by readers', async () => {
    const device = await world.install();
    const { db } = database();
    const series = seriesOf(db);
    await reportTo(series, device, 0);
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held: Series = {
      ...series,
      withRevisions: () => held,
      async put(...given) {
        reached.resolve();
        await released.promise;
        await series.put(...given);
      },
    };
    const report = reportTo(held, device, 1);
    await reached.promise;
    const { attempt } = await claimOf(device);
    const read = createTelemetry(settledReads(db, series)).latestOf(db, [device.binding]);
    released.resolve();
    await report;
    expect((await read).size).toBe(1);
    // Nobody has written after it.
    expect(await claimOf(device)).toEqual({ attempt: null, stored: attempt });
  });
});
