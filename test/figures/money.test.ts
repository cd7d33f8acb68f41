import { expect, test } from 'vitest';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { removeTariff, setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import type { Tariff, TariffUse } from '../../packages/server/src/fleet/plants/tariffs/tariffs.ts';
import { changeTimeZone } from '../../packages/server/src/fleet/plants/zones.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const HOUR_MS = 3_600_000;

describeEngines('money', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);
  const at = (time: string): void => {
    clock.at = Date.parse(time);
  };

  const setUp = async (change: object = {}) => {
    at('2026-01-01T00:00:00Z');
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { currency: 'EUR', capacityKwp: 5, ...change });
    const { id, sn } = await fleet.device(plantId, { ratedPowerW: null });
    return { owner, caller: userCaller(owner.id), plantId, id, sn };
  };
  const tariff = (
    plantId: string,
    use: TariffUse,
    from: string | 0,
    given: Tariff,
  ): Promise<void> =>
    fleet.write((trx) =>
      setTariff(trx, fleet.act(), plantId, use, {
        fromAt: from === 0 ? 0 : Date.parse(from),
        ...given,
      }),
    );
  const price = (caller: ReturnType<typeof userCaller>, id: string, amount: number) =>
    fleet.ask('stationUpdate', caller, {
      id,
      stationName: 'Roof',
      capacity: 5,
      price: amount,
      addr: 'Street 1',
    });
  /** A reading every five minutes of something that is the same all the time. */
  const steady = async (
    sn: string,
    from: string,
    to: string,
    values: Measurements | ((hours: number) => Measurements),
  ): Promise<void> => {
    const [start, end] = [Date.parse(from), Date.parse(to)];
    clock.at = Math.max(clock.at, end);
    const rows = Array.from(
      { length: (end - start) / 300_000 + 1 },
      (_, i): [number, Measurements] => [
        start + i * 300_000,
        typeof values === 'function' ? values(i / 12) : values,
      ],
    );
    await fleet.report(sn, rows);
  };
  /** Income, cost and earnings of the days of a month. */
  const days = async (caller: ReturnType<typeof userCaller>, id: string, month: string) =>
    (await fleet.ask('stationMonth', caller, { id, money: 'EUR', month, timeZone: 0 })).map(
      ({ day, income, importCost, exportIncome }) => [
        day % 100,
        rounded(income),
        rounded(importCost),
        rounded(exportIncome),
      ],
    );
  const rounded = (amount: number | null | undefined): number | undefined =>
    typeof amount === 'number' ? Math.round(amount * 1e4) / 1e4 : undefined;

  test('a price that changes at noon leaves the income of the morning as it was', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-03T12:00:00Z', { acPowerW: 1000 });
    await price(caller, plantId, 0.3);
    await steady(sn, '2026-03-03T12:05:00Z', '2026-03-03T20:00:00Z', { acPowerW: 1000 });
    await fleet.runWork();
    expect(await days(caller, plantId, '2026-03')).toEqual(
      [
        [2, 2.4, undefined, undefined],
        [3, 12 * 0.1 + 8 * 0.3, undefined, undefined],
      ].map(([day, income, ...others]) => [day, rounded(income), ...others]),
    );
    const record = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(record.pricePerKwh).toBe(0.3);
    expect(record.income).toEqual({
      today: expect.closeTo(3.6, 6),
      month: expect.closeTo(6, 6),
      year: expect.closeTo(6, 6),
      total: expect.closeTo(6, 6),
    });
    const inverter = await fleet.wire('inverterDetail', caller, { sn });
    expect([inverter.dayInCome, inverter.allInCome]).toEqual([3.6, 6]);
    const course = await fleet.wire('stationDay', caller, {
      id: plantId,
      money: 'EUR',
      time: '2026-03-03',
      timeZone: 0,
    });
    const moneyAt = (time: string) =>
      course.find(({ timeStr }: { timeStr: string }) => timeStr === time).money;
    expect([
      moneyAt('06:00:00'),
      moneyAt('12:00:00'),
      moneyAt('14:00:00'),
      moneyAt('20:00:00'),
    ]).toEqual([0.6, 1.2, 1.8, 3.6]);
  });

  test('between the change and the recalculation nothing is lost, and the recalculation makes the day right', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await steady(sn, '2026-03-03T00:00:00Z', '2026-03-03T12:00:00Z', { acPowerW: 1000 });
    await price(caller, plantId, 0.3);
    await steady(sn, '2026-03-03T12:05:00Z', '2026-03-04T02:00:00Z', { acPowerW: 1000 });
    await fleet.runWork();
    expect(await days(caller, plantId, '2026-03')).toEqual([
      [3, rounded(12 * 0.1 + 12 * 0.3), undefined, undefined],
      [4, rounded(2 * 0.3), undefined, undefined],
    ]);
    expect(await fleet.runWork()).toBe(0);
  });

  test('the same price again, or another name alone, changes nothing and asks for no work', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await steady(sn, '2026-03-03T00:00:00Z', '2026-03-03T12:00:00Z', { acPowerW: 1000 });
    await price(caller, plantId, 0.1);
    expect(await fleet.runWork()).toBe(0);
    const row = await database()
      .db.selectFrom('plant')
      .select(['tariffs', 'pricePerKwh'])
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ tariffs: null, pricePerKwh: 0.1 });
  });

  test('the first price that a plant gets counts from its beginning; without any there is no money at all', async () => {
    const { caller, plantId, sn } = await setUp();
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-03T12:00:00Z', {
      acPowerW: 1000,
      gridPowerW: 500,
    });
    const before = await fleet.wire('stationDetail', caller, { id: plantId });
    expect(Object.keys(before).filter((key) => /income|^price$/i.test(key))).toEqual([]);
    expect(await days(caller, plantId, '2026-03')).toEqual(
      [2, 3].map((day) => [day, undefined, undefined, undefined]),
    );
    await price(caller, plantId, 0.2);
    await fleet.runWork();
    expect(await days(caller, plantId, '2026-03')).toEqual([
      [2, 4.8, undefined, undefined],
      [3, 2.4, undefined, undefined],
    ]);
    // Nobody said what is paid for energy sold.
    const [row] = await fleet.wire('stationMonth', caller, {
      id: plantId,
      money: 'EUR',
      month: '2026-03',
      timeZone: 0,
    });
    expect(row).toMatchObject({ money: 4.8, gridSellEnergy: 12 });
    expect(Object.keys(row).filter((key) => /Income/.test(key))).toEqual([]);
  });

  test('what a plant has earned this month and year is to the cent the same in its record and in its charts, whenever both are asked for', async () => {
    const {
      caller,
      plantId: id,
      sn,
    } = await setUp({ timeZone: 'Australia/Sydney', currency: 'AUD', capacityKwp: 50 });
    const second = await fleet.device(id, { ratedPowerW: null });
    await tariff(id, 'production', 0, {
      pricePerKwh: 0.0713,
      windows: [{ start: '15:00', end: '21:00', pricePerKwh: 0.2137 }],
    });
    const readings = (from: string, hours: number, acPowerW: number): [number, Measurements][] =>
      Array.from({ length: hours * 12 + 1 }, (_, i) => [
        Date.parse(from) + i * 300_000,
        { acPowerW: acPowerW + ((i * 379) % 500) },
      ]);
    const expectMoney = async (): Promise<void> => {
      const record = await fleet.wire('stationDetail', caller, { id });
      const [months, daysOfMonth] = [
        await fleet.wire('stationYear', caller, { id }),
        await fleet.wire('stationMonth', caller, { id }),
      ];
      const amounts = [record.monthInCome, record.yearInCome, record.dayInCome];
      expect(amounts).toEqual([
        months.at(-1).money,
        expect.closeTo(
          months.reduce((sum: number, { money }: { money: number }) => sum + money, 0),
          1,
        ),
        daysOfMonth.at(-1).money,
      ]);
      expect(record.monthInCome).toBeGreaterThan(0);
    };
    for (const [from, hours] of [
      ['2026-10-30T22:00:00Z', 8],
      ['2026-10-31T22:00:00Z', 2],
      ['2026-11-01T22:00:00Z', 3],
      ['2026-11-22T22:00:00Z', 7],
    ] as const) {
      for (const [device, powerW] of [
        [sn, 4130],
        [second.sn, 2970],
      ] as const) {
        const rows = readings(from, hours, powerW);
        clock.at = Math.max(clock.at, rows.at(-1)![0]);
        await fleet.report(device, rows);
        // Also between the reports of two devices, and before the day is closed.
        await expectMoney();
      }
      await fleet.runWork();
      await expectMoney();
    }
  });

  test('purchase and feed-in have prices of their own, with a cheap night across midnight and a dear weekend', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'Europe/Berlin' });
    await tariff(plantId, 'export', 0, { pricePerKwh: 0.08 });
    await tariff(plantId, 'import', 0, {
      pricePerKwh: 0.3,
      windows: [
        { days: ['sat', 'sun'], start: '00:00', end: '24:00', pricePerKwh: 0.5 },
        { start: '22:00', end: '06:00', pricePerKwh: 0.1 },
      ],
    });
    // Friday 5 June to Sunday 7 June 2026, Berlin two hours ahead of UTC: 1 kW bought all the time, 2 kW sold on Friday from 10:00 to 12:00.
    await steady(sn, '2026-06-04T22:00:00Z', '2026-06-05T08:00:00Z', { gridPowerW: -1000 });
    await steady(sn, '2026-06-05T08:00:00Z', '2026-06-05T08:00:00Z', { gridPowerW: 2000 });
    await steady(sn, '2026-06-05T08:05:00Z', '2026-06-05T10:00:00Z', { gridPowerW: 2000 });
    await steady(sn, '2026-06-05T10:05:00Z', '2026-06-07T22:00:00Z', { gridPowerW: -1000 });
    const rows = await fleet.ask('stationMonth', caller, {
      id: plantId,
      money: 'EUR',
      month: '2026-06',
      timeZone: 0,
    });
    const [friday, saturday, sunday] = rows;
    // Into and out of the two hours the power falls and rises within five minutes each.
    expect(friday!.kwh.gridImport).toBeCloseTo(22 - 1 / 12, 3);
    expect(friday!.importCost).toBeCloseTo(8 * 0.1 + (friday!.kwh.gridImport! - 8) * 0.3, 4);
    expect(friday!.exportIncome).toBeCloseTo(friday!.kwh.gridExport! * 0.08, 6);
    // The window of the night that began on Friday comes second: Saturday's price holds from midnight on.
    expect(saturday!.importCost).toBeCloseTo(24 * 0.5, 6);
    expect(sunday!.importCost).toBeCloseTo(24 * 0.5, 6);
    expect(friday!.income).toBeUndefined();
    const wire = await fleet.wire('stationDayEnergyList', caller, { time: '2026-06-06' });
    expect(wire.records[0]).toMatchObject({ gridPurchasedEnergy: 24, gridPurchasedIncome: 12 });
  });

  test.each([
    ['2026-03-29', '2026-03-28T23:00:00Z', 2, 21],
    ['2026-10-25', '2026-10-24T22:00:00Z', 4, 21],
  ])(
    'on %s, when clocks change, hours of a tariff are those of the wall',
    async (day, from, night, others) => {
      const { caller, plantId, sn } = await setUp({ timeZone: 'Europe/Berlin' });
      await tariff(plantId, 'production', 0, {
        pricePerKwh: 1,
        windows: [{ start: '00:00', end: '03:00', pricePerKwh: 10 }],
      });
      await steady(
        sn,
        from,
        new Date(Date.parse(from) + (night + others) * HOUR_MS).toISOString(),
        { acPowerW: 1000 },
      );
      expect((await days(caller, plantId, day.slice(0, 7)))[0]).toEqual([
        Number(day.slice(8)),
        night * 10 + others,
        undefined,
        undefined,
      ]);
    },
  );

  test('a plant that moves to another zone has its cheap hours by the new wall from then on', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'Europe/Berlin' });
    await tariff(plantId, 'production', 0, {
      pricePerKwh: 1,
      windows: [{ start: '12:00', end: '14:00', pricePerKwh: 10 }],
    });
    // Berlin at 10:00; from 11:30 on Kathmandu's wall counts, which shows 16:15 then.
    await steady(sn, '2026-01-14T23:00:00Z', '2026-01-15T10:30:00Z', { acPowerW: 1000 });
    await fleet.write((trx) => changeTimeZone(trx, fleet.act(), plantId, 'Asia/Kathmandu'));
    await steady(sn, '2026-01-15T10:35:00Z', '2026-01-16T18:15:00Z', { acPowerW: 1000 });
    await fleet.runWork();
    // The 15th lasts from Berlin's to Kathmandu's midnight: 19 hours and a quarter, none of them from 12:00 to 14:00 on the wall.
    expect(await days(caller, plantId, '2026-01')).toEqual([
      [15, 19.25, undefined, undefined],
      [16, 22 + 2 * 10, undefined, undefined],
      [17, 0, undefined, undefined],
    ]);
  });

  test('a day that had one price and gets another by a move to the west is made anew', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'Europe/Berlin' });
    await tariff(plantId, 'production', 0, {
      pricePerKwh: 1,
      windows: [{ days: ['fri'], start: '00:00', end: '24:00', pricePerKwh: 10 }],
    });
    // Friday the 16th in Berlin; after an hour Honolulu's wall counts, where it is Thursday for ten hours more, before a whole Friday.
    await steady(sn, '2026-01-15T23:00:00Z', '2026-01-16T00:00:00Z', { acPowerW: 1000 });
    await fleet.runWork();
    await fleet.write((trx) => changeTimeZone(trx, fleet.act(), plantId, 'Pacific/Honolulu'));
    await steady(sn, '2026-01-16T00:05:00Z', '2026-01-17T09:55:00Z', { acPowerW: 1000 });
    await fleet.runWork();
    expect(await days(caller, plantId, '2026-01')).toEqual([
      [16, rounded(10 + 10 + (24 - 1 / 12) * 10), undefined, undefined],
    ]);
  });

  test('before the earliest tariff, energy has no value; within its first day, what flowed after its begin has', async () => {
    const { caller, plantId, sn } = await setUp();
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-04T12:00:00Z', { gridPowerW: 1000 });
    const earned = async () => {
      await fleet.runWork();
      return (await days(caller, plantId, '2026-03')).map(([, , , income]) => income);
    };
    await tariff(plantId, 'export', '2026-03-04T00:00:00Z', { pricePerKwh: 0.2 });
    expect(await earned()).toEqual([undefined, undefined, 2.4]);
    await tariff(plantId, 'export', '2026-03-03T18:00:00Z', { pricePerKwh: 0.1 });
    expect(await earned()).toEqual([undefined, 0.6, 2.4]);
    await fleet.write((trx) =>
      removeTariff(trx, fleet.act(), plantId, 'export', Date.parse('2026-03-03T18:00:00Z')),
    );
    expect(await earned()).toEqual([undefined, undefined, 2.4]);
    await tariff(plantId, 'export', 0, { pricePerKwh: 0.1 });
    expect(await earned()).toEqual([2.4, 2.4, 2.4]);
    await fleet.write((trx) => removeTariff(trx, fleet.act(), plantId, 'export', 0));
    await fleet.write((trx) =>
      removeTariff(trx, fleet.act(), plantId, 'export', Date.parse('2026-03-04T00:00:00Z')),
    );
    expect(await earned()).toEqual([undefined, undefined, undefined]);
  });

  test('a tariff of the past is worked in by recalculation: days, months, years, all time and carried sums', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await steady(sn, '2025-12-30T00:00:00Z', '2026-01-02T00:00:00Z', { acPowerW: 1000 });
    await tariff(plantId, 'production', '2025-12-31T12:00:00Z', { pricePerKwh: 0.5 });
    expect(await fleet.runWork()).toBeGreaterThan(0);
    expect(await days(caller, plantId, '2025-12')).toEqual([
      [30, 2.4, undefined, undefined],
      [31, rounded(12 * 0.1 + 12 * 0.5), undefined, undefined],
    ]);
    const incomes = async (id: 'stationYear' | 'stationAll', input: object = {}) =>
      (await fleet.ask(id, caller, { id: plantId, money: 'EUR', timeZone: 0, ...input })).map(
        ({ income }) => rounded(income),
      );
    expect(await incomes('stationYear', { year: '2025' })).toEqual([9.6]);
    expect(await incomes('stationYear', { year: '2026' })).toEqual([12]);
    expect(await incomes('stationAll')).toEqual([9.6, 12]);
    const { income } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(income).toEqual({
      today: 0,
      month: expect.closeTo(12, 6),
      year: expect.closeTo(12, 6),
      total: expect.closeTo(21.6, 6),
    });
    await fleet.write((trx) =>
      removeTariff(trx, fleet.act(), plantId, 'production', Date.parse('2025-12-31T12:00:00Z')),
    );
    await fleet.runWork();
    expect(await incomes('stationAll')).toEqual([4.8, 2.4]);
  });

  test('a tariff of the future waits for its time', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await tariff(plantId, 'production', '2026-03-03T00:00:00Z', { pricePerKwh: 0.7 });
    at('2026-03-02T12:00:00Z');
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).pricePerKwh).toBe(0.1);
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-03T10:00:00Z', { acPowerW: 1000 });
    expect(await days(caller, plantId, '2026-03')).toEqual([
      [2, 2.4, undefined, undefined],
      [3, 7, undefined, undefined],
    ]);
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).pricePerKwh).toBe(0.7);
  });

  test('late readings are worth the price of their time', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await tariff(plantId, 'production', '2026-03-02T12:00:00Z', { pricePerKwh: 0.5 });
    await steady(sn, '2026-03-03T00:00:00Z', '2026-03-03T10:00:00Z', { acPowerW: 1000 });
    await steady(sn, '2026-03-02T10:00:00Z', '2026-03-02T14:00:00Z', { acPowerW: 1000 });
    expect(await days(caller, plantId, '2026-03')).toEqual([
      [2, 1.2, undefined, undefined],
      [3, 5, undefined, undefined],
    ]);
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).income!.total).toBeCloseTo(
      6.2,
      6,
    );
  });

  test('what a counter had counted before its first reading is worth the price of that day, and only in the total', async () => {
    const { caller, plantId, sn } = await setUp({ pricePerKwh: 0.1 });
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-02T10:00:00Z', (hours) => ({
      energyTotalKwh: 1000 + hours,
    }));
    const { income } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(income).toEqual({
      today: expect.closeTo(1, 6),
      month: expect.closeTo(1, 6),
      year: expect.closeTo(1, 6),
      total: expect.closeTo(101, 6),
    });
    await price(caller, plantId, 0.4);
    await steady(sn, '2026-03-03T00:00:00Z', '2026-03-03T10:00:00Z', (hours) => ({
      energyTotalKwh: 1010 + hours,
    }));
    await fleet.runWork();
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).income).toMatchObject({
      today: expect.closeTo(4, 6),
      month: expect.closeTo(5, 6),
    });
  });

  test('a device replaced at noon: both count, each at the prices of its time', async () => {
    const { caller, plantId, id, sn } = await setUp({ pricePerKwh: 0.1 });
    await tariff(plantId, 'production', '2026-03-03T12:00:00Z', { pricePerKwh: 0.5 });
    await steady(sn, '2026-03-03T00:00:00Z', '2026-03-03T12:00:00Z', { acPowerW: 1000 });
    clock.at += 60_000;
    await fleet.write((trx) => unbindDevice(trx, fleet.act(), id, plantId));
    const other = await fleet.device(plantId);
    await steady(other.sn, '2026-03-03T12:00:00Z', '2026-03-03T20:00:00Z', { acPowerW: 1000 });
    expect(await days(caller, plantId, '2026-03')).toEqual([
      [3, rounded(1.2 + 4), undefined, undefined],
    ]);
    const rows = await fleet.ask('stationDay', caller, {
      id: plantId,
      money: 'EUR',
      time: '2026-03-03',
      timeZone: 0,
    });
    expect(rows.at(-1)!.income).toBeCloseTo(5.2, 6);
  });

  test('a device that goes to another owner’s plant leaves its money behind and earns at the new plant’s prices', async () => {
    const { caller, plantId, id, sn } = await setUp({ pricePerKwh: 0.1 });
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', (hours) => ({
      acPowerW: 1000,
      energyTotalKwh: 500 + hours,
    }));
    clock.at += 60_000;
    await fleet.write((trx) => unbindDevice(trx, fleet.act(), id, plantId));
    const buyer = await fleet.person();
    const newPlant = await fleet.plant(buyer.id, { pricePerKwh: 2, currency: 'AUD' });
    await fleet.write((trx) => bindDevice(trx, fleet.act(), id, newPlant));
    await steady(sn, '2026-03-03T00:05:00Z', '2026-03-03T06:05:00Z', (hours) => ({
      acPowerW: 1000,
      energyTotalKwh: 524 + hours,
    }));
    await price(caller, plantId, 7);
    await fleet.runWork();
    expect((await fleet.ask('stationDetail', caller, { id: plantId })).income).toMatchObject({
      month: expect.closeTo(2.4, 6),
      total: expect.closeTo(52.4, 6),
    });
    const bought = await fleet.ask('stationDetail', userCaller(buyer.id), { id: newPlant });
    expect(bought.income).toMatchObject({
      today: expect.closeTo(12, 6),
      total: expect.closeTo(12, 6),
    });
    expect((await fleet.ask('inverterDetail', userCaller(buyer.id), { sn })).income).toMatchObject({
      total: expect.closeTo(12, 6),
    });
  });

  test('of a meter and inverters that both tell of the grid the meter’s money counts, once', async () => {
    const { caller, plantId, sn } = await setUp();
    await tariff(plantId, 'import', 0, { pricePerKwh: 0.3 });
    const meter = await fleet.device(plantId, { kind: 'epm' });
    await steady(sn, '2026-03-02T00:00:00Z', '2026-03-02T10:00:00Z', { gridPowerW: -5000 });
    await steady(meter.sn, '2026-03-02T00:00:00Z', '2026-03-02T10:00:00Z', { gridPowerW: -1000 });
    expect(await days(caller, plantId, '2026-03')).toEqual([[2, undefined, 3, undefined]]);
    const epm = await fleet.wire('epm/month', caller, { sn: meter.sn, month: '2026-03' });
    expect(epm[0]).toMatchObject({ gridPurchasedIncome: 3 });
  });

  test('the year’s chart and all-time income are the sum of the days, to the cent and below', async () => {
    const { caller, plantId, sn } = await setUp({ timeZone: 'America/New_York' });
    await tariff(plantId, 'production', 0, {
      pricePerKwh: 0.123457,
      windows: [{ start: '17:20', end: '03:07', pricePerKwh: 0.0333 }],
    });
    const start = Date.parse('2025-11-20T00:00:00Z');
    clock.at = start + 70 * 24 * HOUR_MS;
    const readings = Array.from({ length: 70 * 48 }, (_, i): [number, Measurements] => [
      start + i * (HOUR_MS / 2),
      { acPowerW: 500 + ((i * 379) % 4000) },
    ]);
    await fleet.report(sn, readings);
    let sum = 0;
    const perYear = new Map<number, number>();
    for (const month of ['2025-11', '2025-12', '2026-01']) {
      for (const { day, income } of await fleet.ask('stationMonth', caller, {
        id: plantId,
        money: 'EUR',
        month,
        timeZone: 0,
      })) {
        sum += income!;
        perYear.set(
          Math.trunc(day / 10_000),
          (perYear.get(Math.trunc(day / 10_000)) ?? 0) + income!,
        );
      }
    }
    const years = await fleet.ask('stationAll', caller, { id: plantId, money: 'EUR', timeZone: 0 });
    expect(
      years.map(({ day, income }) => [Math.trunc(day / 10_000), Math.round(income! * 1e6)]),
    ).toEqual([...perYear].map(([year, income]) => [year, Math.round(income * 1e6)]));
    const { income } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(Math.round(income!.total! * 1e6)).toBe(Math.round(sum * 1e6));
  });
});
