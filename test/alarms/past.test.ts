import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { countStates } from '../../packages/server/src/fleet/plants/fleet/visible-counts.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';
import { createWatchedWorld } from './watched-world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const { online, offline } = presence;
const RESTORED = 2;

describeEngines('the watch and what was elsewhere or long ago', (database) => {
  const clock = settableClock('2026-06-15T09:00:00Z');
  const world = createWatchedWorld(database, clock);
  const {
    act,
    write,
    install,
    report,
    watch,
    pass,
    passReporting,
    deviceOf,
    plantOf,
    alarmsOf,
    setUp,
    hot,
    cool,
  } = world;
  const db = () => database().db;

  test('says of samples that come late within the day what they said, and nothing of those between others that it has looked at', async () => {
    const to = await setUp();
    const start = clock.at;
    for (let minute = 0; minute <= 120; minute += 5)
      await report(to, minute < 60 ? hot() : cool(), start - 300 * MINUTE_MS + minute * MINUTE_MS);
    await report(to, cool());
    await watch();
    await pass(16, async (minute) => minute % 5 === 0 && report(to, cool()));
    const known = [
      {
        code: 'H106',
        beginAt: start - 300 * MINUTE_MS,
        endAt: start - 240 * MINUTE_MS,
        state: RESTORED,
      },
    ];
    const said = async () => (await alarmsOf(to.deviceId)).filter(({ code }) => code === 'H106');
    expect(await said()).toMatchObject(known);
    for (let minute = 0; minute <= 60; minute += 5)
      await report(to, hot(), start - 120 * MINUTE_MS + minute * MINUTE_MS);
    await pass(16, async (minute) => minute % 5 === 0 && report(to, cool()));
    expect(await said()).toMatchObject(known);
    expect(await said()).toHaveLength(1);
  });

  test('says nothing of history that is handed in', async () => {
    const to = await setUp();
    for (let minute = 0; minute <= 120; minute += 5)
      await report(to, hot(), clock.at - 3 * DAY_MS + minute * MINUTE_MS);
    await report(to, cool());
    await pass(16);
    expect(await alarmsOf(to.deviceId)).toEqual([]);
  });

  /** Moves a device to the plant of somebody else and behind the collector there. */
  const move = async (to: Installation): Promise<Installation> => {
    const next = await install();
    await write((trx) => endBinding(trx, act(), to.deviceId, to.plantId));
    await write((trx) => bindDevice(trx, act(), to.deviceId, next.plantId));
    await write((trx) => assignCollector(trx, to.deviceId, next.collectorId));
    return { ...to, plantId: next.plantId, collectorId: next.collectorId };
  };

  test('ends the alarms of a device that has left the plant, which keeps them', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    const there = await move(to);
    await pass(1);
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: 'H106', state: RESTORED, endAt: clock.at },
    ]);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, openAlarms: 0 });
    await passReporting(there, 60, hot);
    const places = await db()
      .selectFrom('alarm')
      .select('plantId')
      .where('deviceId', '=', to.deviceId)
      .orderBy('id')
      .execute();
    expect(places).toEqual([{ plantId: to.plantId }, { plantId: there.plantId }]);
    expect(await countMiscounts(db())).toBe(0);
  });

  test('lets a device that was silent before it was moved stay offline, and raises nothing of the time before', async () => {
    const to = await setUp();
    await report(to);
    // The collector goes on: the fault is the device's.
    const other = await world.device(to.plantId);
    await write((trx) => assignCollector(trx, other.id, to.collectorId));
    await pass(
      40,
      async (minute) => minute % 5 === 0 && report({ ...to, deviceId: other.id, sn: other.sn }),
    );
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
    const there = await move(to);
    await pass(60);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 0 });
    expect(await alarmsOf(to.deviceId)).toEqual([]);
    await report(there);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online });
    expect(await countMiscounts(db())).toBe(0);
  });

  test('raises that a device which reported until it was moved does not report where it stands now', async () => {
    const to = await setUp();
    await passReporting(to, 30);
    const there = await move(to);
    const moved = clock.at;
    const other = await world.device(there.plantId);
    await write((trx) => assignCollector(trx, other.id, there.collectorId));
    await pass(
      60,
      async (minute) => minute % 5 === 0 && report({ ...there, deviceId: other.id, sn: other.sn }),
    );
    const [raised] = await alarmsOf(to.deviceId);
    expect(raised).toMatchObject({ code: 'H101', endAt: null });
    expect(raised!.beginAt).toBeGreaterThanOrEqual(moved + 15 * MINUTE_MS);
  });

  test('ends the alarms of an archived plant, and leaves no counter behind', async () => {
    const to = await setUp();
    const { ownerId } = await plantOf(to.plantId);
    await passReporting(to, 60, hot);
    await write((trx) => archivePlant(trx, act(), to.plantId));
    await pass(1);
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: 'H106', state: RESTORED, endAt: clock.at },
    ]);
    expect(await deviceOf(to.deviceId)).toMatchObject({
      state: offline,
      openAlarms: 0,
      plantId: null,
    });
    expect(await countStates(db(), reachOf(userCaller(ownerId), 'read'), 'alarm')).toEqual(
      new Map(),
    );
    expect(await countMiscounts(db())).toBe(0);
  });
});
