import { expect, test } from 'vitest';
import { unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Counts 1 kWh an hour, bought and consumed, from one time to another. */
const counting = (from: string, to: string, first: number): [number, Measurements][] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / HOUR_MS + 1 }, (_, i) => [
    Date.parse(from) + i * HOUR_MS,
    { gridImportTotalKwh: first + i, loadTotalKwh: first + i },
  ]);

const rounded = (value: number | null | undefined): number =>
  Math.round((value ?? Number.NaN) * 10) / 10;

// The inverter buys 1 kWh an hour all the time; the meter, which came later, counts the same from 1,000 kWh on.
describeEngines('what two kinds of devices tell', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    clock.at = Date.parse('2026-05-01T00:00:00Z');
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await fleet.plant(owner.id, { timeZone: 'UTC', pricePerKwh: 0.5 });
    const inverter = await fleet.device(plantId);
    const bought = async (
      id: 'stationMonth' | 'stationYear' | 'stationAll',
      body: object = {},
    ): Promise<[string, number][]> =>
      (await fleet.wire(id, caller, { id: plantId, ...body })).map(
        (row: Record<string, number>) => [
          String(row['dateStr'] ?? row['year']),
          rounded(row['gridPurchasedEnergy']),
        ],
      );
    const present = async () => {
      const { energies } = await fleet.ask('stationDetail', caller, { id: plantId });
      const { todayKwh, monthKwh, yearKwh, totalKwh } = energies.gridImport!;
      expect((await fleet.ask('userStationList', caller)).page.records[0]!.energies).toEqual(
        energies,
      );
      return [todayKwh, monthKwh, yearKwh, totalKwh].map(rounded);
    };
    return { caller, plantId, inverter, bought, present };
  };

  test('on the day when a meter comes, and in that month, what the inverter saw of the whole of it counts', async () => {
    const { caller, plantId, inverter, bought, present } = await setUp();
    clock.at = Date.parse('2026-07-02T12:00:00Z');
    await fleet.report(inverter.sn, counting('2026-05-30T00:00:00Z', '2026-07-02T12:00:00Z', 50));
    const meter = await fleet.device(plantId, { kind: 'epm' });
    await fleet.report(meter.sn, counting('2026-06-10T12:00:00Z', '2026-07-02T12:00:00Z', 1000));
    const june = await bought('stationMonth', { month: '2026-06' });
    expect(june).toHaveLength(30);
    expect(june.every(([, kwh]) => kwh === 24)).toBe(true);
    // The last hour of the last day is the next day's first reading's.
    expect(await bought('stationYear')).toEqual([
      ['2026-05-01', 48],
      ['2026-06-01', 720],
      ['2026-07-01', 36],
    ]);
    expect(await bought('stationAll')).toEqual([['2026', 804]]);
    // The meter's counter was at 1,000 kWh when it came: it knows of more than was measured here.
    expect(await present()).toEqual([12, 36, 804, 1528]);
    const { records } = await fleet.wire('stationDayEnergyList', caller, { time: '2026-06-10' });
    expect(records[0].gridPurchasedEnergy).toBe(24);
    const points = await fleet.wire('stationDay', caller, { id: plantId, time: '2026-06-10' });
    expect(rounded(points.at(-1).consumeEnergy)).toBe(24);
  });

  test('a meter that has been there all the time counts, also where the inverter sleeps or tells something else', async () => {
    const { plantId, inverter, bought, present } = await setUp();
    const meter = await fleet.device(plantId, { kind: 'ammeter' });
    clock.at = Date.parse('2026-06-03T23:00:00Z');
    for (let day = 0; day < 3; day++) {
      const start = Date.parse('2026-06-01T00:00:00Z') + day * DAY_MS;
      const hours = (from: number, to: number) =>
        [
          new Date(start + from * HOUR_MS).toISOString(),
          new Date(start + to * HOUR_MS).toISOString(),
        ] as const;
      await fleet.report(meter.sn, counting(...hours(0, 23), 24 * day));
      await fleet.report(
        inverter.sn,
        counting(...hours(6, 20), 100 * day).map(([at, { gridImportTotalKwh }]) => [
          at,
          { gridImportTotalKwh: 1.1 * gridImportTotalKwh! },
        ]),
      );
    }
    expect(await bought('stationMonth', { month: '2026-06' })).toEqual([
      ['2026-06-01', 24],
      ['2026-06-02', 24],
      ['2026-06-03', 23],
    ]);
    expect(await present()).toEqual([23, 71, 71, 71]);
  });

  test('production is the inverter’s to tell, though it sleeps at night and the meter does not', async () => {
    const { caller, plantId, inverter } = await setUp();
    const meter = await fleet.device(plantId, { kind: 'epm' });
    clock.at = Date.parse('2026-06-02T23:00:00Z');
    // 14 kWh a day, from six to eight in the evening.
    const producing = (fromHour: number, toHour: number, scale: number): [number, Measurements][] =>
      [0, 1].flatMap((day) =>
        Array.from({ length: toHour - fromHour + 1 }, (_, i): [number, Measurements] => {
          const hour = fromHour + i;
          const energyTotalKwh = scale * (14 * day + Math.min(Math.max(hour - 6, 0), 14));
          return [
            Date.parse('2026-06-01T00:00:00Z') + day * DAY_MS + hour * HOUR_MS,
            { energyTotalKwh },
          ];
        }),
      );
    await fleet.report(inverter.sn, producing(6, 20, 1));
    await fleet.report(meter.sn, producing(0, 23, 1.2));
    expect(
      await fleet.wire('stationMonth', caller, { id: plantId, month: '2026-06' }),
    ).toMatchObject([{ energy: 14 }, { energy: 14 }]);
    expect(
      (await fleet.wire('stationDay', caller, { id: plantId, time: '2026-06-02' })).at(-1),
    ).toMatchObject({ produceEnergy: 14 });
    expect(await fleet.wire('stationDetail', caller, { id: plantId })).toMatchObject({
      dayEnergy: 14,
      monthEnergy: 28,
      yearEnergy: 28,
    });
  });

  test.each([
    ['silent for a month', 0, 36 * DAY_MS, 9 * DAY_MS],
    // From 23:00 on the first day to 01:00 on the last.
    ['silent for two days of a month', 23, 3 * DAY_MS, 3 * DAY_MS + 2 * HOUR_MS],
  ])(
    'of a meter that was %s, the total is not below the years, in which the inverter counts for that time',
    async (_, hour, silentMs, thenMs) => {
      const { caller, plantId, inverter, bought } = await setUp();
      const meter = await fleet.device(plantId, { kind: 'epm' });
      const buying = (fromAt: number, toAt: number): [number, Measurements][] =>
        Array.from({ length: (toAt - fromAt) / HOUR_MS + 1 }, (_row, i) => [
          fromAt + i * HOUR_MS,
          { gridPowerW: -1000 },
        ]);
      const from = Date.parse('2026-05-01T00:00:00Z') + hour * HOUR_MS;
      const silentFrom = from + 10 * DAY_MS;
      const until = silentFrom + silentMs + thenMs;
      clock.at = until;
      await fleet.report(inverter.sn, buying(from, until));
      await fleet.report(meter.sn, [
        ...buying(from, silentFrom),
        ...buying(silentFrom + silentMs, until),
      ]);
      const years = await bought('stationAll');
      const { energies } = await fleet.ask('stationDetail', caller, { id: plantId });
      const { yearKwh, totalKwh, estimated } = energies.gridImport!;
      expect(estimated).toBe(true);
      expect([
        ['2026', rounded(yearKwh)],
        ['2026', rounded(totalKwh)],
      ]).toEqual([years[0], years[0]]);
      expect(rounded(totalKwh)).toBeGreaterThan((until - from - silentMs) / HOUR_MS);
    },
  );

  test('when another kind tells today, the total is still not below the years', async () => {
    const { caller, plantId, inverter, bought } = await setUp();
    const meter = await fleet.device(plantId, { kind: 'epm' });
    await fleet.write((trx) =>
      setTariff(trx, fleet.act(), plantId, 'import', { fromAt: 0, pricePerKwh: 2 }),
    );
    clock.at = Date.parse('2026-06-02T12:00:00Z');
    // On the second day the meter tells of five hours, in which it saw more than the inverter did all day.
    await fleet.report(meter.sn, [
      ...counting('2026-06-01T00:00:00Z', '2026-06-01T23:00:00Z', 0),
      ...counting('2026-06-02T00:00:00Z', '2026-06-02T05:00:00Z', 24).map(
        ([at, { gridImportTotalKwh }]): [number, Measurements] => [
          at,
          { gridImportTotalKwh: 4 * gridImportTotalKwh! },
        ],
      ),
    ]);
    await fleet.report(inverter.sn, counting('2026-06-01T00:00:00Z', '2026-06-01T23:00:00Z', 0));
    const noon = Date.parse('2026-06-02T12:00:00Z');
    await fleet.report(
      inverter.sn,
      Array.from({ length: 13 }, (_, i) => [noon - (12 - i) * HOUR_MS, { gridPowerW: -1000 }]),
    );
    const { energies } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(rounded(energies.gridImport!.todayKwh)).toBe(12);
    expect(energies.gridImport!.estimated).toBe(true);
    const [[, kwh]] = (await bought('stationAll')) as [[string, number]];
    expect(rounded(energies.gridImport!.totalKwh)).toBeGreaterThanOrEqual(kwh);
    expect(rounded(energies.gridImport!.amounts!.total)).toBeGreaterThanOrEqual(2 * kwh);
  });

  test('when a meter is taken away, what it reported stays, and the inverter goes on', async () => {
    const { plantId, inverter, bought, present } = await setUp();
    const meter = await fleet.device(plantId, { kind: 'epm' });
    clock.at = Date.parse('2026-06-30T23:59:59Z');
    await fleet.report(meter.sn, counting('2026-05-01T00:00:00Z', '2026-06-30T23:00:00Z', 0));
    await fleet.write((trx) => unbindDevice(trx, fleet.act(), meter.id, plantId));
    clock.at = Date.parse('2026-07-03T12:00:00Z');
    await fleet.report(inverter.sn, counting('2026-07-01T00:00:00Z', '2026-07-03T12:00:00Z', 0));
    expect(await bought('stationYear')).toEqual([
      ['2026-05-01', 744],
      ['2026-06-01', 719],
      ['2026-07-01', 60],
    ]);
    expect(await present()).toEqual([12, 60, 1523, 1523]);
  });
});
