import { expect, test } from 'vitest';
import { markPosted } from '../../packages/server/src/devices/states.ts';
import { presence } from '../../packages/server/src/plants/presence.ts';
import { createWatchedWorld } from '../alarms/watched-world.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';

const MINUTE_MS = 60_000;
const { online, offline } = presence;

describeEngines('paces and clocks of devices', (database) => {
  const clock = settableClock('2026-06-15T11:00:00Z');
  const world = createWatchedWorld(database, clock);
  const { install, report, pass, passReporting, deviceOf, alarmsOf } = world;
  const db = () => database().db;
  /** At noon, where the plants stand: in the zone UTC, at no known place. */
  const setUp = async () => {
    clock.at = Math.ceil(clock.at / 86_400_000) * 86_400_000 + 11 * 60 * MINUTE_MS;
    return install();
  };

  test('one reading of a clock that leapt ahead neither hides what follows nor that it ends', async () => {
    const to = await setUp();
    await passReporting(to, 30);
    const { stateSince } = await deviceOf(to.deviceId);
    await report(to, { acPowerW: 1 }, clock.at + 10 * 60 * MINUTE_MS);
    for (let quarter = 0; quarter < 6; quarter++) {
      await passReporting(to, 15, () => ({ acPowerW: 1000, temperatureC: 92 }));
      expect(await deviceOf(to.deviceId)).toMatchObject({ stateSince: expect.toSatisfy((since) => since === stateSince || quarter > 0) });
      expect((await deviceOf(to.deviceId)).state).not.toBe(offline);
    }
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ code: 'H106', endAt: null }]);
    await pass(45);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
  });

  test('a device whose clock runs ahead for good is online while it reports, and soon offline when it does not', async () => {
    const to = await setUp();
    const ahead = 120 * MINUTE_MS;
    await pass(90, async (minute) => minute % 5 === 4 && report(to, { acPowerW: 1000 }, clock.at + ahead));
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online });
    const since = (await deviceOf(to.deviceId)).stateSince;
    await pass(60, async (minute) => minute % 5 === 4 && report(to, { acPowerW: 1000 }, clock.at + ahead));
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, stateSince: since });
    await pass(35);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline });
  });

  test.each([1, 5, 15, 60])('a device that reports every %i minutes stays online, and is offline three of them after its last report', async (every) => {
    const to = await setUp();
    let looks = 0;
    let first = 0;
    // The collector posts all the while; it takes three reports to know the pace.
    await pass(Math.max(240, 14 * every), async (minute) => {
      await markPosted(db(), await deviceOf(to.collectorId), clock.at);
      if (minute % every === 0) await report(to, { acPowerW: 1000 });
      if (minute === 4 * every) first = (await deviceOf(to.deviceId)).stateSince;
      if (minute > 4 * every && minute % 30 === 0) {
        looks += 1;
        expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, stateSince: first });
      }
    });
    expect(looks).toBeGreaterThan(4);
    // The last report was `every` minutes ago, less the one of its own.
    await pass(2 * every - 1);
    expect((await deviceOf(to.deviceId)).state).toBe(online);
    await pass(4);
    expect((await deviceOf(to.deviceId)).state).toBe(offline);
  });

  test('a device that reports less often than before is soon known to', async () => {
    const to = await setUp();
    await pass(60, async () => report(to));
    const offlines: number[] = [];
    await pass(6 * 60, async (minute) => {
      await markPosted(db(), await deviceOf(to.collectorId), clock.at);
      if (minute % 30 === 29) await report(to);
      if ((await deviceOf(to.deviceId)).state === offline) offlines.push(minute);
    });
    expect(offlines.at(-1)).toBeLessThan(4 * 60);
    expect((await deviceOf(to.deviceId)).expectedSeconds).toBe(1800);
    // However often its state turned until then, there was one alarm at most.
    expect((await alarmsOf(to.deviceId)).length).toBeLessThanOrEqual(1);
  });
});
