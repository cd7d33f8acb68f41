import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:30:00Z');
const DAYS = 30;
const OF_A_DAY = 12;

describeEngines('a late report of many days, each of many readings,', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  const dense = (day: number) =>
    Array.from({ length: OF_A_DAY }, (_, i) => ({
      at: START + day * DAY + i * HOUR,
      values: { acPowerW: 100 * i, energyTotalKwh: 10 * day + i / 2 },
    }));
  const late = Array.from({ length: DAYS }, (_, day) => ({
    at: START + day * DAY + 5.5 * HOUR,
    values: { acPowerW: 4_000, energyTotalKwh: 10 * day + 2.6 },
  }));

  /** Reports with a bound of its own; what was written at once, in days of devices. */
  async function report(
    devices: readonly Installation[],
    lateSamples: number,
    readings: readonly { at: number; values: Record<string, number> }[],
  ) {
    const { db } = database();
    const series = world.parts().series;
    const written: number[] = [];
    const watched: Series = Object.assign(Object.create(series) as Series, {
      put: (trx: Parameters<Series['put']>[0], rows: Parameters<Series['put']>[1]) => {
        written.push(rows.days?.length ?? 0, rows.samples?.length ?? 0);
        return series.put(trx, rows);
      },
    });
    const ingest = createIngest({ db, clock, series: watched, lateSamples });
    const answer = await ingest(
      { collectorId: devices[0]!.collectorId },
      devices.flatMap(({ sn }) => readings.map((one) => ({ ...one, sn }))),
    );
    return { answer, most: Math.max(...written) };
  }
  const stored = async ({ series, binding }: Installation) => {
    const { db } = database();
    const of = world.parts().series;
    return {
      samples: (await of.range(db, series, 0, Infinity)).map(({ at, values }) => [at, values]),
      days: (await of.days(db, [binding], 0, 99_999)).map(({ day, state }) => [day, state]),
    };
  };

  test('is stored in parts, none of which folds more than it may, and as if it were in one', async () => {
    const [parted, whole] = [await world.install(), await world.install()];
    for (const device of [parted, whole])
      await world.report(device, Array.from({ length: DAYS }, (_, day) => dense(day)).flat());
    const bounded = await report([parted], 5 * OF_A_DAY, late);
    const unbounded = await report([whole], 1_000_000, late);
    for (const { answer } of [bounded, unbounded])
      expect(answer).toMatchObject({ accepted: DAYS, duplicate: 0, refused: [] });
    expect(await stored(parted)).toEqual(await stored(whole));
    expect((await stored(parted)).samples).toHaveLength(DAYS * (OF_A_DAY + 1));
    expect(unbounded.most).toBeGreaterThanOrEqual(DAYS);
    expect(bounded.most).toBeLessThanOrEqual(10);
    // Sent again, it is known.
    expect((await report([parted], 5 * OF_A_DAY, late)).answer).toMatchObject({
      accepted: 0,
      duplicate: DAYS,
    });
  });

  test('refuses what it would refuse in one part, each under its number', async () => {
    const device = await world.install();
    await world.report(device, Array.from({ length: DAYS }, (_, day) => dense(day)).flat());
    const foreign = late.map((one, i) =>
      i % 7 === 3 ? { ...one, sn: 'NOBODY-1' } : { ...one, sn: device.sn },
    );
    const { db } = database();
    const answer = await createIngest({
      db,
      clock,
      series: world.parts().series,
      lateSamples: 3 * OF_A_DAY,
    })({ collectorId: device.collectorId }, foreign);
    const refused = foreign.flatMap(({ sn }, index) => (sn === device.sn ? [] : [index]));
    expect(answer.accepted).toBe(DAYS - refused.length);
    expect(answer.refused.map(({ index }) => index)).toEqual(refused);
  });

  test.each([3, 10])('of %i days, too, and stores one that cannot be parted', async (count) => {
    const [parted, whole] = [await world.install(), await world.install()];
    const few = late.slice(0, count);
    for (const device of [parted, whole])
      await world.report(device, Array.from({ length: count }, (_, day) => dense(day)).flat());
    // Fewer than a single day has.
    const bounded = await report([parted], OF_A_DAY - 1, few);
    await report([whole], 1_000_000, few);
    expect(bounded.answer).toMatchObject({ accepted: count, refused: [] });
    expect(bounded.most).toBeLessThanOrEqual(2);
    expect(await stored(parted)).toEqual(await stored(whole));
  });
});
