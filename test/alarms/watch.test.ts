import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { lockAlarm, processAlarm } from '../../packages/server/src/outbound/alarms/processing.ts';
import { createWatch } from '../../packages/server/src/outbound/alarms/watch.ts';
import { insertDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { countStates } from '../../packages/server/src/fleet/plants/fleet/visible-counts.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { describeEngines } from '../support/engines.ts';
import { lookAtFleet } from '../support/runs.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createWatchedWorld } from './watched-world.ts';

const MINUTE_MS = 60_000;
const { online, offline, alarm } = presence;
const [PENDING, PROCESSED, RESTORED] = [0, 1, 2];

describeEngines('the watch', (database) => {
  const clock = settableClock('2026-06-15T09:00:00Z');
  const world = createWatchedWorld(database, clock);
  const {
    act,
    write,
    install,
    report,
    watch,
    watcher,
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

  test('lets others have a turn after each device', async () => {
    const DEVICES = 12;
    for (let i = 0; i < DEVICES; i++) await report(await install());
    clock.at += 60 * MINUTE_MS;
    let turns = 0;
    const watched = watch().then(() => true);
    while (!(await Promise.race([watched, nextTurn(false)]))) turns++;
    expect(turns).toBeGreaterThan(DEVICES);
  });

  test('raises an alarm when samples are bad for long enough, once, and ends it when they are good again', async () => {
    const to = await setUp();
    await report(to, cool());
    await passReporting(to, 30, cool);
    const begin = clock.at + 5 * MINUTE_MS;
    await passReporting(to, 60, hot);
    const raised = {
      code: 'H106',
      level: 2,
      message: 'the device temperature of 91.0 °C is too high',
      state: PENDING,
      beginAt: begin,
      endAt: null,
    };
    expect(await alarmsOf(to.deviceId)).toMatchObject([raised]);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: alarm, openAlarms: 1 });
    expect(await plantOf(to.plantId)).toMatchObject({ state: alarm, alarmDevices: 1 });
    const end = clock.at + 5 * MINUTE_MS;
    await passReporting(to, 60, cool);
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ ...raised, state: RESTORED, endAt: end }]);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, openAlarms: 0 });
    expect(await plantOf(to.plantId)).toMatchObject({ state: online, alarmDevices: 0 });
  });

  test('raises once although several instances look at once', async () => {
    const to = await setUp();
    await report(to, hot());
    for (let minute = 5; minute <= 60; minute += 5) {
      clock.at += 5 * MINUTE_MS;
      await report(to, hot());
    }
    const storages = [0, 1, 2].map(() => openStorage(database().address));
    await Promise.all(storages.map((storage) => watcher(storage.db).runDue()));
    // Also when two take the same task: one was thought dead.
    await db()
      .updateTable('device')
      .set({ checkAt: clock.at })
      .where('id', '=', to.deviceId)
      .execute();
    const logger = { error: (fault: unknown) => world.faults.push(fault) };
    // Writers of one SQLite file within one process would block one another.
    const instances = database().engine === 'postgres' ? storages : storages.map(() => database());
    await Promise.all(
      instances.map(({ db: from }) =>
        lookAtFleet(
          createWatch({
            db: from,
            clock,
            newId: world.newId,
            logger,
            telemetry: createTelemetry(settledReads(from, createSqlSeries(from))),
          }),
          from,
        ),
      ),
    );
    await watch();
    for (const storage of storages) await storage.close();
    expect(await alarmsOf(to.deviceId)).toHaveLength(1);
    const change = { raise: { code: 'X1', level: 1 as const, message: 'x', beginAt: clock.at } };
    const done = await Promise.all(
      [1, 2, 3].map(() =>
        write((trx) =>
          changeAlarms(trx, { now: clock.at, newId: world.newId }, to.deviceId, [change]),
        ),
      ),
    );
    expect(done.flat().filter((changed) => changed)).toHaveLength(1);
  });

  test('looks back over samples that came while nobody looked', async () => {
    const to = await setUp();
    const start = clock.at;
    await report(to, cool());
    for (let minute = 5; minute <= 240; minute += 5) {
      clock.at += 5 * MINUTE_MS;
      await report(to, minute >= 60 && minute <= 120 ? hot() : cool());
    }
    await watch();
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      {
        code: 'H106',
        beginAt: start + 60 * MINUTE_MS,
        endAt: start + 125 * MINUTE_MS,
        state: RESTORED,
      },
    ]);
  });

  test('raises that a device is offline after half an hour of abnormal silence, and ends it when the device has reported for ten minutes', async () => {
    const to = await setUp();
    await report(to);
    await passReporting(to, 30);
    const last = clock.at;
    // The collector goes on: the fault is the device's.
    const other = await world.device(to.plantId);
    await db()
      .updateTable('device')
      .set({ collectorId: to.collectorId })
      .where('id', '=', other.id)
      .execute();
    const others = () => report({ ...to, deviceId: other.id, sn: other.sn });
    await pass(40, async (minute) => minute % 5 === 0 && others());
    expect(await alarmsOf(to.deviceId)).toEqual([]);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
    await pass(10, async (minute) => minute % 5 === 0 && others());
    const [raised] = await alarmsOf(to.deviceId);
    expect(raised).toMatchObject({ code: 'H101', state: PENDING, endAt: null });
    expect(raised!.beginAt - last).toBeGreaterThanOrEqual(15 * MINUTE_MS);
    expect(raised!.beginAt - last).toBeLessThanOrEqual(17 * MINUTE_MS);
    await report(to);
    const back = clock.at;
    expect((await deviceOf(to.deviceId)).state).toBe(online);
    await passReporting(to, 8);
    expect((await alarmsOf(to.deviceId))[0]).toMatchObject({ endAt: null });
    await passReporting(to, 30);
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: 'H101', state: RESTORED, endAt: back },
    ]);
  });

  test('raises one alarm for a silent collector and none for the devices behind it', async () => {
    const to = await setUp();
    await report(to);
    await pass(90);
    expect(await alarmsOf(to.collectorId)).toMatchObject([{ code: 'H101' }]);
    expect(await alarmsOf(to.deviceId)).toEqual([]);
  });

  test('raises nothing when an inverter and its collector sleep at night', async () => {
    const to = await setUp();
    clock.at += 11 * 60 * MINUTE_MS;
    await report(to);
    await pass(90);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 0 });
    expect([...(await alarmsOf(to.deviceId)), ...(await alarmsOf(to.collectorId))]).toEqual([]);
  });

  test('raises one alarm in the night when a collector falls silent that reports for a battery', async () => {
    const to = await setUp();
    clock.at += 11 * 60 * MINUTE_MS;
    // Nobody has said that there is one; its values do.
    await passReporting(to, 30, () => ({ acPowerW: 300, batterySocPercent: 55 }));
    const last = clock.at;
    await pass(100);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
    expect(await deviceOf(to.collectorId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
    expect(await alarmsOf(to.deviceId)).toEqual([]);
    const [raised, ...others] = await alarmsOf(to.collectorId);
    expect(raised).toMatchObject({ code: 'H101', state: PENDING });
    expect(raised!.beginAt - last).toBeLessThanOrEqual(50 * MINUTE_MS);
    expect(others).toEqual([]);
  });

  test('asks a weather station whether there is light', async () => {
    const to = await setUp();
    const station = await write(async (trx) => {
      const sn = world.uniqueSn('WS');
      const id = await insertDevice(trx, act(), { sn, kind: 'weather' });
      await bindDevice(trx, act(), id, to.plantId);
      await trx
        .updateTable('device')
        .set({ collectorId: to.collectorId })
        .where('id', '=', id)
        .execute();
      return { ...to, deviceId: id, sn };
    });
    const dark = async (minute: number) => {
      if (minute % 5 !== 4) return;
      await report(station, { irradianceWm2: 40 });
      await report(to, { acPowerW: 0 });
    };
    await pass(120, dark);
    expect(await alarmsOf(to.deviceId)).toEqual([]);
    await pass(100, async (minute) => {
      if (minute % 5 !== 4) return;
      await report(station, { irradianceWm2: 600 });
      await report(to, { acPowerW: 0 });
    });
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ code: 'H102' }]);
  });

  test('an alarm that somebody took care of stays open until its cause ends, and is counted for everybody who may see it', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    const { ownerId } = await plantOf(to.plantId);
    const guest = await world.person();
    await write((trx) => sharePlant(trx, act(), to.plantId, guest.email, 'read'));
    const numbers = (accountId: string) =>
      countStates(db(), reachOf(userCaller(accountId), 'read'), 'alarm');
    expect(await numbers(ownerId)).toEqual(new Map([[PENDING, 1]]));
    expect(await numbers(guest.id)).toEqual(new Map([[PENDING, 1]]));
    const { id } = await db()
      .selectFrom('alarm')
      .select('id')
      .where('deviceId', '=', to.deviceId)
      .executeTakeFirstOrThrow();
    await expect(
      write(async (trx) =>
        processAlarm(trx, act(), await lockAlarm(trx, userCaller(guest.id), id)),
      ),
    ).rejects.toMatchObject({ code: 'noPermission' });
    await write(async (trx) =>
      processAlarm(trx, act(), await lockAlarm(trx, userCaller(ownerId), id)),
    );
    await expect(
      write(async (trx) => processAlarm(trx, act(), await lockAlarm(trx, userCaller(ownerId), id))),
    ).rejects.toMatchObject({ code: 'noPermission' });
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ state: PROCESSED, endAt: null }]);
    expect((await deviceOf(to.deviceId)).state).toBe(alarm);
    expect(await numbers(guest.id)).toEqual(new Map([[PROCESSED, 1]]));
    await passReporting(to, 60, cool);
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ state: RESTORED }]);
    expect(await numbers(ownerId)).toEqual(new Map([[RESTORED, 1]]));
    expect(await countMiscounts(db())).toBe(0);
  });

  test('goes on after a restart: an alarm that was open is not raised again and ends', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    const restarted = () => {
      const { db: afresh } = database();
      const telemetry = createTelemetry(settledReads(afresh, createSqlSeries(afresh)));
      const logger = { error: (fault: unknown) => world.faults.push(fault) };
      return lookAtFleet(
        createWatch({ db: afresh, clock, newId: world.newId, logger, telemetry }),
        afresh,
      );
    };
    for (let minute = 0; minute < 60; minute += 5) {
      clock.at += 5 * MINUTE_MS;
      await report(to, minute < 20 ? hot() : cool());
      await restarted();
    }
    await restarted();
    expect(world.faults).toEqual([]);
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ code: 'H106', state: RESTORED }]);
  });

  test('raises one alarm of a value that jumps over its limit and back every minute', async () => {
    const to = await setUp();
    await pass(180, async (minute) => {
      // Ever again bad for a quarter of an hour, then to and fro.
      const [above, below] = minute % 60 < 20 ? [86, 86] : [86, 84];
      await report(to, { acPowerW: 5000, temperatureC: minute % 2 === 0 ? above : below });
    });
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: 'H106', state: PENDING, endAt: null },
    ]);
  });

  test('gives an alarm the day of its beginning in the plant’s zone', async () => {
    await setUp();
    const to = await install({ timeZone: 'Pacific/Kiritimati' });
    const begin = Date.parse('2027-02-27T11:00:00Z');
    clock.at = begin;
    const change = { raise: { code: 'X1', level: 1 as const, message: 'x', beginAt: begin } };
    await write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, to.deviceId, [change]),
    );
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ beginDay: 20270228 }]);
  });

  test('goes on with the others when one device cannot be looked at, and says so', async () => {
    const sick = await setUp();
    const well = await install();
    await report(sick, hot());
    await report(well, hot());
    const { telemetry } = world.parts();
    const readingsBetween = telemetry.readingsBetween.bind(telemetry);
    telemetry.readingsBetween = (from, series, fromAt, toAt) =>
      series === sick.series
        ? Promise.reject(new Error('cannot be read'))
        : readingsBetween(from, series, fromAt, toAt);
    for (let minute = 5; minute <= 60; minute += 5) {
      clock.at += 5 * MINUTE_MS;
      await report(sick, hot());
      await report(well, hot());
    }
    await expect(watch()).rejects.toMatchObject({ device: sick.deviceId });
    world.faults.length = 0;
    telemetry.readingsBetween = readingsBetween;
    expect(await alarmsOf(well.deviceId)).toMatchObject([{ code: 'H106' }]);
    expect(await deviceOf(sick.deviceId)).toMatchObject({ state: online });
  });

  test('costs as much as there are devices due: others are not read', async () => {
    await setUp();
    const many = [];
    for (let i = 0; i < 5; i++) many.push(await install());
    for (const to of many) await report(to);
    await watch();
    const { telemetry } = world.parts();
    const asked: number[] = [];
    const latestOf = telemetry.latestOf.bind(telemetry);
    telemetry.latestOf = (from, bindings) => {
      asked.push(...bindings);
      return latestOf(from, bindings);
    };
    await db()
      .updateTable('device')
      .set({ checkAt: clock.at })
      .where('id', '=', many[2]!.deviceId)
      .execute();
    clock.at += 10_000;
    await watch();
    telemetry.latestOf = latestOf;
    expect(asked).toEqual([many[2]!.binding]);
  });
});
