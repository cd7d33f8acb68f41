import type { LossCause } from '@helioport/contract';
import { expect, test } from 'vitest';
import {
  dropLosses,
  keepLosses,
  type LossesOfDay,
} from '../../packages/server/src/outbound/performance/stored-losses.ts';
import { wordingOf } from '../../packages/server/src/outbound/notifications/messages/words.ts';
import { readNotifiedAlarms } from '../../packages/server/src/outbound/notifications/messages/notified-alarms.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const JUNE = 20_260_600;

describeEngines('what alarms and plants have lost', (database) => {
  const clock = settableClock('2026-06-20T12:00:00Z');
  const fleet = createFleet(database, clock);
  const db = () => database().db;

  const furnish = async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { currency: 'EUR' });
    const devices = [await fleet.device(plantId), await fleet.device(plantId)];
    return { caller: userCaller(owner.id), owner, plantId, devices };
  };
  type Home = Awaited<ReturnType<typeof furnish>>;

  const alarm = async (
    { plantId, devices }: Home,
    code: string,
    beginDay: number,
    { device = 0, endDay = null as number | null } = {},
  ): Promise<string> => {
    const id = fleet.newId();
    const { id: deviceId, sn } = devices[device]!;
    await db()
      .insertInto('alarm')
      .values({
        id,
        deviceId,
        plantId,
        sn,
        kind: 'inverter',
        code,
        level: 2,
        message: 'what is wrong',
        beginAt: clock.at + (beginDay - JUNE) * 1000,
        beginDay,
        endAt: endDay === null ? null : clock.at,
        endDay,
        state: endDay === null ? 0 : 2,
      } as never)
      .execute();
    return id;
  };
  const lossesOf = (
    day: number,
    losses: readonly (readonly [LossCause, string | undefined, number, number?])[],
    expectedKwh: number | null = 50,
  ): LossesOfDay => ({
    day,
    digest: '',
    expectedKwh,
    clippedKwh: expectedKwh === null ? null : 2,
    producedKwh: expectedKwh === null ? null : 40,
    uncertaintyPercent: 8,
    missing: expectedKwh === null ? 'gaps' : null,
    price: 0.1,
    ratios: {},
    dueSteps: null,
    ranSteps: null,
    dueKwh: null,
    ranKwh: null,
    losses: losses.map(([cause, sn, kwh, amount]) => ({
      cause,
      ...(sn !== undefined && { sn }),
      kwh,
      ...(amount !== undefined && { amount }),
      confidence: 'high' as const,
    })),
  });
  const listed = async ({ caller, plantId }: Home, more: object = {}) =>
    (await fleet.ask('alarm/list', caller, { plantId, pageNo: 1, pageSize: 20, ...more })).records;

  test('an alarm has cost what its inverter has lost through what it is about, since the day it began', async () => {
    const home = await furnish();
    const [a, b] = home.devices.map(({ sn }) => sn);
    const standing = await alarm(home, 'H102', JUNE + 10);
    const silent = await alarm(home, 'H101', JUNE + 11, { device: 1 });
    const hot = await alarm(home, 'H106', JUNE + 10);
    const fault = await alarm(home, 'E031', JUNE + 12);
    const ended = await alarm(home, 'H102', JUNE + 8, { endDay: JUNE + 10 });
    await keepLosses(db(), home.plantId, [
      lossesOf(JUNE + 9, [['standstill', a, 100, 10]]),
      lossesOf(JUNE + 10, [
        ['standstill', a, 5.04, 0.5],
        ['standstill', b, 7, 0.7],
        ['clipping', a, 9, 0.9],
      ]),
      lossesOf(JUNE + 12, [
        ['standstill', a, 4, 0.4],
        ['silent', b, 6],
        ['unexplained', undefined, 3],
      ]),
    ]);
    const costs = new Map(
      (await listed(home)).map(({ id, lostKwh, lostAmount, currency }) => [
        id,
        [lostKwh, lostAmount, currency],
      ]),
    );
    expect(costs.get(standing)).toEqual([9, 0.9, 'EUR']);
    expect(costs.get(silent)).toEqual([6, undefined, 'EUR']);
    expect(costs.get(hot)).toEqual([undefined, undefined, undefined]);
    expect(costs.get(fault)).toEqual([4, 0.4, 'EUR']);
    expect(costs.get(ended)).toEqual([105, 10.5, 'EUR']);
    const byCost = (await listed(home, { sort: 'lost', state: 'pending' })).map(({ id }) => id);
    expect(byCost).toEqual([standing, silent, fault, hot]);
    const pages = [];
    for (const pageNo of [1, 2, 3])
      pages.push(...(await listed(home, { sort: 'lost', state: 'pending', pageNo, pageSize: 2 })));
    expect(pages.map(({ id }) => id)).toEqual(byCost);
    const [told] = await readNotifiedAlarms(db(), home.owner.id, [standing]);
    expect(
      wordingOf({ language: 'en', advice: 'owner' }, { alarm: told!, says: 'began' }).where,
    ).toContain('Lost so far: 9 kWh, €0.90');

    // Losses are worked out anew when readings come late.
    await keepLosses(db(), home.plantId, [lossesOf(JUNE + 12, [])]);
    const after = new Map((await listed(home)).map(({ id, lostKwh }) => [id, lostKwh]));
    expect([after.get(standing), after.get(silent), after.get(fault)]).toEqual([
      5,
      undefined,
      undefined,
    ]);
  });

  test('the list of plants shows the share of expected and the lost energy of the last 30 days with figures', async () => {
    const home = await furnish();
    const other = await fleet.plant(home.owner.id);
    const shown = async (id = home.plantId) => {
      const { records } = await fleet.ask('plant/ranking', home.caller, {
        pageNo: 1,
        pageSize: 20,
      });
      const { sharePercent, lostKwh } = records.find((one) => one.id === id)!;
      return [sharePercent ?? undefined, lostKwh ?? undefined];
    };
    expect(await shown()).toEqual([undefined, undefined]);
    await keepLosses(db(), home.plantId, [
      { ...lossesOf(JUNE - 100 + 1, []), producedKwh: 1 },
      lossesOf(JUNE + 1, []),
      lossesOf(JUNE + 2, [], null),
      { ...lossesOf(JUNE + 3, []), producedKwh: 45 },
    ]);
    expect(await shown()).toEqual([85, 19]);
    expect(await shown(other)).toEqual([undefined, undefined]);
    await dropLosses(db(), home.plantId);
    expect(await shown()).toEqual([undefined, undefined]);
  });
});
