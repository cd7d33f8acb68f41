import { expect, test } from 'vitest';
import { markPosted } from '../../packages/server/src/fleet/collectors/presence.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { createWatchedWorld } from '../alarms/watched-world.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';

const MINUTE_MS = 60_000;
const { online, offline } = presence;

describeEngines('paces and clocks of devices', (database) => {
  const clock = settableClock('2026-06-15T11:00:00Z');
  const world = createWatchedWorld(database, clock);
  const { install, report, watch, deviceOf, alarmsOf } = world;
  const db = () => database().db;
  /** At noon, where the plants stand: in the zone UTC, at no known place. */
  const setUp = async () => {
    clock.at = Math.ceil(clock.at / 86_400_000) * 86_400_000 + 11 * 60 * MINUTE_MS;
    return install();
  };

  /** Lets time pass in steps of so many minutes; what happens at each, and then the watch looks. */
  const step = async (
    minutes: number,
    stepMinutes: number,
    each: (minute: number) => Promise<unknown> = async () => {},
  ) => {
    for (let minute = 0; minute < minutes; minute += stepMinutes) {
      clock.at += stepMinutes * MINUTE_MS;
      await each(minute);
      await watch();
    }
  };
  const postAlone = async (to: Installation) =>
    markPosted(db(), await deviceOf(to.collectorId), clock.at);

  test('one reading of a clock that leapt ahead neither hides what follows nor that it ends', async () => {
    const to = await setUp();
    await step(30, 5, () => report(to));
    await report(to, { acPowerW: 1 }, clock.at + 10 * 60 * MINUTE_MS);
    for (let quarter = 0; quarter < 6; quarter++) {
      await step(15, 5, () => report(to, { acPowerW: 1000, temperatureC: 92 }));
      expect((await deviceOf(to.deviceId)).state).not.toBe(offline);
    }
    expect(await alarmsOf(to.deviceId)).toMatchObject([{ code: 'H106', endAt: null }]);
    await step(45, 5);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline, offlineAbnormal: 1 });
  });

  test('a device whose clock runs ahead for good is online while it reports, and soon offline when it does not', async () => {
    const to = await setUp();
    const ahead = 120 * MINUTE_MS;
    const reportAhead = () => report(to, { acPowerW: 1000 }, clock.at + ahead);
    await step(90, 5, reportAhead);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online });
    const since = (await deviceOf(to.deviceId)).stateSince;
    await step(60, 5, reportAhead);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, stateSince: since });
    await step(35, 5);
    expect(await deviceOf(to.deviceId)).toMatchObject({ state: offline });
  });

  test.each([
    [1, 1],
    [5, 5],
    [15, 5],
    [60, 20],
  ])(
    'a device that reports every %i minutes stays online, and is offline three of them after its last report',
    async (every, stepMinutes) => {
      const to = await setUp();
      let looks = 0;
      let first = 0;
      // The collector posts all the while; it takes three reports to know the pace.
      let last = 0;
      await step(Math.max(14 * every, 40), stepMinutes, async (minute) => {
        await postAlone(to);
        if (minute % every === 0) {
          await report(to, { acPowerW: 1000 });
          last = clock.at;
        }
        if (minute === 4 * every) first = (await deviceOf(to.deviceId)).stateSince;
        if (minute > 4 * every) {
          looks += 1;
          expect(await deviceOf(to.deviceId)).toMatchObject({ state: online, stateSince: first });
        }
      });
      expect(looks).toBeGreaterThan(8);
      for (const [seconds, state] of [
        [-20, online],
        [20, offline],
      ] as const) {
        clock.at = last + 3 * every * MINUTE_MS + seconds * 1000;
        await watch();
        expect((await deviceOf(to.deviceId)).state).toBe(state);
      }
    },
  );

  test.each([10, 60])(
    'a device whose clock is put back by %i minutes stays online: what counts is that its readings arrive',
    async (minutes) => {
      const to = await setUp();
      await step(60, 5, () => report(to));
      await step(60, 5, () => report(to, { acPowerW: 1000 }, clock.at - minutes * MINUTE_MS));
      expect((await deviceOf(to.deviceId)).state).toBe(online);
      // Put right again it stays so, and is offline when it falls silent.
      await step(5, 5, () => report(to));
      expect((await deviceOf(to.deviceId)).state).toBe(online);
      await step(20, 5);
      expect((await deviceOf(to.deviceId)).state).toBe(offline);
    },
  );

  test('a device that reports less often than before is soon known to', async () => {
    const to = await setUp();
    await step(60, 2, () => report(to));
    const offlines: number[] = [];
    await step(6 * 60, 5, async (minute) => {
      await postAlone(to);
      if (minute % 30 === 0) await report(to);
      if ((await deviceOf(to.deviceId)).state === offline) offlines.push(minute);
    });
    expect(offlines.at(-1)).toBeLessThan(4 * 60);
    expect((await deviceOf(to.deviceId)).expectedSeconds).toBe(1800);
    // However often its state turned until then, there was one alarm at most.
    expect((await alarmsOf(to.deviceId)).length).toBeLessThanOrEqual(1);
  });
});
