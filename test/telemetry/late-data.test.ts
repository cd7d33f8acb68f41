import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { createIngest, type Ingest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createPostgresDatabase, describeEngines, type TestDatabase } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld } from './installation.ts';

const MINUTE = 60_000;
const DAY = 1440;

describeEngines('late readings', (database) => {
  const world = createReportingWorld(database, settableClock('2026-12-01T00:00:00Z'));
  const start = Date.parse('2026-02-26T00:00:00Z');
  const reading = (minute: number) => ({
    at: start + minute * MINUTE,
    values: { energyTotalKwh: 100 + minute / 60, acPowerW: 1000 },
  });
  const range = (from: number, to: number, step: number) =>
    Array.from({ length: (to - from) / step }, (_, i) => reading(from + i * step));

  const energies = async (binding: number): Promise<[number, number | undefined][]> =>
    (await world.parts().telemetry.daysOf(database().db, [binding], 0, 99_999_999)).map(
      ({ day, energies: { production } }) => [day, production?.energyKwh],
    );

  test('of a day in the middle land there, and the days around follow', async () => {
    const device = await world.install();
    await world.report(device, [...range(0, DAY, 30), ...range(2 * DAY, 3 * DAY, 30)]);
    expect(await energies(device.binding)).toEqual([
      [20260226, 23.5],
      // Nothing was read on it; what the counter grew from 23:30 of the day before on, it grew by daylight.
      [20260227, 24.5],
      [20260228, 23.5],
    ]);
    await world.report(device, range(DAY, 2 * DAY, 30).toReversed());
    expect(await energies(device.binding)).toEqual([
      [20260226, 24],
      [20260227, 24],
      [20260228, 23.5],
    ]);
    const months = await world
      .parts()
      .telemetry.monthsOf(database().db, [device.binding], 202602, 202602);
    expect(months[0]?.energies.production).toEqual({
      energyKwh: 71.5,
      estimated: false,
      days: 3,
      highestShare: 0.077,
    });
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('of before everything move the beginning, and the total stays the device’s', async () => {
    const device = await world.install();
    await world.report(device, range(3 * DAY, 5 * DAY, 30));
    await world.report(device, range(0, 2 * DAY, 30));
    const latest = (await world.parts().telemetry.latestOf(database().db, [device.binding])).get(
      device.binding,
    )!;
    // Of the last day of February nothing was read, but the day after says what it grew.
    expect(latest.energiesToDate(latest.day).production).toMatchObject({
      totalKwh: 100 + (5 * 24 - 0.5),
      yearKwh: 5 * 24 - 0.5,
      monthKwh: 47.5,
    });
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('that correct a value replace it in the day’s energy, its peak and the following sums', async () => {
    const device = await world.install();
    const power = (minute: number, acPowerW: number) => ({
      at: start + minute * MINUTE,
      values: { acPowerW },
    });
    await world.report(device, [
      power(600, 1000),
      power(630, 5000),
      power(660, 1000),
      power(DAY + 600, 1000),
      power(DAY + 630, 1000),
    ]);
    const { telemetry } = world.parts();
    await world.report(device, [power(630, 1000)]);
    const [first] = await telemetry.daysOf(database().db, [device.binding], 20260226, 20260226);
    expect(first).toMatchObject({
      peakPowerW: 1000,
      samples: 3,
      energies: { production: { energyKwh: 1, estimated: true } },
    });
    const latest = (await telemetry.latestOf(database().db, [device.binding])).get(device.binding)!;
    expect(latest.energiesToDate(20260227).production).toEqual({
      dayKwh: 0.5,
      monthKwh: 1.5,
      yearKwh: 1.5,
      totalKwh: 1.5,
      estimated: true,
      days: 2,
      highestShare: 0.004,
    });
    expect(latest.energiesToDate(20260228).production).toMatchObject({ dayKwh: 0, monthKwh: 1.5 });
    expect(latest.energiesToDate(20260301).production).toMatchObject({
      dayKwh: 0,
      monthKwh: 0,
      yearKwh: 1.5,
    });
    expect(latest.energiesToDate(20270101).production).toMatchObject({ yearKwh: 0, totalKwh: 1.5 });
  });

  test('between two readings of a counter leave its growth divided among the days between', async () => {
    const device = await world.install();
    const exported = (day: number, kwh: number) => ({
      at: start + (day * DAY + 23 * 60) * MINUTE,
      values: { gridExportTotalKwh: kwh },
    });
    await world.report(device, [exported(0, 100), exported(6, 160)]);
    // After dark on the first day nothing was exported: what the sixth finds out begins with the second.
    await world.report(device, [
      { at: start + (3 * DAY + 600) * MINUTE, values: { acPowerW: 500 } },
    ]);
    const days = await world
      .parts()
      .telemetry.daysOf(database().db, [device.binding], 0, 99_999_999);
    expect(days.map(({ day, energies: { gridExport } }) => [day, gridExport?.energyKwh])).toEqual(
      [20260226, 20260227, 20260228, 20260301, 20260302, 20260303, 20260304].map((day, i) => [
        day,
        i === 0 ? undefined : expect.closeTo(10, 5),
      ]),
    );
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  /** A total counter that leaves 5000 kWh on the first day, and levels that follow. */
  const leaving = (...levels: readonly (readonly [day: number, hour: number, kwh: number])[]) =>
    ([[1, 10, 5000], [1, 11, 1], [1, 12, 1], ...levels] as const).map(
      ([day, hour, energyTotalKwh]) => ({
        at: start + ((day - 1) * DAY + hour * 60) * MINUTE,
        values: { energyTotalKwh },
      }),
    );
  const energyOn = async (binding: number, day: number): Promise<number | undefined> =>
    (await energies(binding)).find((row) => row[0] === day)?.[1];

  test.each([
    {
      name: 'a later day had given it a share of growth before that',
      reported: leaving([4, 12, 3]),
      late: [3, 12, 5000] as const,
      before: 0.666667,
    },
    {
      name: 'an earlier day gives it a share of growth after that',
      reported: leaving([3, 12, 1], [3, 13, 3], [4, 12, 5000]),
      late: [3, 10, 2] as const,
      before: undefined,
    },
  ])(
    'that change who knows of a day without readings leave a return what it subtracts: $name',
    async ({ reported, late, before }) => {
      const device = await world.install();
      await world.report(device, reported);
      expect(await energyOn(device.binding, 20260227)).toEqual(before);
      await world.report(device, leaving(late).slice(-1));
      const stored = await world.rollups(device.binding);
      expect(await energyOn(device.binding, 20260227)).toBe(undefined);
      expect(stored).toEqual(await world.recalculated(device.binding));
    },
  );

  test('that give days without readings the same shares again leave them in their month', async () => {
    const device = await world.install();
    const at = (day: number, kwh: number, hour = 12) => ({
      at: start + (day * DAY + hour * 60) * MINUTE,
      values: { energyTotalKwh: kwh },
    });
    // The second of these days, 2 March, is without readings.
    await world.report(device, [at(3, 100), at(5, 120), at(6, 130)]);
    const before = await energies(device.binding);
    await world.report(device, [at(5, 121, 13)]);
    expect((await energies(device.binding))[1]).toEqual(before[1]);
    const [march] = await world
      .parts()
      .telemetry.monthsOf(database().db, [device.binding], 202603, 202603);
    expect(march!.energies.production).toMatchObject({ energyKwh: 30, days: 4 });
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('that are ahead of the clock leave today’s energies as they are', async () => {
    const device = await world.install();
    await world.report(device, range(0, 2 * DAY + 600, 30));
    const today = async () =>
      (await world.parts().telemetry.latestOf(database().db, [device.binding]))
        .get(device.binding)!
        .energiesToDate(20260228).production;
    const before = await today();
    expect(before).toEqual({
      dayKwh: 9.5,
      monthKwh: 57.5,
      yearKwh: 57.5,
      totalKwh: 157.5,
      countedBeforeKwh: 100,
      estimated: false,
      days: 3,
      highestShare: 0.077,
    });
    // 1 March: another day and another month.
    await world.report(device, [{ at: start + (3 * DAY + 600) * MINUTE, values: { acPowerW: 5 } }]);
    expect(await today()).toEqual(before);
    await world.report(device, range(2 * DAY + 600, 2 * DAY + 660, 30));
    expect(await today()).toMatchObject({ dayKwh: 10.5, totalKwh: 158.5 });
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('the course of a day agrees with its roll-up at each reading, and ends in it', async () => {
    const device = await world.install();
    await world.report(device, range(0, 2 * DAY, 30));
    const { telemetry } = world.parts();
    const { db } = database();
    const course = async (day: number, fromAt: number) =>
      (
        await telemetry.dayCurves(
          db,
          day,
          [
            {
              bindingNo: device.binding,
              seriesId: device.series,
              fromAt,
              toAt: fromAt + DAY * MINUTE,
            },
          ],
          true,
        )
      )[0]!;
    const rows = await course(20260226, start);
    expect(rows.length).toBe(48);
    expect(rows.slice(0, 3).map(({ energies: { production } }) => production)).toEqual([
      { dayKwh: 0, totalKwh: 100 },
      { dayKwh: 0.5, totalKwh: 100.5 },
      { dayKwh: 1, totalKwh: 101 },
    ]);
    // The last reading is of 23:30; what was produced from then to midnight came with the next day's first.
    expect(rows.at(-1)?.energies.production).toEqual({ dayKwh: 24, totalKwh: 123.5 });
    const next = await course(20260227, start + DAY * MINUTE);
    expect(next.at(-1)?.energies.production).toEqual({ dayKwh: 23.5, totalKwh: 147.5 });
  });
});

describe.skipIf(inject('postgresUrl') === '')('two instances on one PostgreSQL', () => {
  let database: TestDatabase;
  let instances: { storage: Storage; ingest: Ingest }[];
  const clock = settableClock('2026-12-01T00:00:00Z');
  const world = createReportingWorld(() => database, clock);

  beforeAll(async () => {
    database = await createPostgresDatabase();
    instances = [0, 1].map(() => {
      const storage = openStorage(database.address);
      return {
        storage,
        ingest: createIngest({ db: storage.db, clock, series: createSqlSeries(storage.db) }),
      };
    });
  });
  afterAll(async () => {
    for (const { storage } of instances) await storage.close();
    await database.drop();
  });

  test('that get reports of the same devices at once, old and new, agree with a recalculation', async () => {
    const devices = await Promise.all([
      world.install(),
      world.install({ timeZone: 'Asia/Kathmandu' }),
    ]);
    const start = Date.parse('2026-03-01T00:00:00Z');
    const batches = Array.from({ length: 40 }, (_, n) =>
      Array.from({ length: 12 }, (_each, i) => {
        const minute = ((n * 17) % 40) * 120 + i * 10;
        return devices.map(({ sn }) => ({
          sn,
          at: start + minute * MINUTE,
          values: {
            acPowerW: minute % 700,
            energyTotalKwh: minute / 100,
            ...(n % 3 === 0 && { temperatureC: n }),
          },
        }));
      }).flat(),
    );
    const answers = await Promise.all(
      batches.map((batch, n) =>
        instances[n % 2]!.ingest('operator', n % 2 ? batch : batch.toReversed()),
      ),
    );
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(40 * 24);
    for (const { binding, series } of devices) {
      expect(
        (await world.parts().telemetry.readingsBetween(database.db, series, 0, clock.at)).length,
      ).toBe(480);
      expect(await world.rollups(binding)).toEqual(await world.recalculated(binding));
    }
  });
});
