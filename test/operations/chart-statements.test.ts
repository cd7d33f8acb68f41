import { expect, test } from 'vitest';
import type { OperationId } from '@helioport/contract';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { describeEngines } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { operationsOn } from '../support/operations.ts';

const DAY = 20260601;
const HOUR_MS = 3_600_000;

describeEngines('the statements of a chart', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  const ask = () => {
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    return async (
      accountId: string,
      id: OperationId,
      input: Record<string, unknown>,
    ): Promise<string[]> => {
      texts.length = 0;
      await handlers[id](userCaller(accountId), input as never);
      return [...texts];
    };
  };

  test('of a plant are as many for a hundred devices as for one, and few', async () => {
    const owner = await fleet.person();
    const plants: string[] = [];
    for (const count of [1, 100]) {
      const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
      for (let i = 0; i < count; i++) {
        const { sn } = await fleet.device(plantId, { kind: 'inverter', ratedPowerW: 5000 + i });
        await fleet.report(sn, [
          ['2026-05-30T11:00:00Z', { acPowerW: 900, energyTotalKwh: 9 }],
          ['2026-06-01T11:50:00Z', { acPowerW: 1000, energyTotalKwh: 10 }],
          ['2026-06-01T11:55:00Z', { acPowerW: 1000, energyTotalKwh: 10.1 }],
        ]);
      }
      plants.push(plantId);
    }
    const statementsOf = ask();
    for (const [id, chosen, atMost] of [
      ['stationDay', { day: DAY }, 6],
      ['stationMonth', { month: 202606 }, 3],
      ['stationYear', { year: 2026 }, 4],
      ['stationAll', {}, 4],
    ] as const) {
      const input = (plantId: string) => ({ id: plantId, nmiCode: undefined, ...chosen });
      await statementsOf(owner.id, id, input(plants[0]!));
      const [few, many] = [
        await statementsOf(owner.id, id, input(plants[0]!)),
        await statementsOf(owner.id, id, input(plants[1]!)),
      ];
      expect([id, many]).toEqual([id, few]);
      expect([id, few.length]).toEqual([id, atMost]);
    }
  });

  test('of a device are as many for one that came and went as for one that stayed', async () => {
    const owner = await fleet.person();
    const [here, elsewhere] = [await fleet.plant(owner.id), await fleet.plant(owner.id)];
    const [stayed, moved] = [await fleet.device(here), await fleet.device(here)];
    for (let hour = 1; hour <= 8; hour++) {
      clock.at = Date.parse('2026-06-01T00:00:00Z') + hour * HOUR_MS;
      const [from, to] = hour % 2 === 0 ? [elsewhere, here] : [here, elsewhere];
      for (const { sn } of [stayed, moved])
        await fleet.report(sn, [[clock.at - 1000, { acPowerW: 500, energyTotalKwh: 10 + hour }]]);
      await fleet.write((trx) => endBinding(trx, fleet.act(), moved.id, from));
      await fleet.write((trx) => bindDevice(trx, fleet.act(), moved.id, to));
    }
    clock.at = Date.parse('2026-06-01T12:00:00Z');
    const statementsOf = ask();
    for (const [id, statements] of [
      ['inverterDay', 7],
      ['inverterMonth', 3],
      ['inverterYear', 4],
      ['inverterAll', 4],
    ] as const) {
      const input = ({ sn }: { sn: string }) => ({
        id: undefined,
        sn,
        day: DAY,
        month: 202606,
        year: 2026,
      });
      await statementsOf(owner.id, id, input(stayed));
      const [few, many] = [
        await statementsOf(owner.id, id, input(stayed)),
        await statementsOf(owner.id, id, input(moved)),
      ];
      expect([id, many]).toEqual([id, few]);
      expect([id, few.length]).toEqual([id, statements]);
    }
  });

  test('of a list of alarms are as many for a hundred alarms as for one', async () => {
    const [small, large] = [await fleet.person(), await fleet.person()];
    for (const [accountId, count] of [
      [small.id, 1],
      [large.id, 100],
    ] as const) {
      const { id } = await fleet.device(await fleet.plant(accountId));
      for (let i = 0; i < count; i++) {
        const raise = { code: `C${i}`, level: 1, message: 'x', beginAt: clock.now() - i } as const;
        await fleet.write((trx) =>
          changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, id, [{ raise }]),
        );
      }
    }
    const statementsOf = ask();
    for (const input of [{}, { stateCode: 0 }, { fromDay: DAY, toDay: DAY }]) {
      const paged = { pageNo: 1, pageSize: 100, ...input };
      await statementsOf(small.id, 'alarmList', paged);
      const few = await statementsOf(small.id, 'alarmList', paged);
      expect([input, await statementsOf(large.id, 'alarmList', paged)]).toEqual([input, few]);
      expect(few.length).toBeLessThanOrEqual(3);
    }
  });
});
