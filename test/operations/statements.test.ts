import { expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { operationsOn } from '../support/operations.ts';

describeEngines('the statements of an answer', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  test('are as many for a hundred plants or devices as for one, and always the same texts', async () => {
    const [small, large] = [await fleet.person(), await fleet.person()];
    const sns = new Map<string, string>();
    for (const [owner, count] of [
      [small.id, 1],
      [large.id, 100],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const plantId = await fleet.plant(owner, { pricePerKwh: 0.1 });
        const { sn } = await fleet.device(plantId, { kind: 'inverter' });
        for (const kind of ['collector', 'epm', 'weather', 'ammeter'] as const)
          await fleet.device(plantId, { kind });
        if (i % 10 === 0) await fleet.report(sn, [['2026-06-01T11:55:00Z', { acPowerW: 1000 }]]);
        sns.set(owner, sn);
      }
    }
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    const textsOf = async (run: () => Promise<unknown>): Promise<string[]> => {
      texts.length = 0;
      await run();
      return [...texts];
    };
    // Full pages both: where they end is kept.
    const pageSizes = new Map([
      [small.id, 1],
      [large.id, 100],
    ]);
    for (const [id, statements] of [
      ['userStationList', 5],
      ['stationDetailList', 5],
      ['stationDayEnergyList', 5],
      ['stationMonthEnergyList', 6],
      ['stationYearEnergyList', 6],
      ['inverterList', 5],
      ['inverterDetailList', 5],
      ['inverter/shelfTime', 3],
      ['collectorList', 6],
      ['epmList', 5],
      ['weatherList', 5],
      ['ammeterList', 5],
    ] as const) {
      const ask = (accountId: string) =>
        handlers[id](userCaller(accountId), {
          pageNo: 1,
          pageSize: pageSizes.get(accountId),
        } as never);
      // The first time it is looked for when devices began to report, and kept.
      await ask(small.id);
      expect((await textsOf(() => ask(large.id))).length).toBeLessThanOrEqual(statements + 3);
      const few = await textsOf(() => ask(small.id));
      const many = await textsOf(() => ask(large.id));
      expect([id, many]).toEqual([id, few]);
      expect([id, few.length]).toEqual([id, statements]);
    }
  });

  test('about one inverter are six at most, also when its beginnings are looked for, and when yesterday is asked for', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    const ask = async (sn: string) => {
      texts.length = 0;
      return handlers.inverterDetail(userCaller(owner.id), { id: undefined, sn });
    };
    const measured = (
      day: string,
      acPowerW: number,
      kwh: number,
    ): [string, Record<string, number>][] => [
      [`${day}T10:00:00Z`, { acPowerW: 0, energyTotalKwh: kwh, gridExportTotalKwh: kwh }],
      [
        `${day}T11:00:00Z`,
        {
          acPowerW,
          energyTotalKwh: kwh + acPowerW / 1000,
          gridExportTotalKwh: kwh + acPowerW / 1000,
        },
      ],
    ];
    const days = (from: string, count: number): string[] =>
      Array.from({ length: count }, (_, i) =>
        new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10),
      );
    for (const [each, producesFrom, atMost] of [
      [days('2026-04-28', 35), 0, 6],
      [days('2026-04-28', 35), 5, 6],
      [['2026-05-31', '2026-06-01'], 0, 6],
      [['2026-06-01'], 0, 6],
      [['2026-06-01'], 1, 6],
      // Where it produced nothing for more than a month, that is searched for once.
      [days('2026-04-28', 35), 33, 13],
    ] satisfies [string[], number, number][]) {
      const { sn } = await fleet.device(plantId, { kind: 'inverter' });
      for (const [i, day] of each.entries())
        await fleet.report(
          sn,
          measured(day, i >= producesFrom ? 1000 : 0, 100 + Math.max(0, i - producesFrom)),
        );
      await handlers.inverterList(userCaller(owner.id), { pageNo: 1, pageSize: 1 } as never);
      const first = await ask(sn);
      expect(texts.length).toBeLessThanOrEqual(atMost);
      expect(texts.filter((text) => text.includes('"deviceDay"')).length).toBeLessThanOrEqual(
        atMost === 6 ? 1 : 7,
      );
      const again = await ask(sn);
      expect(texts.length).toBeLessThanOrEqual(3);
      expect(again).toEqual(first);
      const producing = each[producesFrom];
      expect(first.firstProductionAt).toBe(
        producing === undefined ? undefined : Date.parse(`${producing}T11:00:00Z`),
      );
      expect(first.firstReportAt).toBe(Date.parse(`${each[0]}T10:00:00Z`));
      const yesterday = each.indexOf('2026-05-31');
      expect(first.energies.gridExport?.yesterdayKwh).toEqual(
        yesterday < 0 ? undefined : expect.closeTo(1, 5),
      );
    }
  });

  test('are not repeated for an inverter that first produced on a day without readings: it counts from the beginning of that day', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
    const { sn } = await fleet.device(plantId, { kind: 'inverter' });
    await fleet.report(sn, [
      ['2026-05-28T21:00:00Z', { energyTotalKwh: 5 }],
      ['2026-05-31T03:00:00Z', { energyTotalKwh: 65 }],
    ]);
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    const ask = () => handlers.inverterDetail(userCaller(owner.id), { id: undefined, sn });
    const first = await ask();
    texts.length = 0;
    expect(await ask()).toEqual(first);
    expect(texts.length).toBeLessThanOrEqual(3);
    expect(first.firstProductionAt).toBe(Date.parse('2026-05-29T00:00:00Z'));
  });

  test('are as many for twenty devices as for one where readings are ahead of the clock', async () => {
    const owners: string[] = [];
    for (const count of [1, 20]) {
      const owner = await fleet.person();
      const plantId = await fleet.plant(owner.id);
      for (let i = 0; i < count; i++) {
        const { sn } = await fleet.device(plantId);
        await fleet.report(sn, [
          ['2026-06-01T11:55:00Z', { acPowerW: 1000 }],
          ['2026-06-01T20:00:00Z', { acPowerW: 1 }],
        ]);
      }
      owners.push(owner.id);
    }
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    for (const id of ['userStationList', 'inverterDetailList'] as const) {
      const counts: number[] = [];
      for (const accountId of owners) {
        for (let time = 0; time < 2; time++) {
          texts.length = 0;
          await handlers[id](userCaller(accountId), { pageNo: 1, pageSize: 100 } as never);
        }
        counts.push(texts.length);
      }
      expect([id, counts[1]]).toEqual([id, counts[0]]);
    }
  });
});
