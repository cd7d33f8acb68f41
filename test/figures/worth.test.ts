import { expect, test } from 'vitest';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import type { Tariff, TariffUse } from '../../packages/server/src/fleet/plants/tariffs/tariffs.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';

const STEP_MS = 300_000;

describeEngines('what the energy of a plant was worth', (database) => {
  const clock = settableClock(0);
  const fleet = createFleet(database, clock);

  const setUp = async (prices: {
    readonly [U in TariffUse]?: Tariff & { readonly from?: string };
  }) => {
    clock.at = Date.parse('2026-01-01T00:00:00Z');
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner, { currency: 'EUR', capacityKwp: 20 });
    for (const [use, { from, ...tariff }] of Object.entries(prices))
      await fleet.write((trx) =>
        setTariff(trx, fleet.act(), plantId, use as TariffUse, {
          fromAt: from === undefined ? 0 : Date.parse(from),
          ...tariff,
        }),
      );
    const { sn } = await fleet.device(plantId, { ratedPowerW: null });
    return { caller: userCaller(owner), owner, plantId, sn };
  };
  /** The same powers every five minutes from one time to another. */
  const steady = async (sn: string, from: string, to: string, values: Measurements) => {
    const [start, end] = [Date.parse(from), Date.parse(to)];
    clock.at = Math.max(clock.at, end);
    await fleet.report(
      sn,
      Array.from({ length: (end - start) / STEP_MS + 1 }, (_, i) => [start + i * STEP_MS, values]),
    );
  };
  const close = (amount: number) => expect.closeTo(amount, 4);
  const rowsOf = async (caller: ReturnType<typeof userCaller>, id: string, month: string) =>
    fleet.ask('stationMonth', caller, { id, month });

  test('is what was saved plus what was sold, the same in record, list, overview and charts; no own use counts twice', async () => {
    // Three prices, as the portal once asked for.
    const { caller, plantId, sn } = await setUp({
      production: { pricePerKwh: 0.12 },
      import: { pricePerKwh: 0.34 },
      export: { pricePerKwh: 0.08 },
    });
    // 5 kW produced, 2 kW used, 3 kW sold for 4 hours; then 1 kW bought for 2 hours.
    await steady(sn, '2026-11-02T08:00:00Z', '2026-11-02T12:00:00Z', {
      acPowerW: 5000,
      loadPowerW: 2000,
      gridPowerW: 3000,
    });
    await steady(sn, '2026-11-02T12:05:00Z', '2026-11-02T14:00:00Z', {
      acPowerW: 0,
      loadPowerW: 1000,
      gridPowerW: -1000,
    });
    const [row] = await rowsOf(caller, plantId, '2026-11');
    const { production, gridExport, gridImport, load } = row!.kwh;
    const [saved, sold] = [(load! - gridImport!) * 0.34, gridExport! * 0.08];
    expect([production, gridExport]).toEqual([expect.closeTo(20.2, 0), expect.closeTo(12.1, 0)]);
    expect(saved).toBeGreaterThan(2.5);
    expect([row!.saved, row!.exportIncome, row!.worth]).toEqual([
      close(saved),
      close(sold),
      close(saved + sold),
    ]);
    // The income of existing clients stays what was produced at its price.
    expect(row!.income).toEqual(close(production! * 0.12));
    const record = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(record.worth).toEqual({
      sum: {
        today: close(saved + sold),
        month: close(saved + sold),
        year: close(saved + sold),
        total: close(saved + sold),
      },
      of: 'savedAndSold',
      sinceDay: 20_261_102,
    });
    const [listed] = (await fleet.ask('plant/ranking', caller)).records;
    expect([listed!.dayWorth, listed!.totalWorth, listed!.worthOf]).toEqual([
      close(saved + sold),
      close(saved + sold),
      'savedAndSold',
    ]);
    const { worths } = await fleet.ask('plant/overview', caller);
    expect(worths).toEqual([
      {
        currency: 'EUR',
        today: expect.closeTo(saved + sold, 2),
        month: expect.closeTo(saved + sold, 2),
        year: expect.closeTo(saved + sold, 2),
        total: expect.closeTo(saved + sold, 2),
        since: '2026-11-02',
      },
    ]);
    const wire = await fleet.wire('stationDetail', caller, { id: plantId });
    expect([wire.dayWorth, wire.worthSince, wire.worthOf]).toEqual([
      expect.closeTo(saved + sold, 2),
      '2026-11-02',
      'savedAndSold',
    ]);
  });

  test('is at the price of each hour, and nothing before the first price', async () => {
    const { caller, plantId, sn } = await setUp({
      import: {
        from: '2026-11-03T00:00:00Z',
        pricePerKwh: 0.4,
        windows: [{ start: '00:00', end: '06:00', pricePerKwh: 0.1 }],
      },
    });
    const own: Measurements = { acPowerW: 1000, loadPowerW: 1000, gridPowerW: 0 };
    for (const day of ['02', '03'])
      for (const [from, to] of [
        ['02:00', '04:00'],
        ['10:00', '14:00'],
      ])
        await steady(sn, `2026-11-${day}T${from}:00Z`, `2026-11-${day}T${to}:00Z`, own);
    await fleet.runWork();
    const rows = await rowsOf(caller, plantId, '2026-11');
    expect(rows.map(({ saved }) => saved ?? 0)).toEqual([0, expect.closeTo(2 * 0.1 + 4 * 0.4, 1)]);
    const { worth } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(worth).toMatchObject({ of: 'saved', sinceDay: 20_261_103 });
    // Days add up to their month, months to all.
    const days = rows.reduce((sum, { worth: one }) => sum + (one ?? 0), 0);
    const years = await fleet.ask('stationAll', caller, { id: plantId });
    expect([worth!.sum.month, worth!.sum.total, years[0]!.worth]).toEqual([
      close(days),
      close(days),
      close(days),
    ]);
  });

  test.each([
    ['one price', undefined],
    ['a price that changed', '2026-11-03T00:00:00Z'],
  ])(
    'follows from what was produced and not sold where consumption is not measured: %s',
    async (_what, changedAt) => {
      const { caller, plantId, sn } = await setUp({
        import: { pricePerKwh: 0.3 },
        export: { pricePerKwh: 0.1 },
      });
      if (changedAt !== undefined)
        await fleet.write((trx) =>
          setTariff(trx, fleet.act(), plantId, 'import', {
            fromAt: Date.parse(changedAt),
            pricePerKwh: 0.6,
          }),
        );
      for (const day of ['02', '03'])
        await steady(sn, `2026-11-${day}T10:00:00Z`, `2026-11-${day}T14:00:00Z`, {
          acPowerW: 3000,
          gridPowerW: 1000,
        });
      await fleet.runWork();
      const rows = await rowsOf(caller, plantId, '2026-11');
      const own = rows.map(({ kwh }) => kwh.production! - kwh.gridExport!);
      const prices = changedAt === undefined ? [0.3, 0.3] : [0.3, 0.6];
      expect(rows.map(({ saved }) => saved)).toEqual(own.map((kwh, i) => close(kwh * prices[i]!)));
      const { worth } = await fleet.ask('stationDetail', caller, { id: plantId });
      expect(worth!.of).toBe('savedAndSold');
      const [year] = await fleet.ask('stationAll', caller, { id: plantId });
      expect(worth!.sum.total).toEqual(close(year!.worth!));
      expect(worth!.sum.today).toEqual(close(own[1]! * prices[1]! + rows[1]!.exportIncome!));
    },
  );

  test('is known by either price alone; a tariff for what was produced counts only without both', async () => {
    const values = { acPowerW: 3000, loadPowerW: 2000, gridPowerW: 1000 };
    const of = async (prices: Parameters<typeof setUp>[0]) => {
      const { caller, plantId, sn } = await setUp(prices);
      await steady(sn, '2026-11-02T10:00:00Z', '2026-11-02T12:00:00Z', values);
      const { worth } = await fleet.ask('stationDetail', caller, { id: plantId });
      const head = await fleet.ask('plant/overview', caller);
      expect(head.worths.length).toBe(worth ? 1 : 0);
      return [worth?.of, worth && Math.round(worth.sum.today! * 10) / 10];
    };
    expect(await of({ import: { pricePerKwh: 0.5 } })).toEqual(['saved', 2]);
    expect(await of({ export: { pricePerKwh: 0.5 } })).toEqual(['sold', 1]);
    expect(await of({ production: { pricePerKwh: 0.5 } })).toEqual(['produced', 3]);
    expect(await of({ export: { pricePerKwh: 0.5 }, production: { pricePerKwh: 0.5 } })).toEqual([
      'sold',
      1,
    ]);
    expect(await of({})).toEqual([undefined, undefined]);
  });

  test('does not count what devices had counted before', async () => {
    const { caller, plantId, sn } = await setUp({
      import: { pricePerKwh: 0.5 },
      export: { pricePerKwh: 0.1 },
    });
    for (const [time, more] of [
      ['10:00', 0],
      ['10:30', 2],
      ['11:00', 4],
    ] as const) {
      clock.at = Date.parse(`2026-11-02T${time}:00Z`);
      await fleet.report(sn, [
        [
          clock.at,
          {
            energyTotalKwh: 9000 + more,
            loadTotalKwh: 7000 + more,
            gridImportTotalKwh: 3000,
            gridExportTotalKwh: 5000,
          },
        ],
      ]);
    }
    const { worth, energies } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(energies.production!.totalKwh).toBe(9004);
    expect(worth!.sum.total).toEqual(close(2));
  });
});
