import { expect, test } from 'vitest';
import { insertDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { REFUSALS_KEPT } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { describeEngines } from '../support/engines.ts';
import { createReportingWorld } from '../telemetry/installation.ts';

const MINUTE = 60_000;

describeEngines('ingest', (database) => {
  const world = createReportingWorld(database);
  const start = Date.parse('2026-06-15T06:00:00Z');

  const reading = (minutes: number, values: Record<string, number>) => ({
    at: start + minutes * MINUTE,
    values,
  });

  test('a reading is answered as accepted, stored and summed up', async () => {
    const device = await world.install();
    expect(
      await world.report(device, [
        reading(0, { acPowerW: 1000, energyTotalKwh: 812.25 }),
        reading(5, { acPowerW: 1200, energyTotalKwh: 812.35 }),
      ]),
    ).toEqual({
      accepted: 2,
      duplicate: 0,
      refused: [],
    });
    const { db } = database();
    const { telemetry } = world.parts();
    const latest = (await telemetry.latestOf(db, [device.binding])).get(device.binding)!;
    expect(latest).toMatchObject({
      day: 20260615,
      samples: 2,
      values: { acPowerW: 1200, energyTotalKwh: 812.35 },
      peakPowerW: 1200,
    });
    expect(latest.energiesToDate(20260615).production).toEqual({
      dayKwh: 0.1,
      monthKwh: 0.1,
      yearKwh: 0.1,
      totalKwh: 812.35,
      countedBeforeKwh: 812.25,
      days: 1,
      highestShare: 0.001,
      estimated: false,
    });
    expect(await telemetry.readingsBetween(db, device.series, start, start + 6 * MINUTE)).toEqual([
      { at: start, values: { acPowerW: 1000, energyTotalKwh: 812.25 } },
      { at: start + 5 * MINUTE, values: { acPowerW: 1200, energyTotalKwh: 812.35 } },
    ]);
  });

  test('the same reading again is a duplicate and changes nothing', async () => {
    const device = await world.install();
    const readings = [
      reading(0, { acPowerW: 5 }),
      reading(5, { acPowerW: 6 }),
      reading(5, { acPowerW: 6 }),
    ];
    expect(await world.report(device, readings)).toMatchObject({ accepted: 2, duplicate: 1 });
    const before = await world.rollups(device.binding);
    expect(await world.report(device, readings)).toMatchObject({ accepted: 0, duplicate: 3 });
    expect(await world.rollups(device.binding)).toEqual(before);
    expect(
      await world.report(device, [
        reading(0, { acPowerW: 5 }),
        reading(0, { acPowerW: 5 }),
        reading(0, { acPowerW: 7 }),
      ]),
    ).toMatchObject({
      accepted: 1,
      duplicate: 2,
    });
  });

  test('other quantities of the same instant are added, other values replace', async () => {
    const device = await world.install();
    await world.report(device, [reading(0, { acPowerW: 5, temperatureC: 20 })]);
    expect(await world.report(device, [reading(0, { dcPowerW: 7 })])).toMatchObject({
      accepted: 1,
      duplicate: 0,
    });
    expect(
      await world.report(device, [
        reading(0, { acPowerW: 6 }),
        reading(0, { gridFrequencyHz: 50 }),
      ]),
    ).toMatchObject({ accepted: 2 });
    const { telemetry } = world.parts();
    expect(await telemetry.readingsBetween(database().db, device.series, start, start + 1)).toEqual(
      [{ at: start, values: { acPowerW: 6, temperatureC: 20, dcPowerW: 7, gridFrequencyHz: 50 } }],
    );
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  });

  test('a collector reports for its own devices alone, and learns no more of others than that', async () => {
    const [one, other] = [await world.install(), await world.install()];
    const { ingest } = world.parts();
    const answer = await ingest({ collectorId: one.collectorId }, [
      { sn: other.sn, at: start, values: { acPowerW: 1 } },
      { sn: 'NOBODYS', at: start, values: { acPowerW: 1 } },
      { sn: one.sn, at: start, values: { acPowerW: 1 } },
    ]);
    const reason = 'no device with this serial number is bound to this collector';
    expect(answer).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [
        { index: 0, reason },
        { index: 1, reason },
      ],
    });
    const refusals = await database()
      .db.selectFrom('collectorRefusal')
      .selectAll()
      .where('collectorId', '=', one.collectorId)
      .execute();
    expect(refusals.map(({ sn, count }) => `${sn} ${count}`).toSorted()).toEqual(
      [`${other.sn} 1`, 'NOBODYS 1'].toSorted(),
    );
  });

  test('what is refused is said reading by reading', async () => {
    const device = await world.install();
    const { ingest } = world.parts();
    const at = start;
    const bad: unknown[] = [
      null,
      [],
      { sn: '', at, values: { acPowerW: 1 } },
      { sn: 'a\u0000b', at, values: { acPowerW: 1 } },
      { sn: '\ud800', at, values: { acPowerW: 1 } },
      { sn: device.sn, at: '1700000000000', values: { acPowerW: 1 } },
      { sn: device.sn, at: 1700000000, values: { acPowerW: 1 } },
      { sn: device.sn, at: world.clock.now() + 86_400_001, values: { acPowerW: 1 } },
      { sn: device.sn, at: 1.5, values: { acPowerW: 1 } },
      { sn: device.sn, at, values: {} },
      { sn: device.sn, at, values: { acPowerW: Number.NaN } },
      { sn: device.sn, at, values: { acPowerW: Number.POSITIVE_INFINITY } },
      { sn: device.sn, at, values: { acPowerW: '5' } },
      { sn: device.sn, at, values: { acPowerW: null } },
      { sn: device.sn, at, values: { acPowerW: 1, warpFactor: 9 } },
      { sn: device.sn, at, values: [1] },
      { sn: device.sn, at, values: JSON.parse('{"__proto__": 5}') },
    ];
    const answer = await ingest({ collectorId: device.collectorId }, [
      ...bad,
      { sn: device.sn, at, values: { acPowerW: 1 } },
    ]);
    expect(answer).toMatchObject({ accepted: 1, duplicate: 0 });
    expect(answer.refused.map(({ index }) => index)).toEqual(bad.map((_, i) => i));
    expect(answer.refused.map(({ reason }) => reason)).toMatchInlineSnapshot(`
      [
        "a reading must be an object {sn, at, values}",
        "a reading must be an object {sn, at, values}",
        "sn must be a serial number of at most 64 printable characters without spaces and commas",
        "sn must be a serial number of at most 64 printable characters without spaces and commas",
        "sn must be a serial number of at most 64 printable characters without spaces and commas",
        "at must be a whole number, epoch milliseconds",
        "at is before 2000-01-01; it is in epoch milliseconds",
        "at is more than a day in the future",
        "at must be a whole number, epoch milliseconds",
        "values is empty",
        "acPowerW is not a finite number",
        "acPowerW is not a finite number",
        "acPowerW is not a finite number",
        "acPowerW is not a finite number",
        "unknown quantity "warpFactor"",
        "values must be an object {quantity: number}",
        "unknown quantity "__proto__"",
      ]
    `);
  });

  test('what is remembered of refusals stays bounded', async () => {
    const device = await world.install();
    const { ingest } = world.parts();
    for (let round = 0; round < 12; round++) {
      world.clock.at += 1000;
      await ingest(
        { collectorId: device.collectorId },
        Array.from({ length: 50 }, (_, i) => ({
          sn: `X${round}-${i}`,
          at: start,
          values: { acPowerW: 1 },
        })),
      );
    }
    const rows = await database()
      .db.selectFrom('collectorRefusal')
      .selectAll()
      .where('collectorId', '=', device.collectorId)
      .execute();
    expect(rows.length).toBeLessThanOrEqual(REFUSALS_KEPT);
    expect(rows.length).toBeGreaterThan(REFUSALS_KEPT / 2);
    expect(rows.some(({ sn }) => sn.startsWith('X11-'))).toBe(true);
    expect(rows.some(({ sn }) => sn.startsWith('X0-'))).toBe(false);
  });

  test('a reading belongs to the plant of its time', async () => {
    const device = await world.install();
    const movedAt = world.clock.at;
    await world.report(device, [
      reading(0, { acPowerW: 100, energyTotalKwh: 50 }),
      reading(5, { acPowerW: 100, energyTotalKwh: 51 }),
    ]);
    const { ownerId } = await database()
      .db.selectFrom('plant')
      .select('ownerId')
      .where('id', '=', device.plantId)
      .executeTakeFirstOrThrow();
    const second = await world.plant(ownerId, { timeZone: 'UTC' });
    await world.write((trx) => endBinding(trx, world.act(), device.deviceId, device.plantId));
    world.clock.at += 60 * MINUTE;
    await world.write((trx) => bindDevice(trx, world.act(), device.deviceId, second));
    world.clock.at += 60 * MINUTE;
    const answer = await world.report(device, [
      { at: movedAt - 1, values: { energyTotalKwh: 52 } },
      { at: movedAt + 30 * MINUTE, values: { energyTotalKwh: 53 } },
      { at: movedAt + 60 * MINUTE, values: { energyTotalKwh: 54 } },
      { at: movedAt + 65 * MINUTE, values: { energyTotalKwh: 55 } },
    ]);
    expect(answer).toMatchObject({
      accepted: 3,
      refused: [{ index: 1, reason: 'the device was in no plant at that time' }],
    });
    const { db } = database();
    const bindings = await db
      .selectFrom('binding')
      .select('no')
      .where('deviceId', '=', device.deviceId)
      .orderBy('fromAt')
      .execute();
    const latest = await world.parts().telemetry.latestOf(
      db,
      bindings.map(({ no }) => no),
    );
    // The former plant keeps its own, with the counter's past; the new one begins at nothing.
    expect(
      [...latest.values()].map((row) => row.energiesToDate(20260615).production?.totalKwh),
    ).toEqual([52, 1]);
    for (const { no } of bindings)
      expect(await world.rollups(no)).toEqual(await world.recalculated(no));
  });

  test('concurrent batches of many collectors all arrive', async () => {
    const devices = await Promise.all(Array.from({ length: 5 }, () => world.install()));
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        world.report(devices[i % 5]!, [reading(Math.floor(i / 5), { acPowerW: i })]),
      ),
    );
    expect(answers.every(({ accepted }) => accepted === 1)).toBe(true);
    for (const { binding } of devices) {
      const latest = (await world.parts().telemetry.latestOf(database().db, [binding])).get(
        binding,
      )!;
      expect(latest.samples).toBe(12);
      expect(await world.rollups(binding)).toEqual(await world.recalculated(binding));
    }
  });

  test('a batch of more devices than fit one transaction is stored whole', async () => {
    const device = await world.install();
    const sns = await world.write(async (trx) => {
      const made = Array.from({ length: 510 }, () => world.uniqueSn('MANY'));
      for (const sn of made)
        await bindDevice(
          trx,
          world.act(),
          await insertDevice(trx, world.act(), { sn, kind: 'inverter' }),
          device.plantId,
        );
      return made;
    });
    const readings = sns.map((sn) => ({ sn, at: start, values: { acPowerW: 1 } }));
    const { ingest } = world.parts();
    expect(
      await ingest('operator', [
        ...readings,
        { sn: 'NOBODYS', at: start, values: { acPowerW: 1 } },
      ]),
    ).toMatchObject({
      accepted: 510,
      refused: [{ index: 510 }],
    });
    expect(await ingest('operator', readings)).toEqual({
      accepted: 0,
      duplicate: 510,
      refused: [],
    });
  });
});
