import { expect, test } from 'vitest';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { requestRecalculation } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import { recalculateWaiting } from '../../packages/server/src/measurements/ingest/recalculation/recalculate.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('a plant as people see it', (database) => {
  const clock = settableClock('2026-06-02T12:00:00Z');
  const fleet = createFleet(database, clock);

  /** A plant whose inverter had counted 1,000 kWh before it was bound, and whose energy has prices. */
  async function produced(): Promise<{ owner: string; plantId: string }> {
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner, { timeZone: 'Europe/Berlin' });
    for (const [use, pricePerKwh] of [
      ['import', 0.4],
      ['export', 0.1],
    ] as const)
      await fleet.write((trx) =>
        setTariff(trx, fleet.act(), plantId, use, { fromAt: 0, pricePerKwh }),
      );
    const { sn } = await fleet.device(plantId);
    const counted = (kwh: number, soldKwh: number) => ({
      acPowerW: 2000,
      energyTotalKwh: 1000 + kwh,
      gridImportTotalKwh: 50,
      gridExportTotalKwh: 10 + soldKwh,
    });
    await fleet.report(sn, [
      ['2026-05-31T22:30:00Z', counted(0, 0)],
      ['2026-06-01T12:00:00Z', counted(10, 4)],
      // Local midnight.
      ['2026-06-01T22:00:00Z', counted(10, 4)],
      ['2026-06-02T11:55:00Z', counted(12, 5)],
    ]);
    await fleet.runWork();
    return { owner, plantId };
  }

  test('has its record, since when it has been recorded, and what the caller may do', async () => {
    const { owner, plantId } = await produced();
    const caller = userCaller(owner);
    const shown = await fleet.wire('plant/show', caller, { plantId });
    expect(shown).toMatchObject({
      id: plantId,
      ownerId: owner,
      state: 'online',
      level: 'owner',
      connection: 'live',
      // The local day of the first reading, not that of UTC.
      recordedSince: '2026-06-01',
      recordedKwh: 12,
      values: { acPowerW: 2000 },
      energies: { production: { todayKwh: 2, totalKwh: 1012 } },
      avoidedCo2Kg: 1012 * 0.475,
      worth: { of: 'savedAndSold', sum: { today: 0.5 } },
    });
    expect(shown.treeYears).toBeCloseTo((1012 * 0.475) / 18.3);
    const { facts, ...record } = await fleet.ask('stationDetail', caller, { id: plantId });
    expect(JSON.parse(JSON.stringify(record)).energies).toEqual(shown.energies);
    expect(facts).toEqual({});
    const guest = await fleet.person();
    await expect(fleet.ask('plant/show', userCaller(guest.id), { plantId })).rejects.toMatchObject({
      code: 'noPermission',
    });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'read'));
    expect(await fleet.wire('plant/show', userCaller(guest.id), { plantId })).toMatchObject({
      level: 'read',
    });
  });

  test('is being built as long as it has no devices, and has no record', async () => {
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner);
    const shown = await fleet.wire('plant/show', userCaller(owner), { plantId });
    expect(shown).toMatchObject({ state: 'building', connection: 'noDevices' });
    expect(Object.keys(shown)).not.toContain('recordedSince');
  });

  test('has the curves of a day as columns', async () => {
    const { owner, plantId } = await produced();
    expect(
      await fleet.wire('plant/day', userCaller(owner), { plantId, day: '2026-06-02' }),
    ).toEqual({
      times: [Date.parse('2026-06-01T22:00:00Z'), Date.parse('2026-06-02T11:55:00Z')],
      values: { acPowerW: [2000, 2000] },
      dayKwh: { production: [0, 2], gridImport: [0, 0], gridExport: [0, 1] },
    });
  });

  test('has energy and money for days, months and years, by one rule', async () => {
    const { owner, plantId } = await produced();
    const ask = (each: string, more: object = {}) =>
      fleet.wire('plant/energy', userCaller(owner), { plantId, each, ...more });
    const days = await ask('day');
    expect(days).toMatchObject([
      {
        day: 20_260_601,
        kwh: { production: 10, gridExport: 4 },
        exportIncome: expect.closeTo(0.4),
        saved: expect.closeTo(2.4),
      },
      {
        day: 20_260_602,
        kwh: { production: 2, gridExport: 1 },
        exportIncome: expect.closeTo(0.1),
        saved: expect.closeTo(0.4),
      },
    ]);
    const sum = { kwh: { production: 12 }, worthOf: 'savedAndSold' };
    const [[month], [year]] = [await ask('month', { year: 2026 }), await ask('year')];
    expect([month, year]).toMatchObject([
      { day: 20_260_601, ...sum },
      { day: 20_260_101, ...sum },
    ]);
    for (const { worth } of [month, year]) expect(worth).toBeCloseTo(2.8 + 0.5);
    expect(await ask('day', { month: '2026-05' })).toEqual([]);
  });

  test('says which of its energies are being recalculated, until they are', async () => {
    const { owner, plantId } = await produced();
    const neighbour = await produced();
    const rows = (each: string, of = { owner, plantId }) =>
      fleet.wire('plant/energy', userCaller(of.owner), { plantId: of.plantId, each });
    const marksOf = async () => {
      const marks = [];
      for (const each of ['day', 'month', 'year'])
        marks.push(...(await rows(each)).map(({ recalculating = false }) => recalculating));
      const { recalculating = false } = await fleet.wire('plant/show', userCaller(owner), {
        plantId,
      });
      return [...marks, recalculating];
    };
    expect(await marksOf()).toEqual([false, false, false, false, false]);
    // Local midnight between the two days.
    const fromAt = Date.parse('2026-06-01T22:00:00Z');
    await fleet.write((trx) => requestRecalculation(trx, plantId, fromAt, clock.at));
    expect(await marksOf()).toEqual([false, true, true, true, true]);
    expect(JSON.stringify(await rows('day', neighbour)).includes('recalculating')).toBe(false);
    await recalculateWaiting(database().db, createSqlSeries(database().db), () => {});
    expect(await marksOf()).toEqual([false, false, false, false, false]);
  });
});
