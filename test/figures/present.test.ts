import { expect, test } from 'vitest';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const NOON = Date.parse('2026-06-10T12:00:00Z');
const MINUTE_MS = 60_000;

const every = (minutes: number, powers: readonly number[]): [number, Measurements][] =>
  powers.map((acPowerW, i) => [NOON - (powers.length - i) * minutes * MINUTE_MS, { acPowerW }]);

describeEngines('what a record tells of the present and of the beginning', (database) => {
  const clock = settableClock(NOON);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    clock.at = NOON;
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { timeZone: 'Europe/Berlin' });
    return { plantId, caller: userCaller(owner.id) };
  };

  test('a plant’s peak is the highest sum at one time, not the sum of the peaks', async () => {
    const { plantId, caller } = await setUp();
    const [east, west] = [await fleet.device(plantId), await fleet.device(plantId)];
    await fleet.report(east.sn, every(5, [5000, 3000, 1000]));
    await fleet.report(west.sn, every(5, [1000, 3500, 5200]));
    const detail = await fleet.wire('stationDetail', caller, { id: plantId });
    expect(detail).toMatchObject({
      peakPower: 6.5,
      peakPowerStr: 'kW',
      peakPowerTime: NOON - 10 * MINUTE_MS,
    });
    expect(await fleet.wire('inverterDetail', caller, { sn: east.sn })).toMatchObject({
      peakPower: 5,
      peakPowerTime: NOON - 15 * MINUTE_MS,
    });
    // A list does not read the day of each plant: nothing rather than a wrong sum.
    expect((await fleet.wire('stationDetailList', caller)).records[0]).not.toHaveProperty(
      'peakPower',
    );
    clock.at = NOON + 86_400_000;
    expect(await fleet.wire('stationDetail', caller, { id: plantId })).not.toHaveProperty(
      'peakPower',
    );
  });

  test('the peak of a plant with one inverter is the inverter’s, in lists too; a meter beside it changes nothing', async () => {
    const { plantId, caller } = await setUp();
    const only = await fleet.device(plantId);
    const epm = await fleet.device(plantId, { kind: 'epm' });
    await fleet.report(only.sn, every(1, [100, 4200, 300]));
    await fleet.report(epm.sn, every(1, [100, 4900, 300]));
    const peak = { peakPower: 4.2, peakPowerTime: NOON - 2 * MINUTE_MS };
    expect(await fleet.wire('stationDetail', caller, { id: plantId })).toMatchObject(peak);
    expect((await fleet.wire('stationDetailList', caller)).records[0]).toMatchObject(peak);
  });

  test('a day’s row tells the peak of that day where one inverter has it, a month’s row none', async () => {
    const { plantId, caller } = await setUp();
    const [one, two] = [await fleet.device(plantId), await fleet.device(plantId)];
    const yesterday = NOON - 86_400_000;
    await fleet.report(one.sn, [
      [yesterday, { acPowerW: 5000 }],
      [yesterday + 300_000, { acPowerW: 700 }],
      [NOON - 300_000, { acPowerW: 900 }],
    ]);
    await fleet.report(two.sn, [[NOON - 300_000, { acPowerW: 800 }]]);
    const peak = {
      peakPower: 5000,
      peakPowerStr: 'kW',
      peakPowerPec: '0.001',
      peakPowerTime: yesterday,
    };
    const [ofOne, ofBoth] = await fleet.wire('stationMonth', caller, { id: plantId });
    expect(ofOne).toMatchObject(peak);
    expect(ofBoth).not.toHaveProperty('peakPower');
    expect(await fleet.wire('inverterMonth', caller, { sn: one.sn })).toMatchObject([
      peak,
      { peakPower: 900 },
    ]);
    expect(
      (await fleet.wire('stationDayEnergyList', caller, { time: '2026-06-09' })).records,
    ).toMatchObject([peak]);
    expect((await fleet.wire('stationYear', caller, { id: plantId }))[0]).not.toHaveProperty(
      'peakPower',
    );
  });

  test('the weather of a plant is that of the station that reported last, while it reports', async () => {
    const { plantId, caller } = await setUp();
    const [old, recent] = [
      await fleet.device(plantId, { kind: 'weather' }),
      await fleet.device(plantId, { kind: 'weather' }),
    ];
    await fleet.report(old.sn, [
      [
        NOON - 20 * MINUTE_MS,
        { ambientTemperatureC: 30, windDirectionDeg: 350, humidityPercent: 10 },
      ],
    ]);
    await fleet.report(recent.sn, [
      [
        NOON - 5 * MINUTE_MS,
        {
          ambientTemperatureC: 21.5,
          windDirectionDeg: 10,
          windSpeedMs: 3,
          rainfallMm: 0,
          airPressureHpa: 1013,
        },
      ],
    ]);
    const detail = await fleet.wire('stationDetail', caller, { id: plantId });
    expect(detail).toMatchObject({
      temp: 21.5,
      windDirection: 10,
      windSpeed: 3,
      rainfall: 0,
      airPressure: 1013,
      weatherCount: 2,
    });
    expect(detail).not.toHaveProperty('humidity');
    const { sn } = await fleet.device(plantId);
    await fleet.report(sn, [[NOON + 50 * MINUTE_MS, { acPowerW: 1 }]]);
    expect(await fleet.wire('stationDetail', caller, { id: plantId })).not.toHaveProperty('temp');
  });

  test('tells when it was heard of first and when it produced first', async () => {
    const { plantId, caller } = await setUp();
    const [one, two] = [await fleet.device(plantId), await fleet.device(plantId)];
    // Nothing was produced in the first month; on the second of the next, the sun came out at 7:10.
    const first = Date.parse('2026-03-30T05:00:00Z');
    const sunny = Date.parse('2026-05-02T05:00:00Z');
    await fleet.report(one.sn, [
      [first, { energyTotalKwh: 10 }],
      [first + 300_000, { energyTotalKwh: 10 }],
      [sunny, { energyTotalKwh: 10, acPowerW: 0 }],
      [sunny + 300_000, { energyTotalKwh: 10, acPowerW: 0 }],
      [sunny + 600_000, { energyTotalKwh: 10.2, acPowerW: 800 }],
      [NOON - 300_000, { energyTotalKwh: 99, acPowerW: 800 }],
    ]);
    await fleet.report(two.sn, [
      [NOON - 600_000, { acPowerW: 500 }],
      [NOON - 300_000, { acPowerW: 500 }],
    ]);
    const plant = await fleet.wire('stationDetail', caller, { id: plantId });
    const began = { fisGenerateTime: sunny + 600_000, fisGenerateTimeStr: '2026-05-02 07:10:00' };
    expect(plant).toMatchObject({
      fisPowerTime: first,
      fisPowerTimeStr: '2026-03-30 07:00:00',
      ...began,
    });
    expect((await fleet.wire('userStationList', caller)).page.records[0]).toMatchObject({
      fisPowerTime: first,
    });
    expect(await fleet.wire('inverterDetail', caller, { sn: one.sn })).toMatchObject({
      fisTimeStr: '2026-03-30 07:00:00',
      ...began,
    });
    const { records } = (await fleet.wire('inverterList', caller)).page;
    expect(records.map(({ fisTime }: { fisTime: string }) => fisTime)).toEqual([
      String(first),
      String(NOON - 600_000),
    ]);
    // Older history that comes later.
    await fleet.report(two.sn, [[first - 86_400_000, { acPowerW: 1 }]]);
    expect(await fleet.wire('stationDetail', caller, { id: plantId })).toMatchObject({
      fisPowerTime: first - 86_400_000,
    });
  });

  test('devices tell of their plant what its owner said', async () => {
    const { plantId, caller } = await setUp();
    const facts = JSON.stringify({
      feedIn: 1,
      country: 'Germany',
      region: 'Berlin',
      city: 'Berlin',
      county: 'Mitte',
    });
    await fleet.write((trx) =>
      trx.updateTable('plant').set({ facts }).where('id', '=', plantId).execute(),
    );
    const sns = { inverter: '', epm: '', weather: '', ammeter: '', collector: '' };
    for (const kind of ['inverter', 'epm', 'weather', 'ammeter', 'collector'] as const)
      sns[kind] = (await fleet.device(plantId, { kind })).sn;
    const sno = plantId.slice(-8);
    expect(await fleet.wire('stationDetail', caller, { id: plantId })).toMatchObject({
      sno,
      synchronizationType: 1,
    });
    for (const [id, sn] of [
      ['inverterDetail', sns.inverter],
      ['epmDetail', sns.epm],
      ['weatherDetail', sns.weather],
    ] as const) {
      expect(await fleet.wire(id, caller, { sn })).toMatchObject({ sno, synchronizationType: 1 });
    }
    expect(await fleet.wire('ammeterDetail', caller, { sn: sns.ammeter })).toMatchObject({ sno });
    expect((await fleet.wire('collectorList', caller)).page.records[0]).toMatchObject({
      countryStr: 'Germany',
      regionStr: 'Berlin',
      cityStr: 'Berlin',
      countyStr: 'Mitte',
    });
  });

  test('the present prices of energy bought and sold stand beside that of energy produced, as far as somebody set them', async () => {
    const { plantId, caller } = await setUp();
    const detail = () => fleet.wire('stationDetail', caller, { id: plantId });
    for (const key of ['buy', 'sell', 'unit']) expect(await detail()).not.toHaveProperty(key);
    await fleet.write((trx) =>
      setTariff(trx, fleet.act(), plantId, 'import', { fromAt: 0, pricePerKwh: 0.31 }),
    );
    expect(await detail()).toMatchObject({ buy: '0.31', unit: 'EUR' });
    await fleet.write((trx) =>
      setTariff(trx, fleet.act(), plantId, 'export', { fromAt: 0, pricePerKwh: 0.082 }),
    );
    await fleet.write((trx) =>
      setTariff(trx, fleet.act(), plantId, 'import', { fromAt: NOON + 1, pricePerKwh: 0.4 }),
    );
    expect(await detail()).toMatchObject({ buy: '0.31', sell: '0.082' });
    clock.at = NOON + 1;
    expect(await detail()).toMatchObject({ buy: '0.4', sell: '0.082', unit: 'EUR' });
  });

  test('sums of the strings are those of the strings that are known', async () => {
    const { plantId, caller } = await setUp();
    const { sn } = await fleet.device(plantId);
    await fleet.report(sn, [
      [
        NOON - 1000,
        {
          dcVoltage1V: 300,
          dcVoltage3V: 310,
          dcCurrent1A: 2,
          dcCurrent3A: 3,
          dcPower1W: 600,
          dcPower3W: 930,
        },
      ],
    ]);
    expect(await fleet.wire('inverterDetail', caller, { sn })).toMatchObject({
      upvTotal: 610,
      upvTotalStr: 'V',
      ipvTotal: 5,
      ipvTotalStr: 'A',
      powTotal: 1530,
      powTotalStr: 'W',
      dcPac: 1.53,
      dcPacStr: 'kW',
    });
    await fleet.report(sn, [[NOON - 500, { dcPowerW: 1500 }]]);
    expect(await fleet.wire('inverterDetail', caller, { sn })).toMatchObject({ powTotal: 1500 });
  });
});
