import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import {
  DELIVER_WAITING,
  sweepWaiting,
  WAITING_KEPT,
} from '../../packages/server/src/fleet/devices/waiting-readings.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createWaitingDelivery } from '../../packages/server/src/measurements/ingest/waiting.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const START = '2026-06-15T12:00:00Z';

describeEngines('readings of devices that nobody has bound', (database) => {
  const clock = settableClock(START);
  const fleet = createFleet(database, clock);
  const { write, act } = fleet;
  const as = ({ id }: Account) => userCaller(id);
  const ingestOf = () => {
    const { db } = database();
    return createIngest({ db, clock, series: createSqlSeries(db) });
  };
  const collectorIn = async (plantId: string) => {
    const sn = fleet.uniqueSn('COL');
    const made = await write((trx) => insertCollector(trx, act(), { sn }));
    await write((trx) => bindDevice(trx, act(), made.id, plantId));
    return { ...made, sn };
  };
  const household = async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { timeZone: 'UTC' });
    return { owner, plantId, collector: await collectorIn(plantId) };
  };
  /** Reports a counter that grows by 1 kWh in each of `count` five minutes until now; each must be refused. */
  const report = async (collectorId: string, sn: string, count: number, from = 0) => {
    const readings = Array.from({ length: count }, (_, i) => ({
      sn,
      at: clock.at - (count - 1 - i) * 5 * MINUTE,
      values: { acPowerW: 6000, energyTotalKwh: 100 + (from + i) * 0.5 },
    }));
    const { refused } = await ingestOf()({ collectorId }, readings);
    expect(refused).toHaveLength(count);
  };
  const work = (): Promise<unknown> => {
    const { db } = database();
    const logger = {
      error: (fault: object) => expect.unreachable(JSON.stringify(fault)),
      warn: () => {},
    };
    const lane = createWaitingDelivery({ db, clock, ingest: ingestOf() });
    return createRunner({
      db,
      clock,
      logger,
      lanes: { [DELIVER_WAITING]: { runsAtOnce: 1, limitSeconds: 60, ...lane } },
    }).runDue();
  };
  const left = async (sn: string): Promise<number> =>
    (await database().db.selectFrom('waitingReading').select('no').where('sn', '=', sn).execute())
      .length;
  const daily = async (owner: Account, sn: string): Promise<number[]> =>
    (await fleet.ask('inverterMonth', as(owner), { sn, month: '2026-06' })).map(
      ({ kwh }) => kwh.production ?? 0,
    );

  test('are kept, counted where they wait, and stored once the device is bound', async () => {
    const { owner, collector } = await household();
    const sn = fleet.uniqueSn('NEW');
    await report(collector.id, sn, 576);
    expect(await fleet.wire('discovery/list', as(owner))).toMatchObject([{ sn, kept: 576 }]);
    await fleet.wire('discovery/bind', as(owner), { sn });
    await work();
    expect(await left(sn)).toBe(0);
    const kwh = await daily(owner, sn);
    expect(kwh).toHaveLength(3);
    expect(kwh.reduce((sum, one) => sum + one, 0)).toBeCloseTo(287.5, 6);
    // What is done again finds nothing.
    await work();
    expect(await daily(owner, sn)).toEqual(kwh);
  });

  test('come in the same order with what the device reports itself meanwhile', async () => {
    const { owner, collector } = await household();
    const sn = fleet.uniqueSn('NEW');
    await report(collector.id, sn, 12);
    await fleet.wire('discovery/bind', as(owner), { sn });
    clock.at += 5 * MINUTE;
    const { accepted } = await ingestOf()({ collectorId: collector.id }, [
      { sn, at: clock.at, values: { acPowerW: 6000, energyTotalKwh: 106 } },
    ]);
    expect(accepted).toBe(1);
    await work();
    expect((await daily(owner, sn)).at(-1)).toBeCloseTo(6, 6);
  });

  test('are kept for seven days, at most 10,000 of a collector, the newest', async () => {
    const { owner, collector } = await household();
    const [old, many, after] = [
      fleet.uniqueSn('NEW'),
      fleet.uniqueSn('NEW'),
      fleet.uniqueSn('NEW'),
    ];
    await report(collector.id, old, 5);
    clock.at += 7 * DAY;
    await report(collector.id, after, 1);
    await sweepWaiting(database().db, clock.at, 100);
    expect([await left(old), await left(after)]).toEqual([0, 1]);
    const flood = Array.from({ length: WAITING_KEPT }, (_, i) => ({
      sn: many,
      at: clock.at - i * 1000,
      values: { acPowerW: 1 },
    }));
    await ingestOf()({ collectorId: collector.id }, flood);
    expect([await left(many), await left(after)]).toEqual([WAITING_KEPT, 0]);
    expect((await fleet.wire('discovery/list', as(owner)))[0].sn).toBe(many);
  });

  test('are the owner’s alone whose plant the collector was in when they came, or of the person who shows its token', async () => {
    const [here, there, buyer] = [await household(), await household(), await fleet.person()];
    const [first, second] = [fleet.uniqueSn('NEW'), fleet.uniqueSn('NEW')];
    for (const sn of [first, second]) await report(here.collector.id, sn, 12);
    // Somebody else whose collector reports the same number gets nothing of it.
    await report(there.collector.id, first, 3, 500);
    clock.at += 2 * DAY;
    await report(there.collector.id, first, 1, 503);
    await fleet.wire('discovery/bind', as(there.owner), { sn: first });
    await work();
    expect(await left(first)).toBe(12);
    // Nor does the next owner of the plant.
    await write((trx) => transferPlant(trx, act(), here.plantId, buyer.id));
    await report(here.collector.id, second, 1, 12);
    await fleet.wire('discovery/bind', as(buyer), { sn: second });
    await work();
    expect(await left(second)).toBe(12);
    expect((await daily(buyer, second)).reduce((sum, one) => sum + one, 0)).toBe(0);
  });

  test('go to the person who shows the token of the collector that reported them', async () => {
    const { owner, collector } = await household();
    const sn = fleet.uniqueSn('NEW');
    await report(collector.id, sn, 12);
    const next = await fleet.person();
    const plantId = await fleet.plant(next.id, { timeZone: 'UTC' });
    await fleet.wire('delCollector', as(owner), { sn: collector.sn });
    await fleet.wire('addDevice', as(next), {
      id: plantId,
      sn: collector.sn,
      collectorToken: collector.token,
    });
    await report(collector.id, sn, 1, 12);
    await fleet.wire('discovery/bind', as(next), { sn });
    await work();
    expect(await left(sn)).toBe(0);
    expect((await daily(next, sn)).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(5);
  });

  test('of devices that are bound elsewhere are not kept', async () => {
    const [here, there] = [await household(), await household()];
    const { sn } = await fleet.device(there.plantId);
    await report(here.collector.id, sn, 3);
    expect(await left(sn)).toBe(0);
  });

  test('come with a device that takes the place of another one', async () => {
    const { owner, plantId, collector } = await household();
    const { sn } = await fleet.device(plantId);
    const by = fleet.uniqueSn('NEW');
    await report(collector.id, by, 12);
    await fleet.wire('device/replace', as(owner), { plantId, sn, by });
    await work();
    expect((await daily(owner, by)).reduce((sum, one) => sum + one, 0)).toBeCloseTo(5.5, 6);
  });
});
