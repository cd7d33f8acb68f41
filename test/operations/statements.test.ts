import { expect, test } from 'vitest';
import { createOperations } from '../../packages/server/src/operations/index.ts';
import { createSqlSeries } from '../../packages/server/src/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/telemetry/create-telemetry.ts';
import { describeEngines } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { credentials } from '../support/credentials.ts';

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
        for (const kind of ['collector', 'epm', 'weather', 'ammeter'] as const) await fleet.device(plantId, { kind });
        if (i % 10 === 0) await fleet.report(sn, [['2026-06-01T11:55:00Z', { acPowerW: 1000 }]]);
        sns.set(owner, sn);
      }
    }
    const { db, texts } = listening(database().db);
    const handlers = createOperations({ db, clock, ids: fleet.newId, telemetry: createTelemetry({ db, series: createSqlSeries(db) }), credentials });
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
      const ask = (accountId: string) => handlers[id](userCaller(accountId), { pageNo: 1, pageSize: pageSizes.get(accountId) } as never);
      // The first time it is looked for when devices began to report, and kept.
      await ask(small.id);
      expect((await textsOf(() => ask(large.id))).length).toBeLessThanOrEqual(statements + 3);
      const few = await textsOf(() => ask(small.id));
      const many = await textsOf(() => ask(large.id));
      expect([id, many]).toEqual([id, few]);
      expect([id, few.length]).toEqual([id, statements]);
    }
    const detail = await textsOf(() => handlers.inverterDetail(userCaller(small.id), { id: undefined, sn: sns.get(small.id)! }));
    expect(detail).toHaveLength(3);
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
    const handlers = createOperations({ db, clock, ids: fleet.newId, telemetry: createTelemetry({ db, series: createSqlSeries(db) }), credentials });
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
