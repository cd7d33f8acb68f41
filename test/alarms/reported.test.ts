import { expect, test } from 'vitest';
import { recordReported } from '../../packages/server/src/outbound/alarms/reported.ts';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { setBounds } from '../../packages/server/src/platform/storage/bounds/within.ts';
import { listCollectorRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createWatchedWorld } from './watched-world.ts';

const MINUTE_MS = 60_000;

describeEngines('alarms that devices report', (database) => {
  const clock = settableClock('2026-06-15T09:00:00Z');
  const world = createWatchedWorld(database, clock);
  const { install, report, deviceOf, alarmsOf } = world;
  const setUp = async () => {
    const to = await install();
    await report(to);
    const send = (...alarms: unknown[]) =>
      recordReported(
        { db: database().db, clock, newId: world.newId },
        { collectorId: to.collectorId },
        alarms,
      );
    return {
      to,
      send,
      alarm: { sn: to.sn, code: '1015', at: clock.at, level: 3, message: 'no grid' },
    };
  };

  test('begin when the device says so, put it into the state alarm, and end when it says so', async () => {
    const { to, send, alarm } = await setUp();
    expect(await send(alarm)).toEqual({ accepted: 1, duplicate: 0, refused: [] });
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: '1015', level: 3, message: 'no grid', state: 0, beginAt: alarm.at, endAt: null },
    ]);
    expect((await deviceOf(to.deviceId)).state).toBe(presence.alarm);
    clock.at += MINUTE_MS;
    expect(await send({ sn: to.sn, code: '1015', at: clock.at, cleared: true })).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [],
    });
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ state: 2, endAt: clock.at }]);
    expect((await deviceOf(to.deviceId)).state).toBe(presence.online);
  });

  test('sent again change nothing, also when they have ended since', async () => {
    const { to, send, alarm } = await setUp();
    const end = { ...alarm, at: alarm.at + MINUTE_MS, cleared: true };
    expect(await send(alarm, alarm, end, end)).toEqual({ accepted: 2, duplicate: 2, refused: [] });
    expect(await send(alarm, { ...alarm, at: alarm.at + 1000 }, end)).toEqual({
      accepted: 0,
      duplicate: 3,
      refused: [],
    });
    expect(await alarmsOf(to.deviceId)).toHaveLength(1);
    expect(await send({ ...alarm, at: end.at + 1 })).toMatchObject({ accepted: 1 });
    expect(await alarmsOf(to.deviceId)).toHaveLength(2);
  });

  test('come in any order within a report: one that has ended by then is not open', async () => {
    const { to, send, alarm } = await setUp();
    const end = { sn: to.sn, code: '1015', at: alarm.at + MINUTE_MS, cleared: true };
    expect(await send(end, { ...alarm, at: alarm.at + 2 * MINUTE_MS }, alarm)).toMatchObject({
      accepted: 3,
    });
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { beginAt: alarm.at, endAt: end.at, state: 2 },
      { beginAt: alarm.at + 2 * MINUTE_MS, endAt: null },
    ]);
  });

  test('of level 1 leave the device online', async () => {
    const { to, send, alarm } = await setUp();
    await send({ ...alarm, level: 1 });
    expect((await deviceOf(to.deviceId)).state).toBe(presence.online);
  });

  test('without a message get one', async () => {
    const { to, send, alarm } = await setUp();
    await send({ ...alarm, message: undefined });
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ message: 'alarm 1015 of the device' }]);
  });

  test('that cannot be are refused one by one, with the reason, and the others stored', async () => {
    const { to, send, alarm } = await setUp();
    const wrong: [unknown, string][] = [
      [7, 'an alarm must be an object'],
      [null, 'an alarm must be an object'],
      [{ ...alarm, sn: 7 }, 'sn must be'],
      [{ ...alarm, sn: 'FOREIGN' }, 'is bound to this collector'],
      [{ ...alarm, code: '' }, 'code must be'],
      [{ ...alarm, code: 'a b' }, 'code must be'],
      [{ ...alarm, code: 'x'.repeat(33) }, 'code must be'],
      [{ ...alarm, code: 'H101' }, 'reserved for alarms that the service raises'],
      [{ ...alarm, at: '2026' }, 'at must be'],
      [{ ...alarm, at: 5 }, 'at is before'],
      [{ ...alarm, at: clock.at + 2 * 86_400_000 }, 'at is more than a day'],
      [{ ...alarm, level: 4 }, 'level must be'],
      [{ ...alarm, level: '1' }, 'level must be'],
      [{ ...alarm, cleared: 'yes' }, 'cleared must be'],
      [{ ...alarm, message: 'a\u0000b' }, 'message must be'],
      [{ ...alarm, message: '\ud800' }, 'message must be'],
    ];
    const { accepted, refused } = await send(...wrong.map(([each]) => each), alarm);
    expect(accepted).toBe(1);
    expect(refused.map(({ index }) => index)).toEqual(wrong.map((_, i) => i));
    for (const [i, { reason }] of refused.entries()) expect(reason).toContain(wrong[i]![1]);
    expect(await alarmsOf(to.deviceId)).toHaveLength(1);
    const remembered = await listCollectorRefusals(database().db, to.collectorId, 100);
    expect(remembered).toContainEqual(
      expect.objectContaining({
        sn: 'FOREIGN',
        reason: 'no device with this serial number is bound to this collector',
      }),
    );
  });

  test('beyond the bound are refused, with the reason; those that are open stay and end, and make room', async () => {
    const { to, send, alarm } = await setUp();
    setBounds(database().db, { openAlarms: 3 });
    const some = (...codes: string[]) => codes.map((code) => ({ ...alarm, code }));
    const reason = '3 alarms of this device are open already: clear those that have ended';
    expect(await send(...some('A', 'B', 'C', 'D', 'E'))).toEqual({
      accepted: 3,
      duplicate: 0,
      refused: [
        { index: 3, reason },
        { index: 4, reason },
      ],
    });
    expect(await listCollectorRefusals(database().db, to.collectorId, 100)).toContainEqual(
      expect.objectContaining({ sn: to.sn, reason, count: 2 }),
    );
    // The service's own are raised beside them, and the device is judged by all.
    await world.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, to.deviceId, [
        { raise: { code: 'H106', level: 2, message: 'hot', beginAt: clock.at } },
      ]),
    );
    expect((await deviceOf(to.deviceId)).openAlarms).toBe(4);
    const end = { sn: to.sn, code: 'B', at: alarm.at + 1, cleared: true };
    expect(await send(...some('A'), { ...alarm, code: 'D', at: alarm.at + 2 }, end)).toEqual({
      accepted: 1,
      duplicate: 1,
      refused: [{ index: 1, reason }],
    });
    setBounds(database().db, { openAlarms: 4 });
    expect(await send({ ...alarm, code: 'D', at: alarm.at + 2 })).toMatchObject({ accepted: 1 });
    setBounds(database().db, {});
    expect((await deviceOf(to.deviceId)).openAlarms).toBe(4);
  });

  test('sent by 14 at once, and coming and going, are no more than the bounds', async () => {
    const { to, send, alarm } = await setUp();
    setBounds(database().db, { openAlarms: 5, newAlarms: 12 });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        send({ ...alarm, code: `E${i}` }, { ...alarm, code: `F${i}` }),
      ),
    );
    expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(5);
    expect(answers.reduce((sum, { refused }) => sum + refused.length, 0)).toBe(23);
    const opened = (await alarmsOf(to.deviceId)).map(({ code }) => code);
    await send(...opened.map((code) => ({ ...alarm, code, at: alarm.at + 1, cleared: true })));
    const flapping = Array.from({ length: 10 }, (_, i) => [
      { ...alarm, code: 'G', at: alarm.at + 2 * i },
      { ...alarm, code: 'G', at: alarm.at + 2 * i + 1, cleared: true },
    ]);
    const { refused } = await send(...flapping.flat());
    expect(refused).toHaveLength(3);
    expect(refused[0]!.reason).toBe('this device has reported 12 alarms within a day');
    clock.at += 86_400_001;
    expect(await send({ ...alarm, at: clock.at })).toMatchObject({ accepted: 1 });
    setBounds(database().db, {});
  });

  test('of a device behind another collector, or in no plant, are refused; a collector reports its own', async () => {
    const { send, alarm, to } = await setUp();
    const other = await install();
    expect(await send({ ...alarm, sn: other.sn })).toMatchObject({
      accepted: 0,
      refused: [{ index: 0 }],
    });
    const { sn } = await deviceOf(to.collectorId);
    expect(await send({ ...alarm, sn })).toMatchObject({ accepted: 1 });
    await world.write((trx) => endBinding(trx, world.act(), to.deviceId, to.plantId));
    expect(await send(alarm)).toMatchObject({ accepted: 0, refused: [{ index: 0 }] });
  });

  test('of a time before the device came to its plant are refused: they were somebody else’s', async () => {
    const { to, send, alarm } = await setUp();
    await send(alarm);
    const next = await install();
    clock.at += 30 * MINUTE_MS;
    await world.write((trx) => endBinding(trx, world.act(), to.deviceId, to.plantId));
    await world.write((trx) => bindDevice(trx, world.act(), to.deviceId, next.plantId));
    await world.write((trx) => assignCollector(trx, to.deviceId, next.collectorId));
    const sendThere = (...alarms: unknown[]) =>
      recordReported(
        { db: database().db, clock, newId: world.newId },
        { collectorId: next.collectorId },
        alarms,
      );
    expect(await sendThere({ ...alarm, at: clock.at - 1 })).toEqual({
      accepted: 0,
      duplicate: 0,
      refused: [{ index: 0, reason: 'the device was not in its plant at that time' }],
    });
    expect(await sendThere({ ...alarm, at: clock.at })).toMatchObject({ accepted: 1 });
    const alarms = await database()
      .db.selectFrom('alarm')
      .select(['plantId', 'beginAt'])
      .where('deviceId', '=', to.deviceId)
      .orderBy('id')
      .execute();
    expect(alarms).toEqual([
      { plantId: to.plantId, beginAt: alarm.at },
      { plantId: next.plantId, beginAt: clock.at },
    ]);
  });

  test('of the plant that a device has left end with the next report, whatever that is about', async () => {
    const { to, send, alarm } = await setUp();
    await send(alarm, { ...alarm, code: '1016' });
    const next = await install();
    clock.at += 30 * MINUTE_MS;
    await world.write((trx) => endBinding(trx, world.act(), to.deviceId, to.plantId));
    await world.write((trx) => bindDevice(trx, world.act(), to.deviceId, next.plantId));
    await world.write((trx) => assignCollector(trx, to.deviceId, next.collectorId));
    await recordReported(
      { db: database().db, clock, newId: world.newId },
      { collectorId: next.collectorId },
      [{ ...alarm, code: '2000', at: clock.at }],
    );
    const alarms = await alarmsOf(to.deviceId);
    expect(new Map(alarms.map(({ code, endAt }) => [code, endAt !== null]))).toEqual(
      new Map([
        ['1015', true],
        ['1016', true],
        ['2000', false],
      ]),
    );
  });

  test('of a device with another owner than its collector are refused', async () => {
    const { to, send, alarm } = await setUp();
    const next = await install();
    await world.write((trx) => endBinding(trx, world.act(), to.deviceId, to.plantId));
    await world.write((trx) => bindDevice(trx, world.act(), to.deviceId, next.plantId));
    expect(await send({ ...alarm, at: clock.at })).toMatchObject({
      accepted: 0,
      refused: [{ index: 0 }],
    });
  });
});
