import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { requestRecalculation } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { engineOf } from '../../packages/server/src/platform/storage/engine.ts';
import { createRecalculation } from '../../packages/server/src/measurements/ingest/recalculation/recalculate.ts';
import { lockReportableDevices } from '../../packages/server/src/measurements/bindings/reportable-devices.ts';
import { describeEngines } from '../support/engines.ts';
import { createRecalculations } from '../support/recalculations.ts';
import { runOf } from '../support/runs.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from './installation.ts';
import { olderDay } from './older-days.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** What the reading at midnight adds to the day before it, at a kilowatt. */
const LAST_HOUR_WMS = 1000 * HOUR;

describeEngines('recalculation', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);

  /** A kilowatt from hour to hour. */
  const fill = (device: Installation, from: string, days: number, kw = 1): Promise<unknown> =>
    world.report(
      device,
      Array.from({ length: days * 24 + 1 }, (_, i) => ({
        at: Date.parse(from) + i * HOUR,
        values: { acPowerW: kw * 1000 },
      })),
    );
  const price = (device: Installation, from: string | 0, pricePerKwh: number): Promise<void> =>
    world.write((trx) =>
      setTariff(trx, world.act(), device.plantId, 'production', {
        fromAt: from === 0 ? 0 : Date.parse(from),
        pricePerKwh,
      }),
    );
  const pending = async (device: Installation): Promise<number | undefined> =>
    (
      await database()
        .db.selectFrom('recalculation')
        .select('fromAt')
        .where('binding', '=', device.binding)
        .executeTakeFirst()
    )?.fromAt;
  const step = (device: Installation): Promise<unknown> =>
    createRecalculation({ db: database().db, clock, series: world.parts().series }).run(
      runOf(database().db, String(device.binding)),
    );
  const total = async (device: Installation): Promise<number> => {
    const latest = (await world.parts().telemetry.latestOf(database().db, [device.binding])).get(
      device.binding,
    )!;
    return latest.energiesToDate(latest.day).production!.amounts!.total;
  };

  test('goes month by month, so that an instance that dies leaves the rest to another', async () => {
    const device = await world.install();
    await fill(device, '2026-01-30T00:00:00Z', 80);
    await price(device, 0, 0.1);
    await step(device);
    expect(await pending(device)).toBe(Date.parse('2026-02-01T00:00:00Z'));
    // Each step leaves sums that agree with the days as they are.
    expect(await total(device)).toBeCloseTo(2 * 24 * 0.1, 6);
    await step(device);
    await step(device);
    expect(await pending(device)).toBe(Date.parse('2026-04-01T00:00:00Z'));
    expect(await world.runWork()).toBeGreaterThan(0);
    expect(await pending(device)).toBeUndefined();
    expect(await total(device)).toBeCloseTo(80 * 24 * 0.1, 6);
    expect(
      await database()
        .db.selectFrom('task')
        .select('key')
        .where('key', '=', String(device.binding))
        .execute(),
    ).toEqual([]);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('a step that fails changes nothing and is asked for still', async () => {
    const device = await world.install();
    await fill(device, '2026-03-30T00:00:00Z', 3);
    await price(device, 0, 0.1);
    const before = await world.rollups(device.binding);
    const { series } = world.parts();
    const broken = { ...series, put: () => Promise.reject(new Error('the disk is full')) };
    await expect(
      createRecalculation({ db: database().db, clock, series: broken }).run(
        runOf(database().db, String(device.binding)),
      ),
    ).rejects.toThrow('the disk is full');
    expect([await world.rollups(device.binding), await pending(device)]).toEqual([before, 0]);
    await world.runWork();
    expect(await total(device)).toBeCloseTo(7.2, 6);
  });

  test('readings that arrive between its steps count, late ones too', async () => {
    const device = await world.install();
    await fill(device, '2026-03-20T00:00:00Z', 40);
    await price(device, 0, 0.1);
    await step(device);
    await world.report(device, [
      { at: Date.parse('2026-03-25T00:30:00Z'), values: { acPowerW: 3000 } },
      { at: Date.parse('2026-04-29T01:00:00Z'), values: { acPowerW: 1000 } },
    ]);
    await price(device, '2026-03-21T00:00:00Z', 0.2);
    await world.runWork();
    // The late reading adds two triangles of half an hour.
    expect(await total(device)).toBeCloseTo(2.4 + 39 * 24 * 0.2 + (1 + 1) * 0.2, 6);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('a change that is asked for again during the work begins where the earlier of both does', async () => {
    const device = await world.install();
    await fill(device, '2026-01-10T00:00:00Z', 100);
    await price(device, 0, 0.1);
    await step(device);
    await price(device, '2026-03-01T00:00:00Z', 0.3);
    expect(await pending(device)).toBe(Date.parse('2026-02-01T00:00:00Z'));
    await price(device, '2026-01-20T00:00:00Z', 0.2);
    expect(await pending(device)).toBe(Date.parse('2026-01-20T00:00:00Z'));
    await world.runWork();
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('two instances share the work, and reports go on at the same time', async () => {
    const devices = [await world.install(), await world.install(), await world.install()];
    for (const device of devices) await fill(device, '2026-04-01T00:00:00Z', 60);
    await Promise.all(devices.map((device) => price(device, 0, 0.1)));
    const instances = [
      createRecalculations(database().db, clock),
      createRecalculations(database().db, clock),
    ];
    const reports = devices.map((device) => fill(device, '2026-05-31T00:00:00Z', 2));
    const [runs] = await Promise.all([
      Promise.all(instances.map((instance) => instance.runDue())),
      ...reports,
    ]);
    expect(runs.reduce((sum, n) => sum + n)).toBeGreaterThanOrEqual(devices.length * 3);
    await world.runWork();
    for (const device of devices) {
      expect(await total(device)).toBeCloseTo(62 * 24 * 0.1, 6);
      expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
    }
  });

  test('waits for a report of the device that is being stored', async () => {
    const device = await world.install();
    await fill(device, '2026-05-01T00:00:00Z', 2);
    await price(device, 0, 0.1);
    const { db } = database();
    const order: string[] = [];
    let recalculation: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await lockReportableDevices(trx, 'operator', [device.sn]);
      recalculation = step(device).then(() => order.push('recalculated'));
      // On SQLite no other write transaction begins before this one has ended.
      if (engineOf(db) === 'postgres') await expect.poll(() => isWaitedFor(db, device)).toBe(true);
      order.push('stored');
    });
    await recalculation;
    expect(order).toEqual(['stored', 'recalculated']);
  });

  test.each([
    ['from the beginning', 0],
    ['from after the last reading', Date.parse('2026-06-02T12:00:00Z')],
  ])(
    'a zone put right for the past moves the days, and those that nothing lies in any more are gone: %s',
    async (_, since) => {
      const device = await world.install({ timeZone: 'Pacific/Kiritimati' });
      await price(device, 0, 0.1);
      // Both zones see midnight at 10:00 UTC, Kiritimati that before the 2nd and Honolulu that before the 1st.
      const times = ['01:00', '09:30', '10:30'].map((time) => Date.parse(`2026-06-01T${time}:00Z`));
      await world.report(
        device,
        times.map((at) => ({ at, values: { acPowerW: 1000 } })),
      );
      const { db } = database();
      await world.runWork();
      await db
        .updateTable('plantZone')
        .set({ timeZone: 'Pacific/Honolulu' })
        .where('plantId', '=', device.plantId)
        .execute();
      await db
        .updateTable('plant')
        .set({ timeZone: 'Pacific/Honolulu' })
        .where('id', '=', device.plantId)
        .execute();
      await world.write((trx) => requestRecalculation(trx, device.plantId, since, clock.at));
      await world.runWork();
      const days = await world.parts().telemetry.daysOf(db, [device.binding], 0, 99_999_999);
      expect(days.map(({ day, samples }) => [day, samples])).toEqual([
        [20260531, 2],
        [20260601, 1],
      ]);
      expect(await total(device)).toBeCloseTo(0.1, 6);
      expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
    },
  );

  test('days stored before money was known stay readable and get theirs', async () => {
    const device = await world.install();
    await fill(device, '2026-05-30T00:00:00Z', 4);
    const { db } = database();
    // Version 1 as it was written: no masks of prices and money.
    const stored = await db
      .selectFrom('deviceDay')
      .selectAll()
      .where('binding', '=', device.binding)
      .orderBy('day')
      .execute();
    expect(stored.length).toBe(5);
    const [before] = await world
      .parts()
      .series.days(db, [device.binding], stored.at(-2)!.day, stored.at(-2)!.day);
    const old = olderDay(1, before!.state, LAST_HOUR_WMS);
    await db
      .updateTable('deviceDay')
      .set({ state: old })
      .where('binding', '=', device.binding)
      .where('day', '=', stored.at(-2)!.day)
      .execute();
    const days = await world.parts().telemetry.daysOf(db, [device.binding], 0, 99_999_999);
    expect(days.map(({ energies }) => energies.production!.energyKwh)).toEqual([24, 24, 24, 24, 0]);
    await price(device, 0, 0.5);
    await world.runWork();
    expect(await total(device)).toBeCloseTo(4 * 24 * 0.5, 6);
  });

  test.each([
    ['at the instant of a move', 0],
    ['after it, since the device’s clock is ahead,', HOUR],
  ])('a reading that was stored before, %s belongs to the later plant', async (_, aheadMs) => {
    const { db } = database();
    const device = await world.install();
    const next = await world.plant((await world.person()).id, { timeZone: 'UTC' });
    const movedAt = clock.at;
    const level = (at: number, energyTotalKwh: number) => ({
      at,
      values: { energyTotalKwh, acPowerW: 1000 },
    });
    await world.report(device, [
      level(movedAt - 2 * HOUR, 100),
      level(movedAt - HOUR, 101),
      level(movedAt + aheadMs, 102),
    ]);
    await world.write(async (trx) => {
      await endBinding(trx, world.act(), device.deviceId, device.plantId);
      await bindDevice(trx, world.act(), device.deviceId, next);
    });
    expect(await world.runWork()).toBeGreaterThan(0);
    const bindings = (
      await db
        .selectFrom('binding')
        .select('no')
        .where('deviceId', '=', device.deviceId)
        .orderBy('no')
        .execute()
    ).map(({ no }) => no);
    const days = await world.parts().telemetry.daysOf(db, bindings, 0, 99_999_999);
    expect(
      days.map(({ samples, lastAt, energies }) => [
        samples,
        lastAt,
        energies.production?.energyKwh,
      ]),
    ).toEqual([
      [2, movedAt - HOUR, 1],
      [1, movedAt + aheadMs, 1],
    ]);
    for (const no of bindings) {
      const stored = await world.rollups(no);
      expect(stored).toEqual(await world.recalculated(no));
    }
  });

  test('a device of very many readings is done by days', async () => {
    const device = await world.install();
    const from = Date.parse('2026-05-01T00:00:00Z');
    const readings = Array.from({ length: 2 * 8640 + 10 }, (_, i) => ({
      at: from + i * 10_000,
      values: { acPowerW: 1000 },
    }));
    for (let i = 0; i < readings.length; i += 5_000)
      await world.report(device, readings.slice(i, i + 5_000));
    await price(device, 0, 1);
    await step(device);
    expect(await pending(device)).toBe(from + DAY);
    await world.runWork();
    expect(await total(device)).toBeCloseTo(48 + 9 / 360, 6);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });
});

/** Somebody waits for what a report of the device holds. */
async function isWaitedFor(db: Db, { series }: Installation): Promise<boolean> {
  const { rows } =
    await sql`select 1 from pg_locks where locktype = 'advisory' and not granted and objid = ${series}`.execute(
      db,
    );
  return rows.length > 0;
}
