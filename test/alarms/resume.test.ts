import { expect, test } from 'vitest';
import {
  changeAlarms,
  type AlarmChange,
} from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { lockAlarm, processAlarm } from '../../packages/server/src/outbound/alarms/processing.ts';
import { resumeAlarms } from '../../packages/server/src/outbound/alarms/resume.ts';
import { bringBackDevices } from '../../packages/server/src/fleet/devices/bring-back.ts';
import { restorePlant } from '../../packages/server/src/fleet/plants/archived.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';
import { createWatchedWorld } from './watched-world.ts';

const [PENDING, PROCESSED, RESTORED] = [0, 1, 2];

describeEngines('the alarms of a plant that was archived and is back', (database) => {
  const clock = settableClock('2026-06-15T09:00:00Z');
  const world = createWatchedWorld(database, clock);
  const { act, write, report, pass, passReporting, deviceOf, plantOf, alarmsOf, setUp, hot, cool } =
    world;
  const db = () => database().db;

  const archive = async ({ plantId }: Installation): Promise<void> => {
    await write((trx) => archivePlant(trx, act(), plantId));
    await pass(1);
  };
  const restore = async ({ plantId }: Installation): Promise<void> => {
    const { ownerId } = await plantOf(plantId);
    await write(async (trx) => {
      const archivedAt = await restorePlant(trx, act(), ownerId, plantId);
      const { bound } = await bringBackDevices(trx, act(), { id: plantId, ownerId }, archivedAt);
      await resumeAlarms(trx, act(), bound, archivedAt);
    });
    await pass(1);
  };

  test('continue until samples show that their cause is over', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    const [raised] = await alarmsOf(to.deviceId);
    await archive(to);
    expect(await alarmsOf(to.deviceId)).toEqual([{ ...raised, state: RESTORED, endAt: clock.at }]);
    await pass(20);
    await restore(to);
    expect(await alarmsOf(to.deviceId)).toEqual([raised]);
    await report(to, hot());
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: presence.alarm, openAlarms: 1 });
    expect(await plantOf(to.plantId)).toMatchObject({ alarmDevices: 1 });
    expect(await countMiscounts(db())).toBe(0);
    await passReporting(to, 60, cool);
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { beginAt: raised!.beginAt, state: RESTORED, endAt: expect.any(Number) },
    ]);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: presence.online, openAlarms: 0 });
    expect(await countMiscounts(db())).toBe(0);
  });

  test('go on if nobody has noticed in between', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    const [raised] = await alarmsOf(to.deviceId);
    await write((trx) => archivePlant(trx, act(), to.plantId));
    await restore(to);
    expect(await alarmsOf(to.deviceId)).toEqual([raised]);
    expect(await countMiscounts(db())).toBe(0);
  });

  test('do not continue beside a newer one, nor in another plant', async () => {
    const to = await setUp();
    const change = (...changes: AlarmChange[]) =>
      write((trx) =>
        changeAlarms(trx, { now: clock.at, newId: world.newId }, to.deviceId, changes),
      );
    const raise = { code: 'H106', level: 2, message: 'is hot', beginAt: clock.at } as const;
    await change({ raise });
    await pass(1);
    const resume = { code: 'H106', leftAt: clock.at };
    await change({ clear: { code: 'H106', endAt: clock.at } });
    await pass(1);
    await change({ raise: { ...raise, beginAt: clock.at } });
    const alarms = await alarmsOf(to.deviceId);
    await change({ resume });
    expect(await alarmsOf(to.deviceId)).toEqual(alarms);
    await archive(to);
    const ended = await alarmsOf(to.deviceId);
    const other = await world.plant((await world.person()).id);
    await write((trx) => bindDevice(trx, act(), to.deviceId, other));
    await change({ resume });
    expect(await alarmsOf(to.deviceId)).toEqual(ended);
  });

  test('are still taken on by the person who took them on', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    const { ownerId } = await plantOf(to.plantId);
    const { id } = await db()
      .selectFrom('alarm')
      .select('id')
      .where('deviceId', '=', to.deviceId)
      .executeTakeFirstOrThrow();
    await write(async (trx) =>
      processAlarm(trx, act(), await lockAlarm(trx, userCaller(ownerId), id)),
    );
    await archive(to);
    await restore(to);
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ state: PROCESSED, endAt: null }]);
    expect(await countMiscounts(db())).toBe(0);
  });

  test('that were over before it was archived stay over', async () => {
    const to = await setUp();
    await passReporting(to, 60, hot);
    await passReporting(to, 60, cool);
    await archive(to);
    await restore(to);
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { state: RESTORED, endAt: expect.any(Number) },
    ]);
  });

  test('that devices reported themselves stay over, and silence is judged anew', async () => {
    const to = await setUp();
    await passReporting(to, 20, cool);
    const raises = ['H101', 'E7'].map(
      (code) => ({ raise: { code, level: 2, message: 'is wrong', beginAt: clock.at } }) as const,
    );
    await write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, to.deviceId, raises),
    );
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: 'H101', state: PENDING },
      { code: 'E7', state: PENDING },
    ]);
    await pass(1);
    await archive(to);
    await restore(to);
    expect(await alarmsOf(to.deviceId)).toMatchObject([
      { code: 'H101', state: RESTORED },
      { code: 'E7', state: RESTORED },
    ]);
  });
});
