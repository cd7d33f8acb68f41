import { expect, test } from 'vitest';
import { markPosted } from '../../packages/server/src/fleet/collectors/presence.ts';
import { markReporting } from '../../packages/server/src/fleet/devices/states.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { createWatchedWorld } from '../alarms/watched-world.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';

const MINUTE_MS = 60_000;
const { online, offline, building } = presence;

describeEngines('states', (database) => {
  // Noon where the plants stand: in the zone UTC, at no known place.
  const clock = settableClock('2026-06-15T11:00:00Z');
  const world = createWatchedWorld(database, clock);
  const { act, write, install, report, watch, pass, passReporting, deviceOf, plantOf } = world;
  const db = () => database().db;
  const noon = () => {
    clock.at = Math.ceil(clock.at / 86_400_000) * 86_400_000 + 11 * 60 * MINUTE_MS;
  };
  const setUp = async () => {
    noon();
    return install();
  };

  test('a plant is building without a device, offline with a silent one, online when one reports, and offline again', async () => {
    noon();
    const owner = await world.person();
    const empty = await world.plant(owner.id);
    expect(await plantOf(empty)).toMatchObject({ state: building, deviceCount: 0 });
    const to = await install();
    expect(await plantOf(to.plantId)).toMatchObject({
      state: offline,
      deviceCount: 2,
      onlineDevices: 0,
    });
    await report(to);
    expect(await plantOf(to.plantId)).toMatchObject({
      state: online,
      onlineDevices: 2,
      stateSince: clock.at,
    });
    expect(await deviceOf(to.deviceId)).toMatchObject({
      state: online,
      stateSince: clock.at,
      offlineAbnormal: 0,
    });
    await pass(15);
    expect(await plantOf(to.plantId)).toMatchObject({
      state: offline,
      onlineDevices: 0,
      abnormalDevices: 2,
      stateSince: clock.at,
    });
  });

  test('a device that reports in time stays online through many looks', async () => {
    const to = await setUp();
    await report(to);
    const since = clock.at;
    await passReporting(to, 120);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, stateSince: since });
  });

  test('a device goes offline three expected intervals after its last report, not before', async () => {
    const to = await setUp();
    await report(to);
    const last = clock.at;
    clock.at = last + 15 * MINUTE_MS - 1000;
    await watch();
    expect((await deviceOf(to.deviceId)).state).toBe(online);
    clock.at = last + 15 * MINUTE_MS + 10_000;
    await watch();
    expect(await deviceOf(to.deviceId)).toMatchObject({
      state: offline,
      stateSince: clock.at,
      offlineAbnormal: 1,
    });
  });

  test('a device that samples every quarter of an hour is given three quarters', async () => {
    const to = await setUp();
    for (let quarter = 0; quarter < 8; quarter++) {
      await report(to);
      await pass(15);
    }
    await report(to);
    await pass(16);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, expectedSeconds: 900 });
    await pass(30);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline });
  });

  test('a backlog that is handed in later turns nothing online', async () => {
    const to = await setUp();
    const intake = world.parts().ingest.begin();
    await intake.add([{ sn: to.sn, at: clock.at - 86_400_000, values: { acPowerW: 1 } }]);
    expect(
      await intake.store({ collectorId: to.collectorId }, { isBacklog: true, ownerId: 'somebody' }),
    ).toMatchObject({
      accepted: 1,
    });
    expect((await deviceOf(to.deviceId)).state).toBe(offline);
  });

  test('an inverter that goes silent at dusk is normally offline, and abnormally when it does not come back in daylight', async () => {
    const to = await setUp();
    await db()
      .updateTable('plant')
      .set({ latitude: 52.5, longitude: 0 })
      .where('id', '=', to.plantId)
      .execute();
    // Eight in the evening, the sun at eight degrees; in the morning there is daylight from about half past five.
    clock.at += 9 * 60 * MINUTE_MS;
    await report(to);
    await pass(30);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 0 });
    expect(await plantOf(to.plantId)).toMatchObject({ state: offline, abnormalDevices: 0 });
    clock.at += 5 * 60 * MINUTE_MS;
    await watch();
    expect((await deviceOf(to.deviceId)).offlineAbnormal).toBe(0);
    clock.at += 6 * 60 * MINUTE_MS;
    await watch();
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
    await report(to);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, offlineAbnormal: 0 });
    expect(await plantOf(to.plantId)).toMatchObject({ state: online, abnormalDevices: 0 });
  });

  test('a collector is online while it posts; its last post is kept to the minute and costs no write in between', async () => {
    const to = await setUp();
    await report(to);
    const at = clock.at;
    expect(await deviceOf(to.collectorId)).toMatchObject({ state: online, reportedAt: at });
    clock.at += 59_000;
    await markPosted(db(), await deviceOf(to.collectorId), clock.at);
    expect((await deviceOf(to.collectorId)).reportedAt).toBe(at);
    clock.at += 1_000;
    await markPosted(db(), await deviceOf(to.collectorId), clock.at);
    expect((await deviceOf(to.collectorId)).reportedAt).toBe(clock.at);
    await pass(20);
    expect((await deviceOf(to.collectorId)).state).toBe(offline);
  });

  test('the pace of a collector that posts every half hour is learned, and its devices are given that time too', async () => {
    const to = await setUp();
    for (let half = 0; half < 12; half++) {
      for (let back = 5; back >= 0; back--)
        await report(to, { acPowerW: 1000 }, clock.at - back * 5 * MINUTE_MS);
      await pass(30);
    }
    await report(to);
    const since = clock.at;
    await pass(50);
    expect((await deviceOf(to.collectorId)).expectedSeconds).toBeGreaterThan(1500);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online });
    expect((await deviceOf(to.deviceId)).stateSince).toBeLessThan(since);
  });

  test('a device that is unbound takes its state along and adds to its next plant', async () => {
    const to = await setUp();
    await report(to);
    await write((trx) => endBinding(trx, act(), to.deviceId, to.plantId));
    expect(await plantOf(to.plantId)).toMatchObject({ deviceCount: 1, onlineDevices: 1 });
    const owner = await world.person();
    const next = await world.plant(owner.id);
    await write((trx) => bindDevice(trx, act(), to.deviceId, next));
    expect(await plantOf(next)).toMatchObject({ state: online, deviceCount: 1, onlineDevices: 1 });
    await pass(16);
    expect(await plantOf(next)).toMatchObject({ state: offline });
    expect(await countMiscounts(db())).toBe(0);
  });

  test('a report that comes while the watch looks is not overruled by what the watch saw', async () => {
    const to = await setUp();
    await report(to);
    clock.at += 16 * MINUTE_MS;
    const { telemetry } = world.parts();
    const latestOf = telemetry.latestOf.bind(telemetry);
    let interfered = false;
    telemetry.latestOf = async (from, bindings) => {
      const latest = await latestOf(from, bindings);
      if (!interfered && bindings.includes(to.binding)) {
        interfered = true;
        // Another instance found it silent, and then it reported.
        await write((trx) =>
          markReporting(
            trx,
            [
              {
                id: to.deviceId,
                state: offline,
                expectedSeconds: 300,
                reportedAt: null,
                lastAt: clock.at,
              },
            ],
            clock.at,
          ),
        );
        await db()
          .updateTable('device')
          .set({ checkAt: clock.at + 900_000 })
          .where('id', '=', to.deviceId)
          .execute();
      }
      return latest;
    };
    await watch();
    telemetry.latestOf = latestOf;
    expect(interfered).toBe(true);
    expect(await deviceOf(to.deviceId)).toMatchObject({
      state: online,
      checkAt: clock.at + 900_000,
    });
  });
});
