import { expect, test } from 'vitest';
import { changeTimeZone } from '../../packages/server/src/fleet/plants/zones.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from '../operations/fleet.ts';

describeEngines('figures of plants and inverters', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);
  const at = (time: string): void => {
    clock.at = Date.parse(time);
  };

  const setUp = async (plantChange: object = {}) => {
    at('2026-05-01T00:00:00Z');
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await fleet.plant(owner.id, plantChange);
    const { sn } = await fleet.device(plantId);
    const production = async () => {
      const detail = await fleet.ask('inverterDetail', caller, { sn });
      const plant = await fleet.ask('stationDetail', caller, { id: plantId });
      const listed = (await fleet.ask('userStationList', caller)).page.records[0]!;
      const inListing = (await fleet.ask('inverterList', caller)).page.records[0]!;
      expect(plant.energies.production).toEqual(listed.energies.production);
      expect(inListing.energies.production).toEqual(plant.energies.production);
      const { yesterdayKwh: _, ...energies } = detail.energies.production!;
      expect(energies).toEqual(plant.energies.production);
      return [energies.todayKwh, energies.monthKwh, energies.yearKwh, energies.totalKwh].map(
        (kwh) => Math.round(kwh! * 1000) / 1000,
      );
    };
    return { owner, caller, plantId, sn, production };
  };

  test('today, month, year and total follow the plant’s calendar over midnight, month’s end and new year (W8)', async () => {
    const { sn, production } = await setUp({ timeZone: 'America/Denver' });
    // Denver is seven hours behind UTC in winter: its last day of the year ends at 07:00 UTC.
    at('2026-12-30T20:00:00Z');
    await fleet.report(sn, [
      ['2026-12-30T15:00:00Z', { energyTotalKwh: 100 }],
      ['2026-12-30T20:00:00Z', { energyTotalKwh: 110 }],
    ]);
    expect(await production()).toEqual([10, 10, 10, 110]);
    at('2027-01-01T06:59:00Z');
    await fleet.report(sn, [
      ['2026-12-31T15:00:00Z', { energyTotalKwh: 110 }],
      ['2026-12-31T23:00:00Z', { energyTotalKwh: 125 }],
    ]);
    expect(await production()).toEqual([15, 25, 25, 125]);
    at('2027-01-01T07:00:00Z');
    expect(await production()).toEqual([0, 0, 0, 125]);
    await fleet.report(sn, [
      ['2027-01-01T15:00:00Z', { energyTotalKwh: 125 }],
      ['2027-01-01T16:00:00Z', { energyTotalKwh: 127 }],
    ]);
    at('2027-01-01T17:00:00Z');
    expect(await production()).toEqual([2, 2, 2, 127]);
    at('2027-01-02T17:00:00Z');
    expect(await production()).toEqual([0, 2, 2, 127]);
    at('2027-02-01T17:00:00Z');
    expect(await production()).toEqual([0, 0, 2, 127]);
  });

  test('a plant that moved its zone goes on with the days as they were', async () => {
    const { plantId, sn, production } = await setUp({ timeZone: 'Pacific/Kiritimati' });
    at('2026-06-10T09:00:00Z');
    await fleet.report(sn, [
      ['2026-06-10T02:00:00Z', { energyTotalKwh: 10 }],
      ['2026-06-10T06:00:00Z', { energyTotalKwh: 14 }],
    ]);
    expect(await production()).toEqual([4, 4, 4, 14]);
    // 23:00 on the 10th becomes 23:00 on the 9th: the plant's day never runs backwards.
    await fleet.write((trx) => changeTimeZone(trx, fleet.act(), plantId, 'Pacific/Honolulu'));
    expect(await production()).toEqual([4, 4, 4, 14]);
  });

  test('the day of inverterDay ends with the energy that the other answers give for it, also without counters', async () => {
    const { caller, sn, production } = await setUp({ timeZone: 'Asia/Kathmandu' });
    at('2026-06-01T12:00:00Z');
    // 1 kW from 10:00 to 12:00, 05:45 ahead of UTC.
    await fleet.report(
      sn,
      Array.from(
        { length: 9 },
        (_, i) => [Date.parse('2026-06-01T04:15:00Z') + i * 900_000, { acPowerW: 1000 }] as const,
      ),
    );
    expect(await production()).toEqual([2, 2, 2, 2]);
    const rows = await fleet.ask('inverterDay', caller, { sn, time: '2026-06-01' });
    expect(rows.map(({ energies }) => energies.production!.todayKwh)).toEqual([
      0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2,
    ]);
    expect(rows.map(({ offsetMinutes }) => offsetMinutes)).toEqual(rows.map(() => 345));
    expect(await fleet.ask('inverterDay', caller, { sn })).toEqual(rows);
    expect(await fleet.ask('inverterDay', caller, { sn, time: '2026-06-02' })).toEqual([]);
  });

  test('a plant sums its inverters, pays by its price, and knows who is online', async () => {
    const { caller, plantId, sn } = await setUp({
      timeZone: 'UTC',
      pricePerKwh: 0.5,
      currency: 'AUD',
      capacityKwp: 8,
    });
    const second = await fleet.device(plantId);
    const silent = await fleet.device(plantId);
    at('2026-06-01T12:00:00Z');
    await fleet.report(sn, [
      ['2026-06-01T11:00:00Z', { acPowerW: 900, energyTodayKwh: 1 }],
      ['2026-06-01T11:55:00Z', { acPowerW: 1000, energyTodayKwh: 2, batterySocPercent: 40 }],
    ]);
    await fleet.report(second.sn, [
      ['2026-06-01T11:50:00Z', { acPowerW: 500, energyTodayKwh: 3, batterySocPercent: 60 }],
    ]);
    const plant = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(plant).toMatchObject({
      state: 'online',
      inverterCount: 3,
      onlineInverterCount: 2,
      lastReportAt: Date.parse('2026-06-01T11:55:00Z'),
      currency: 'AUD',
    });
    expect(plant.values).toEqual({ acPowerW: 1500, batterySocPercent: 50 });
    expect(plant.energies.production).toMatchObject({ todayKwh: 5 });
    expect(plant.income).toMatchObject({ today: 2.5 });
    expect((await fleet.ask('inverterDetail', caller, { sn: silent.sn })).state).toBe('offline');
    expect((await fleet.ask('inverterList', caller, { stationId: plantId })).counts).toEqual({
      all: 3,
      online: 2,
      offline: 1,
      alarm: 0,
    });
    expect((await fleet.ask('userStationList', caller)).counts).toEqual({
      all: 1,
      online: 1,
      offline: 0,
      alarm: 0,
    });
    at('2026-06-01T12:40:00.001Z');
    await fleet.watch();
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).state).toBe('offline');
    expect((await fleet.ask('userStationList', caller)).counts).toEqual({
      all: 1,
      online: 0,
      offline: 1,
      alarm: 0,
    });
  });

  test('the power of a plant leaves out a device that fell silent while others report', async () => {
    const { caller, plantId, sn } = await setUp();
    const silent = await fleet.device(plantId);
    at('2026-06-01T15:00:00Z');
    await fleet.report(silent.sn, [['2026-06-01T12:00:00Z', { acPowerW: 7000 }]]);
    await fleet.report(sn, [['2026-06-01T14:59:00Z', { acPowerW: 300 }]]);
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).values).toEqual({
      acPowerW: 300,
    });
  });

  test('what the meter counts is not counted again from the inverters', async () => {
    const { caller, plantId, sn } = await setUp();
    const epm = await fleet.device(plantId, { kind: 'epm' });
    const ammeter = await fleet.device(plantId, { kind: 'ammeter' });
    at('2026-06-01T12:00:00Z');
    const counters = {
      gridExportTodayKwh: 3,
      gridImportTodayKwh: 1,
      gridPowerW: 800,
      loadPowerW: 200,
      loadTodayKwh: 4,
    };
    await fleet.report(sn, [
      ['2026-06-01T11:55:00Z', { ...counters, acPowerW: 1000, energyTodayKwh: 5 }],
    ]);
    const figures = async () => {
      const { values, energies } = await fleet.ask('stationDetail', caller, { id: plantId });
      return {
        grid: values.gridPowerW,
        load: values.loadPowerW,
        exported: energies.gridExport?.todayKwh,
        imported: energies.gridImport?.todayKwh,
        produced: energies.production?.todayKwh,
      };
    };
    expect(await figures()).toEqual({
      grid: 800,
      load: 200,
      exported: 3,
      imported: 1,
      produced: 5,
    });
    await fleet.report(ammeter.sn, [['2026-06-01T11:56:00Z', { gridExportTodayKwh: 3.1 }]]);
    // The ammeter measures no imported energy: that is still the inverter's to tell.
    expect(await figures()).toEqual({
      grid: 800,
      load: 200,
      exported: 3.1,
      imported: 1,
      produced: 5,
    });
    await fleet.report(epm.sn, [
      [
        '2026-06-01T11:57:00Z',
        {
          ...counters,
          gridPowerW: 820,
          gridExportTodayKwh: 3.2,
          acPowerW: 1010,
          energyTodayKwh: 5.1,
        },
      ],
    ]);
    expect(await figures()).toEqual({
      grid: 820,
      load: 200,
      exported: 3.2,
      imported: 1,
      produced: 5,
    });
  });

  test('a day’s rows carry what was measured then; yesterday’s energies are shown today', async () => {
    const { caller, sn } = await setUp({ timeZone: 'Europe/Berlin' });
    at('2026-06-02T10:00:00Z');
    await fleet.report(sn, [
      [
        '2026-06-01T10:00:00Z',
        {
          gridImportTodayKwh: 6,
          dcVoltage1V: 300,
          dcVoltage2V: 310,
          acVoltage1V: 230,
          acVoltage3V: 231,
        },
      ],
      ['2026-06-02T09:45:00Z', { gridImportTodayKwh: 1.9 }],
      ['2026-06-02T09:50:00Z', { gridImportTodayKwh: 2 }],
    ]);
    const detail = await fleet.ask('inverterDetail', caller, { sn });
    expect(detail.energies.gridImport).toMatchObject({ todayKwh: 2, yesterdayKwh: 6 });
    const [row] = await fleet.ask('inverterDay', caller, { sn, time: '2026-06-01' });
    expect(row).toMatchObject({
      at: Date.parse('2026-06-01T10:00:00Z'),
      offsetMinutes: 120,
      state: 'online',
      facts: { dcInputs: 2, phases: 3 },
    });
    expect(row!.values).toEqual({
      gridImportTodayKwh: 6,
      dcVoltage1V: 300,
      dcVoltage2V: 310,
      acVoltage1V: 230,
      acVoltage3V: 231,
    });
  });

  test('the peak of a plant is known to lists where one inverter alone delivered, and of several to the details', async () => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const id = await fleet.plant(owner.id);
    clock.at = Date.parse('2026-06-01T12:00:00Z');
    const [one, other] = [await fleet.device(id), await fleet.device(id)];
    const peaks = async () => {
      const { page } = await fleet.ask('userStationList', caller);
      const [row] = await fleet.ask('stationMonth', caller, { id, month: '2026-06' });
      const detail = await fleet.ask('stationDetail', caller, { id });
      return [page.records[0]!, row!, detail].map(({ peakPowerW, peakPowerAt }) => [
        peakPowerW,
        peakPowerAt,
      ]);
    };
    const time = (clockTime: string): number => Date.parse(`2026-06-01T${clockTime}:00Z`);
    for (const reported of ['10:00', '11:00'])
      await fleet.report(one.sn, [[time(reported), { acPowerW: 0 }]]);
    await fleet.report(other.sn, [
      [time('10:00'), { acPowerW: 4000 }],
      [time('11:00'), { acPowerW: 3000 }],
    ]);
    expect(await peaks()).toEqual([4000, 4000, 4000].map((peak) => [peak, time('10:00')]));
    await fleet.report(one.sn, [[time('11:30'), { acPowerW: 2000 }]]);
    expect(await peaks()).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [5000, time('11:30')],
    ]);
  });

  test('peak power is that of today alone', async () => {
    const { caller, sn } = await setUp();
    at('2026-06-01T12:00:00Z');
    await fleet.report(sn, [
      ['2026-06-01T11:00:00Z', { acPowerW: 4000 }],
      ['2026-06-01T11:55:00Z', { acPowerW: 900 }],
    ]);
    expect(await fleet.ask('inverterDetail', caller, { sn })).toMatchObject({
      peakPowerW: 4000,
      peakPowerAt: Date.parse('2026-06-01T11:00:00Z'),
    });
    at('2026-06-02T00:00:00Z');
    expect((await fleet.ask('inverterDetail', caller, { sn })).peakPowerW).toBeUndefined();
  });

  test('nothing is made up for a plant and an inverter that never reported', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    for (const record of [
      await fleet.ask('stationDetail', caller, { id: plantId }),
      await fleet.ask('inverterDetail', caller, { sn }),
    ]) {
      expect(record).toMatchObject({ state: 'offline', values: {}, energies: {} });
      expect(record.income).toBeUndefined();
      expect(record.lastReportAt).toBeUndefined();
    }
    expect(await fleet.ask('inverterDay', caller, { sn })).toEqual([]);
  });

  test('a zone’s offsets are those of the moment', async () => {
    const { caller, plantId } = await setUp({ timeZone: 'Europe/Berlin' });
    at('2026-07-01T00:00:00Z');
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).zone).toEqual({
      name: 'Europe/Berlin',
      standardOffsetMinutes: 60,
      daylightMinutes: 60,
    });
    at('2026-12-01T00:00:00Z');
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).zone).toEqual({
      name: 'Europe/Berlin',
      standardOffsetMinutes: 60,
      daylightMinutes: 0,
    });
  });

  test('readings of a clock that leapt ahead are not the present of the device or its plant before their time', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'UTC' });
    const second = await fleet.device(plantId);
    at('2026-06-01T12:00:00Z');
    for (const one of [sn, second.sn]) {
      await fleet.report(one, [
        ['2026-06-01T11:00:00Z', { acPowerW: 900, energyTotalKwh: 1 }],
        ['2026-06-01T11:55:00Z', { acPowerW: 1000, energyTotalKwh: 2, batterySocPercent: 40 }],
        ['2026-06-01T12:00:00Z', { acPowerW: 1100 }],
      ]);
    }
    // Tomorrow morning.
    await fleet.report(sn, [['2026-06-02T09:00:00Z', { acPowerW: 5, energyTotalKwh: 2 }]]);
    at('2026-06-01T12:05:00Z');
    await fleet.report(sn, [['2026-06-01T12:05:00Z', { acPowerW: 1200 }]]);
    const lastReportAt = Date.parse('2026-06-01T12:05:00Z');
    const device = await fleet.ask('inverterDetail', caller, { sn });
    expect(device).toMatchObject({
      lastReportAt,
      values: { acPowerW: 1200, batterySocPercent: 40 },
    });
    expect(device.energies.production).toMatchObject({ todayKwh: 1, totalKwh: 2 });
    const plant = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(plant).toMatchObject({ lastReportAt, values: { acPowerW: 2300 } });
    expect(plant.energies.production).toMatchObject({ todayKwh: 2 });
    // When it is silent for hours then, its last reading in time is still the newest.
    at('2026-06-01T20:00:00Z');
    expect(await fleet.ask('inverterDetail', caller, { sn })).toMatchObject({
      lastReportAt,
      values: { acPowerW: 1200, batterySocPercent: 40 },
    });
    at('2026-06-02T09:00:00Z');
    expect(await fleet.ask('inverterDetail', caller, { sn })).toMatchObject({
      lastReportAt: clock.at,
      values: { acPowerW: 5 },
    });
  });

  test('readings ahead of the clock are shown where nothing else is known', async () => {
    const { caller, sn } = await setUp({ timeZone: 'UTC' });
    at('2026-06-01T12:00:00Z');
    await fleet.report(sn, [['2026-06-01T14:00:00Z', { acPowerW: 900 }]]);
    expect(await fleet.ask('inverterDetail', caller, { sn })).toMatchObject({
      lastReportAt: Date.parse('2026-06-01T14:00:00Z'),
      values: { acPowerW: 900 },
    });
  });
});
