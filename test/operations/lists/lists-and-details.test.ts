import type { ChannelName } from '@helioport/contract';
import { expect, test } from 'vitest';
import { describeEngines } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { createFleet } from '../fleet.ts';

const NOW = Date.parse('2026-06-15T10:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

describeEngines('lists know what the details know:', (database) => {
  const clock = settableClock(NOW);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    clock.at = NOW;
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, {
      timeZone: 'Europe/Berlin',
      pricePerKwh: 0.1,
      capacityKwp: 10,
    });
    return { caller: userCaller(owner.id), plantId };
  };
  type Caller = ReturnType<typeof userCaller>;
  const listed = async (id: Parameters<typeof fleet.wire>[0], caller: Caller, sn: string) => {
    const { records, page } = await fleet.wire(id, caller);
    return (records ?? page.records).find((record: { sn: string }) => record.sn === sn);
  };

  test('the energies of yesterday of a battery inverter', async () => {
    const { caller, plantId } = await setUp();
    const { sn } = await fleet.device(plantId);
    const channels: readonly ChannelName[] = [
      'batteryCharge',
      'batteryDischarge',
      'gridImport',
      'gridExport',
      'load',
      'backup',
    ];
    const at = (kwh: number) =>
      Object.fromEntries(channels.map((channel, i) => [`${channel}TotalKwh`, 100 + kwh * (i + 1)]));
    await fleet.report(sn, [
      [NOW - DAY_MS - 60 * MINUTE_MS, at(0)],
      [NOW - DAY_MS - 30 * MINUTE_MS, at(1)],
      [NOW - 30 * MINUTE_MS, at(2)],
      [NOW - 20 * MINUTE_MS, at(2)],
    ]);
    const detail = await fleet.wire('inverterDetail', caller, { sn });
    const yesterdays = Object.keys(detail).filter((key) => key.includes('Yesterday'));
    expect(yesterdays.length).toBeGreaterThanOrEqual(6);
    expect(detail.gridPurchasedYesterdayEnergy).toBeGreaterThan(0);
    expect(await listed('inverterDetailList', caller, sn)).toMatchObject(
      Object.fromEntries(yesterdays.map((key) => [key, detail[key]])),
    );
  });

  test('the energies of yesterday, which is another day in other zones', async () => {
    const { caller } = await setUp();
    // 22:00 on the 15th, and 23:00 on the 14th.
    for (const timeZone of ['Pacific/Auckland', 'Pacific/Pago_Pago']) {
      const { sn } = await fleet.device(await fleet.plant(caller.accountId, { timeZone }));
      // One, two, four, … kWh in each half day.
      const readings = Array.from(
        { length: 7 },
        (_, i) => [NOW - (6 - i) * (DAY_MS / 2), { gridImportTotalKwh: 2 ** i }] as const,
      );
      await fleet.report(sn, readings);
      const detail = await fleet.wire('inverterDetail', caller, { sn });
      expect(detail.gridPurchasedYesterdayEnergy).toBeGreaterThan(0);
      expect((await listed('inverterDetailList', caller, sn)).gridPurchasedYesterdayEnergy).toBe(
        detail.gridPurchasedYesterdayEnergy,
      );
    }
    const { records } = await fleet.wire('inverterDetailList', caller);
    const details = await Promise.all(
      records.map(({ sn }: { sn: string }) => fleet.wire('inverterDetail', caller, { sn })),
    );
    const yesterdayOf = (record: { gridPurchasedYesterdayEnergy: number }) =>
      record.gridPurchasedYesterdayEnergy;
    expect(records.map(yesterdayOf)).toEqual(details.map(yesterdayOf));
  });

  test('the hours of sunshine of weather stations', async () => {
    const { caller, plantId } = await setUp();
    const [sunny, dull, blind] = [
      await fleet.device(plantId, { kind: 'weather' }),
      await fleet.device(plantId, { kind: 'weather' }),
      await fleet.device(plantId, { kind: 'weather' }),
    ];
    for (const minutes of [90, 60, 30, 0]) {
      await fleet.report(sunny.sn, [
        [NOW - minutes * MINUTE_MS, { directIrradianceWm2: minutes === 30 ? 90 : 600 }],
      ]);
      await fleet.report(dull.sn, [[NOW - minutes * MINUTE_MS, { directIrradianceWm2: 20 }]]);
      await fleet.report(blind.sn, [[NOW - minutes * MINUTE_MS, { ambientTemperatureC: 20 }]]);
    }
    expect(await listed('weatherList', caller, sunny.sn)).toMatchObject({
      sunshineTim: 1,
      sunshineTimStr: '1h0m',
    });
    expect(await listed('weatherList', caller, dull.sn)).toMatchObject({ sunshineTim: 0 });
    expect(await listed('weatherList', caller, blind.sn)).not.toHaveProperty('sunshineTim');
    for (const { sn } of [sunny, dull]) {
      expect((await fleet.wire('weatherDetail', caller, { sn })).sunshineTim).toBe(
        (await listed('weatherList', caller, sn)).sunshineTim,
      );
    }
  });

  test('the first production, of plants and inverters, and it follows late readings', async () => {
    const { caller, plantId } = await setUp();
    const { sn } = await fleet.device(plantId);
    const { sn: later } = await fleet.device(plantId);
    const produced = NOW - 40 * MINUTE_MS;
    await fleet.report(sn, [
      [NOW - 60 * MINUTE_MS, { energyTotalKwh: 50 }],
      [produced, { energyTotalKwh: 50.4 }],
      [NOW - 20 * MINUTE_MS, { energyTotalKwh: 50.9 }],
    ]);
    const firsts = async () => [
      (await fleet.wire('stationDetailList', caller)).records[0].fisGenerateTime,
      (await fleet.wire('stationDetail', caller, { id: plantId })).fisGenerateTime,
      (await listed('inverterDetailList', caller, sn)).fisGenerateTime,
      (await fleet.wire('inverterDetail', caller, { sn })).fisGenerateTime,
    ];
    expect(await firsts()).toEqual([produced, produced, produced, produced]);
    expect(await listed('inverterDetailList', caller, later)).not.toHaveProperty('fisGenerateTime');
    // History of three days ago is imported.
    const earlier = NOW - 3 * DAY_MS;
    await fleet.report(sn, [
      [earlier - 30 * MINUTE_MS, { energyTotalKwh: 40 }],
      [earlier, { energyTotalKwh: 41 }],
    ]);
    expect(await firsts()).toEqual([earlier, earlier, earlier, earlier]);
    // And corrected: the counter grew half an hour later.
    await fleet.report(sn, [
      [earlier, { energyTotalKwh: 40 }],
      [earlier + 30 * MINUTE_MS, { energyTotalKwh: 41 }],
    ]);
    const corrected = earlier + 30 * MINUTE_MS;
    expect(await firsts()).toEqual([corrected, corrected, corrected, corrected]);
  });

  test('the zone of an EPM unit, in the list in parentheses', async () => {
    const { caller, plantId } = await setUp();
    const { sn } = await fleet.device(plantId, { kind: 'epm' });
    expect((await listed('epmList', caller, sn)).timeZoneStr).toBe('(UTC+01:00)');
    expect((await fleet.wire('epmDetail', caller, { sn })).timeZoneStr).toBe('UTC+01:00');
  });

  test('rows of the only meter of a plant have the plant’s production, consumption and income beside what it measures', async () => {
    const { caller, plantId } = await setUp();
    const { sn: inverter } = await fleet.device(plantId);
    const { sn: meter } = await fleet.device(plantId, { kind: 'epm' });
    await fleet.report(inverter, [
      [NOW - 60 * MINUTE_MS, { energyTotalKwh: 50, loadTotalKwh: 10 }],
      [NOW - 30 * MINUTE_MS, { energyTotalKwh: 52, loadTotalKwh: 10.5 }],
    ]);
    await fleet.report(meter, [
      [NOW - 60 * MINUTE_MS, { gridImportTotalKwh: 7, gridExportTotalKwh: 3 }],
      [NOW - 30 * MINUTE_MS, { gridImportTotalKwh: 8, gridExportTotalKwh: 3.25 }],
    ]);
    const periods = [
      ['epm/month', 'stationMonth', { month: '2026-06' }],
      ['epm/year', 'stationYear', { year: '2026' }],
      ['epm/all', 'stationAll', {}],
    ] as const;
    for (const [ofMeter, ofPlant, period] of periods) {
      const [plantRow] = await fleet.wire(ofPlant, caller, {
        id: plantId,
        money: 'EUR',
        ...period,
      });
      const [row] = await fleet.wire(ofMeter, caller, { sn: meter, ...period });
      const { energy, money, produceEnergy, consumeEnergy } = plantRow;
      expect([energy, money, produceEnergy, consumeEnergy]).toEqual([2, 0.2, 2, 0.5]);
      expect(row).toMatchObject({
        energy,
        money,
        produceEnergy,
        consumeEnergy,
        epmBuyEnergy: 1,
        epmSellEnergy: 0.25,
      });
    }
    // Of two meters nobody can say behind which of them it was produced.
    await fleet.device(plantId, { kind: 'epm' });
    const [row] = await fleet.wire('epm/month', caller, { sn: meter, month: '2026-06' });
    expect(row).toMatchObject({ epmBuyEnergy: 1 });
    expect(row).not.toHaveProperty('energy');
  });
});
