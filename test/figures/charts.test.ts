import { expect, test } from 'vitest';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { changeTimeZone } from '../../packages/server/src/fleet/plants/zones.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { energyFromPower, localDate } from '../telemetry/naive-model.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** A power every quarter of an hour that differs from reading to reading. */
const quarters = (from: string, to: string): [number, Measurements][] => {
  const start = Date.parse(from);
  return Array.from({ length: (Date.parse(to) - start) / QUARTER_MS }, (_, i) => [
    start + i * QUARTER_MS,
    { acPowerW: 1000 + ((i * 379) % 500) },
  ]);
};

const text = (day: number): string => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

/** What the wall of a zone shows. */
const wall = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(at);

describeEngines('charts', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);
  const at = (time: string): void => {
    clock.at = Date.parse(time);
  };

  const setUp = async (change: object = {}) => {
    at('2026-01-01T00:00:00Z');
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, {
      pricePerKwh: 0.5,
      currency: 'AUD',
      capacityKwp: 5,
      ...change,
    });
    const { id, sn } = await fleet.device(plantId, { ratedPowerW: 4000 });
    return { owner, caller: userCaller(owner.id), plantId, id, sn };
  };

  test.each([
    ['Europe/Berlin', '2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', '2026-03', [96, 92, 96]],
    ['Europe/Berlin', '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', '2026-10', [96, 100, 96]],
    ['America/New_York', '2026-03-07T05:00:00Z', '2026-03-10T04:00:00Z', '2026-03', [96, 92, 96]],
    ['America/New_York', '2026-10-31T04:00:00Z', '2026-11-03T05:00:00Z', '2026-11', [100, 96]],
    ['Asia/Kathmandu', '2026-05-09T18:15:00Z', '2026-05-12T18:15:00Z', '2026-05', [96, 96, 96]],
    ['Pacific/Marquesas', '2026-05-10T09:30:00Z', '2026-05-13T09:30:00Z', '2026-05', [96, 96, 96]],
    ['Pacific/Kiritimati', '2026-05-10T10:00:00Z', '2026-05-13T10:00:00Z', '2026-05', [96, 96, 96]],
  ])('%s from %s: days are those of the wall', async (timeZone, from, to, month, perDay) => {
    const { caller, plantId, sn } = await setUp({ timeZone });
    const readings = quarters(from, to);
    clock.at = readings.at(-1)![0];
    await fleet.report(sn, readings);
    const expected = energyFromPower(
      new Map(readings as [number, Record<string, number>][]),
      'acPowerW',
      1,
      timeZone,
    );
    const days = [...expected.keys()].filter((day) => text(day).startsWith(month));
    expect(
      days.map((day) => readings.filter(([time]) => localDate(timeZone, time) === day).length),
    ).toEqual(perDay);

    const rows = await fleet.wire('stationMonth', caller, { id: plantId, month });
    expect(rows.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual(days.map(text));
    for (const row of rows) {
      const kwh = expected.get(Number(row.dateStr.replaceAll('-', '')))!;
      expect(row.energy).toBeCloseTo(kwh, 2);
      expect(row.fullHour).toBeCloseTo(kwh / 5, 2);
      expect(row.money).toBeCloseTo(kwh / 2, 1);
      // Noon of the plant's local day.
      expect(wall(timeZone, row.date)).toBe(`${row.dateStr} 12:00:00`);
      const list = await fleet.wire('stationDayEnergyList', caller, { time: row.dateStr });
      expect(list.records).toHaveLength(1);
      expect(list.records[0]).toMatchObject({
        id: plantId,
        energy: row.energy,
        money: row.money,
        dateStr: row.dateStr,
      });
      expect(wall(timeZone, list.records[0].date)).toBe(`${row.dateStr} 00:00:00`);
      const points = await fleet.wire('stationDay', caller, { id: plantId, time: row.dateStr });
      expect(points).toHaveLength(
        readings.filter(([time]) => text(localDate(timeZone, time)) === row.dateStr).length,
      );
      for (const { time, timeStr } of points)
        expect(wall(timeZone, time)).toBe(`${row.dateStr} ${timeStr}`);
      expect(points.at(-1).produceEnergy).toBeCloseTo(kwh, 2);
      expect(points.at(-1).money).toBeCloseTo(kwh / 2, 1);
    }
    expect(await fleet.wire('inverterMonth', caller, { sn, month })).toMatchObject(
      rows.map(({ energy, date, dateStr, money }: Record<string, unknown>) => ({
        energy,
        date,
        dateStr,
        money,
      })),
    );
    const sum = rows.reduce((total: number, { energy }: { energy: number }) => total + energy, 0);
    const [ofMonth] = (await fleet.wire('stationMonthEnergyList', caller, { time: month })).records;
    expect(ofMonth.energy).toBeCloseTo(sum, 1);
    expect(wall(timeZone, ofMonth.date)).toBe(`${month}-01 00:00:00`);
  });

  test('a year ends where the plant is: months, years and all of it', async () => {
    const { caller, plantId, id, sn } = await setUp({ timeZone: 'Pacific/Marquesas' });
    // New year's eve ends at 09:30 UTC there. 1, 2, 4 kWh in the old year, 8 and 16 in the new one.
    at('2027-02-02T00:00:00Z');
    await fleet.report(sn, [
      ['2026-11-15T20:00:00Z', { energyTotalKwh: 100 }],
      ['2026-11-15T21:00:00Z', { energyTotalKwh: 101 }],
      ['2026-12-01T09:00:00Z', { energyTotalKwh: 103 }],
      ['2026-12-31T20:00:00Z', { energyTotalKwh: 103 }],
      ['2027-01-01T09:00:00Z', { energyTotalKwh: 107 }],
      ['2027-01-01T20:00:00Z', { energyTotalKwh: 107 }],
      ['2027-01-01T23:00:00Z', { energyTotalKwh: 115 }],
      ['2027-02-01T19:00:00Z', { energyTotalKwh: 115 }],
      ['2027-02-01T23:00:00Z', { energyTotalKwh: 131 }],
    ]);
    const energies = (rows: { energy: number }[]) => rows.map(({ energy }) => energy);
    const old = await fleet.wire('stationYear', caller, { id: plantId, year: '2026' });
    expect(energies(old)).toEqual([3, 4]);
    // stationYear shows the first day of the month, inverterYear the month.
    expect(old.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual([
      '2026-11-01',
      '2026-12-01',
    ]);
    expect(old.map(({ date }: { date: number }) => wall('Pacific/Marquesas', date))).toEqual([
      '2026-11-01 12:00:00',
      '2026-12-01 12:00:00',
    ]);
    const ofInverter = await fleet.wire('inverterYear', caller, { id, year: 2027 });
    expect(energies(ofInverter)).toEqual([8, 16]);
    expect(ofInverter.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual([
      '2027-01',
      '2027-02',
    ]);
    expect(ofInverter[0]).toMatchObject({ id, inverterId: id, fullHour: 2 });
    for (const all of [
      await fleet.wire('stationAll', caller, { id: plantId }),
      await fleet.wire('inverterAll', caller, { sn }),
    ]) {
      expect(all).toMatchObject([
        { year: 2026, energy: 7, money: 3.5, moneyStr: 'AUD' },
        { year: 2027, energy: 24 },
      ]);
    }
    expect(
      (await fleet.wire('stationYearEnergyList', caller, { time: '2026' })).records,
    ).toMatchObject([{ id: plantId, year: 2026, energy: 7 }]);
    expect(await fleet.wire('stationYear', caller, { id: plantId, year: '2025' })).toEqual([]);
    // Without a period: the present one of the plant, where it is still 1 February.
    expect(energies(await fleet.wire('stationYear', caller, { id: plantId }))).toEqual([8, 16]);
    expect(energies(await fleet.wire('stationMonth', caller, { id: plantId }))).toEqual([16]);
    expect((await fleet.wire('stationDayEnergyList', caller)).records).toMatchObject([
      { dateStr: '2027-02-01', energy: 16 },
    ]);
    expect((await fleet.wire('stationMonthEnergyList', caller)).records).toMatchObject([
      { dateStr: '2027-02-01', energy: 16 },
    ]);
    expect((await fleet.wire('stationYearEnergyList', caller)).records).toMatchObject([
      { year: 2027, energy: 24 },
    ]);
  });

  test('plants in zones apart have each their own present day in one list', async () => {
    const { caller, owner, plantId, sn } = await setUp({ timeZone: 'Pacific/Kiritimati' });
    const west = await fleet.plant(owner.id, { timeZone: 'Pacific/Marquesas' });
    const { sn: western } = await fleet.device(west);
    at('2026-06-10T10:30:00Z');
    const readings: [string, Measurements][] = [
      ['2026-06-10T10:05:00Z', { energyTotalKwh: 10 }],
      ['2026-06-10T10:25:00Z', { energyTotalKwh: 13 }],
    ];
    await fleet.report(sn, readings);
    await fleet.report(western, readings);
    const { records } = await fleet.wire('stationDayEnergyList', caller);
    expect(records).toMatchObject([
      { id: plantId, dateStr: '2026-06-11', energy: 3 },
      { id: west, dateStr: '2026-06-10', energy: 3 },
    ]);
    const { records: dated } = await fleet.wire('stationDayEnergyList', caller, {
      time: '2026-06-11',
    });
    expect(dated).toMatchObject([{ id: plantId, energy: 3 }, { id: west }]);
    // Nothing is known of a day that has not begun there.
    expect(dated[1]).not.toHaveProperty('energy');
  });

  test('a plant that moved its zone has every kWh in exactly one of its days', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'Europe/Berlin' });
    const [first, second] = [
      quarters('2026-06-08T00:00:00Z', '2026-06-10T13:00:00Z'),
      quarters('2026-06-10T13:00:00Z', '2026-06-13T00:00:00Z'),
    ];
    clock.at = first.at(-1)![0];
    await fleet.report(sn, first);
    at('2026-06-10T13:00:00Z');
    await fleet.write((trx) => changeTimeZone(trx, fleet.act(), plantId, 'Pacific/Kiritimati'));
    clock.at = second.at(-1)![0];
    await fleet.report(sn, second);
    const rows = await fleet.wire('stationMonth', caller, { id: plantId, month: '2026-06' });
    // 15:00 of the 10th in Berlin becomes 03:00 of the 11th.
    expect(rows.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual([
      '2026-06-08',
      '2026-06-09',
      '2026-06-10',
      '2026-06-11',
      '2026-06-12',
      '2026-06-13',
    ]);
    expect(rows.map(({ timeZone }: { timeZone: number }) => timeZone)).toEqual(
      rows.map(({ dateStr }: { dateStr: string }) => (dateStr <= '2026-06-10' ? 1 : 14)),
    );
    const all = energyFromPower(
      new Map([...first, ...second] as [number, Record<string, number>][]),
      'acPowerW',
      1,
      'UTC',
    );
    const total = [...all.values()].reduce((sum, kwh) => sum + kwh, 0);
    expect(
      rows.reduce((sum: number, { energy }: { energy: number }) => sum + energy, 0),
    ).toBeCloseTo(total, 1);
    const points: { time: number }[] = [];
    for (const { dateStr } of rows)
      points.push(...(await fleet.wire('stationDay', caller, { id: plantId, time: dateStr })));
    expect(points.map(({ time }) => time)).toEqual([...first, ...second].map(([time]) => time));
  });

  test('an inverter replaced at noon: the plant has both, each inverter its own half', async () => {
    const { caller, plantId, id, sn } = await setUp({ timeZone: 'Europe/Berlin' });
    const noon = Date.parse('2026-06-10T10:00:00Z');
    at('2026-06-10T09:55:00Z');
    // 1 kW until noon on a counter that stands high, then the new one's from zero.
    const hours = (from: number, to: number, base: number): [number, Measurements][] =>
      Array.from({ length: (to - from) / 300_000 + 1 }, (_, i) => [
        from + i * 300_000,
        { acPowerW: 1000, energyTotalKwh: base + Math.round((i / 12) * 1000) / 1000 },
      ]);
    const before = hours(noon - 6 * 3_600_000, noon - 300_000, 5000);
    await fleet.report(sn, before);
    clock.at = noon;
    const successor = await fleet.device(null, { ratedPowerW: 4000 });
    await fleet.write(async (trx) => {
      await endBinding(trx, fleet.act(), id, plantId);
      await bindDevice(trx, fleet.act(), successor.id, plantId);
    });
    const after = hours(noon, noon + 3 * 3_600_000, 0);
    clock.at = after.at(-1)![0];
    await fleet.report(successor.sn, after);
    const old = 6 - 5 / 60;
    const [row] = await fleet.wire('stationMonth', caller, { id: plantId, month: '2026-06' });
    expect(row.energy).toBeCloseTo(old + 3, 2);
    const [own] = await fleet.wire('inverterMonth', caller, { sn: successor.sn, month: '2026-06' });
    expect(own.energy).toBeCloseTo(3, 2);
    await expect(
      fleet.wire('inverterMonth', caller, { sn, month: '2026-06' }),
    ).rejects.toMatchObject({ code: 'noPermission' });
    const points = await fleet.wire('stationDay', caller, { id: plantId, time: '2026-06-10' });
    expect(points.map(({ power }: { power: number }) => power)).toEqual(points.map(() => 1000));
    expect(points).toHaveLength(before.length + after.length);
    expect(points.at(-1).produceEnergy).toBeCloseTo(old + 3, 2);
    expect((await fleet.wire('stationDetail', caller, { id: plantId })).dayEnergy).toBeCloseTo(
      old + 3,
      2,
    );
  });

  test('what a meter counted is not counted again from the inverters, neither in charts nor in lists', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'UTC' });
    const epm = await fleet.device(plantId, { kind: 'epm' });
    const ammeter = await fleet.device(plantId, { kind: 'ammeter' });
    at('2026-06-10T12:00:00Z');
    const steps = (values: (i: number) => Measurements): [number, Measurements][] =>
      [0, 1, 2].map((i) => [Date.parse('2026-06-10T10:00:00Z') + i * 300_000, values(i)]);
    await fleet.report(
      sn,
      steps((i) => ({
        acPowerW: 2000,
        energyTotalKwh: 100 + i,
        gridPowerW: 700,
        gridExportTotalKwh: 50 + 3 * i,
        batteryPowerW: -100,
      })),
    );
    await fleet.report(
      epm.sn,
      steps((i) => ({
        acPowerW: 2000,
        gridPowerW: 500,
        gridExportTotalKwh: 70 + 2 * i,
        energyTotalKwh: 30 + i,
      })),
    );
    await fleet.report(
      ammeter.sn,
      steps((i) => ({ gridPowerW: 480, gridExportTotalKwh: 10 + 2 * i, gridImportTotalKwh: i })),
    );
    const figures = { energy: 2, produceEnergy: 2, gridSellEnergy: 4 };
    expect(await fleet.wire('stationMonth', caller, { id: plantId })).toMatchObject([figures]);
    expect(await fleet.wire('stationYear', caller, { id: plantId })).toMatchObject([figures]);
    expect(await fleet.wire('stationAll', caller, { id: plantId })).toMatchObject([figures]);
    expect((await fleet.wire('stationDayEnergyList', caller)).records).toMatchObject([figures]);
    const points = await fleet.wire('stationDay', caller, { id: plantId });
    expect(points).toMatchObject(
      [0, 1, 2].map((i) => ({
        power: 2000,
        psum: 500,
        psumZheng: 500,
        psumFu: 0,
        batteryPower: -100,
        produceEnergy: i,
      })),
    );
    expect(await fleet.wire('epm/month', caller, { sn: epm.sn })).toMatchObject([
      { id: epm.id, epmSellEnergy: 4, gridSellEnergy: 4, energy: 2 },
    ]);
  });

  test('the year chart agrees with the days long after their readings are gone', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'UTC' });
    at('2026-04-03T00:00:00Z');
    const readings = Array.from({ length: 60 }, (_, i): [number, Measurements][] => [
      [Date.parse('2026-02-01T10:00:00Z') + i * DAY_MS, { energyTotalKwh: i * 10 }],
      [Date.parse('2026-02-01T12:00:00Z') + i * DAY_MS, { energyTotalKwh: i * 10 + 10 }],
    ]);
    await fleet.report(sn, readings.flat());
    await database().db.deleteFrom('sample').execute();
    const rows = await fleet.wire('stationYear', caller, { id: plantId, year: '2026' });
    expect(rows).toMatchObject([
      { dateStr: '2026-02-01', energy: 280 },
      { dateStr: '2026-03-01', energy: 310 },
      { dateStr: '2026-04-01', energy: 10 },
    ]);
    expect(
      await fleet.wire('stationMonth', caller, { id: plantId, month: '2026-02' }),
    ).toHaveLength(28);
  });
});
