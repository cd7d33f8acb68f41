import { WEATHER_LANE } from '../../packages/server/src/measurements/weather/lane.ts';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { registerWorkMetrics } from '../../packages/server/src/interfaces/edges/http/metrics/work-metrics.ts';
import { fleetParts } from '../../packages/server/src/outbound/alarms/due-devices.ts';
import { countTasks } from '../../packages/server/src/platform/work/queue.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { FORWARD } from '../../packages/server/src/outbound/forwarding/destinations/shards.ts';
import { STRATEGY_DEVICE } from '../../packages/server/src/control/commands/open-commands.ts';
import { SET_POINTS } from '../../packages/server/src/control/strategies/set-points.ts';
import { STRATEGY_WATCH } from '../../packages/server/src/control/strategies/watch.ts';
import { DELIVER_WAITING } from '../../packages/server/src/fleet/devices/waiting-readings.ts';
import { LOSSES_LANE } from '../../packages/server/src/outbound/performance/lane.ts';
import { createWatch } from '../../packages/server/src/outbound/alarms/watch.ts';
import { createWatchedWorld } from '../alarms/watched-world.ts';
import { describeEngines } from '../support/engines.ts';
import { runOf } from '../support/runs.ts';
import { settableClock } from '../support/world.ts';
import { createScene } from './scene.ts';
import { EXPORT } from '../../packages/server/src/data-rights/exports/rows.ts';
import { lanesWith } from './lanes.ts';

describeEngines('lanes', (database) => {
  test('let others begin whatever is queued and hangs in one of them, and keep to their number of places', async () => {
    const { kind, clock, runner, arm } = createScene(database);
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const lanes = {
      [`${kind} hanging`]: {
        runsAtOnce: 2,
        limitSeconds: 60,
        run: ({ key }: { key: string }) => (begun.push(key), gate.promise),
      },
      [kind]: {
        runsAtOnce: 1,
        limitSeconds: 60,
        run: async ({ key }: { key: string }) => void begun.push(key),
      },
    };
    const instance = runner(async () => {}, {}, { lanes });
    for (let i = 0; i < 20; i++) await arm(`hangs ${i}`, clock.at - 20 + i, `${kind} hanging`);
    await instance.start();
    await expect.poll(() => begun.toSorted()).toEqual(['hangs 0', 'hangs 1']);
    await arm('other');
    await expect.poll(() => begun.toSorted()).toEqual(['hangs 0', 'hangs 1', 'other']);
    gate.resolve();
    await instance.stop();
  });

  test('begin those that are named first before others', async () => {
    const { kind, clock, runner, arm } = createScene(database);
    const begun: string[] = [];
    const lane = {
      runsAtOnce: 1,
      limitSeconds: 60,
      run: async ({ key }: { key: string }) => void begun.push(key),
    };
    const instance = runner(
      async () => {},
      {},
      { lanes: { [`${kind} b`]: lane, [`${kind} a`]: lane } },
    );
    await arm('second', clock.at - 10, `${kind} a`);
    await arm('first', clock.at, `${kind} b`);
    await instance.runDue();
    expect(begun).toEqual(['first', 'second']);
  });

  test('are counted by kind: what is due, for how long, what runs, and what was abandoned', async () => {
    const { kind, clock, runner, arm } = createScene(database);
    const metrics = new Registry();
    const { onAbandoned } = registerWorkMetrics(metrics, () => countTasks(database().db, clock.at));
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const instance = runner(
      () => (begun++, gate.promise),
      { runsAtOnce: 1, limitSeconds: 10 },
      { onAbandoned },
    );
    await arm('a', clock.at - 3000);
    await arm('b', clock.at - 2000);
    await arm('c', clock.at - 1000);
    await arm('later', clock.at + 60_000);
    await instance.start();
    await expect.poll(() => begun).toBe(1);
    const shown = async () =>
      (await metrics.metrics()).split('\n').filter((line) => line.includes(`"${kind}"`));
    expect(await shown()).toEqual([
      `helioport_work_due{kind="${kind}"} 2`,
      `helioport_work_running{kind="${kind}"} 1`,
      `helioport_work_oldest_due_seconds{kind="${kind}"} 2`,
    ]);
    clock.at += 10_000;
    await expect.poll(shown).toContain(`helioport_work_abandoned_total{kind="${kind}"} 1`);
    gate.resolve();
    await instance.stop();
  });

  test('of the server have limits, few places, and the watch first', () => {
    const lanes = lanesWith({ db: database().db });
    expect(Object.keys(lanes)[0]).toBe('watch');
    // An export is written in one place, and may take twice as long.
    const { [EXPORT]: exporting, ...timely } = lanes;
    expect(exporting).toMatchObject({ runsAtOnce: 1, limitSeconds: 120 });
    for (const { limitSeconds } of Object.values(timely))
      expect(limitSeconds).toBeLessThanOrEqual(60);
    // Connections of the pool are shared with requests. A process that delivers events holds none while it waits for a peer.
    // Those of strategies have something to do only while a strategy is under way, and one place each.
    const {
      [FORWARD]: forward,
      [STRATEGY_DEVICE]: devices,
      [STRATEGY_WATCH]: looks,
      [SET_POINTS]: divisions,
      // Reads, and transactions of a moment each.
      [DELIVER_WAITING]: waiting,
      [LOSSES_LANE]: losses,
      [WEATHER_LANE]: weather,
      retention,
      ...others
    } = timely;
    for (const lane of [devices, looks, divisions, waiting, losses, weather, retention])
      expect(lane!.runsAtOnce).toBe(1);
    expect(
      Object.values(others).reduce((sum, { runsAtOnce }) => sum + runsAtOnce, 0),
    ).toBeLessThanOrEqual(10);
    expect(forward!.runsAtOnce).toBe(4);
  });
});

describeEngines('the watch, divided', (database) => {
  const clock = settableClock('2026-06-15T09:00:00Z');
  const world = createWatchedWorld(database, clock);

  test('looks at each device once in a round, whichever instances look, and each round on time', async () => {
    const devices = [];
    for (let i = 0; i < 12; i++) devices.push(await world.setUp());
    for (const device of devices) await world.report(device);
    const looked: string[] = [];
    const instances = Array.from({ length: 3 }, () => {
      const { telemetry } = world.parts();
      const watch = createWatch({
        db: database().db,
        clock,
        logger: { error: (fault: unknown) => world.faults.push(fault) },
        newId: world.newId,
        telemetry,
      });
      const lane = {
        runsAtOnce: 1,
        limitSeconds: 60,
        everySeconds: 10,
        keys: fleetParts,
        ...watch,
      };
      return createRunner({
        db: database().db,
        clock,
        logger: {
          error: (fault: unknown) => void world.faults.push(fault),
          warn: (fault: unknown) => void world.faults.push(fault),
        },
        pollMs: 5,
        lanes: { watch: { ...lane, run: (run) => (looked.push(run.key), watch.run(run)) } },
      });
    });
    for (const runner of instances) await runner.start();
    const ended = () =>
      database()
        .db.selectFrom('task')
        .select('key')
        .where('kind', '=', 'watch')
        .where('claimedUntil', '=', 0)
        .where('dueAt', '>', clock.at)
        .execute();
    await expect.poll(() => looked.length).toBe(fleetParts.length);
    await expect.poll(async () => (await ended()).length).toBe(fleetParts.length);
    for (let round = 2; round <= 6; round++) {
      // However late the instances notice: the rounds before do not shift this one.
      clock.at += round === 3 ? 13_000 : round === 4 ? 7_000 : 10_000;
      await expect.poll(() => looked.length).toBe(round * fleetParts.length);
      await expect.poll(async () => (await ended()).length).toBe(fleetParts.length);
      expect(looked.slice(-fleetParts.length).toSorted()).toEqual(fleetParts);
    }
    for (const runner of instances) await runner.stop();
    expect(world.faults).toEqual([]);
  });

  test('has each device in one part, and all devices in some', async () => {
    const devices = [];
    for (let i = 0; i < 8; i++) devices.push(await world.setUp());
    await database().db.updateTable('device').set({ checkAt: clock.at }).execute();
    const all = (
      await database()
        .db.selectFrom('device')
        .select('id')
        .where('checkAt', '=', clock.at)
        .execute()
    ).length;
    const { telemetry } = world.parts();
    const watch = createWatch({
      db: database().db,
      clock,
      logger: { error: (fault: unknown) => world.faults.push(fault) },
      newId: world.newId,
      telemetry,
    });
    const waiting = async () =>
      (
        await database()
          .db.selectFrom('device')
          .select('id')
          .where('checkAt', '=', clock.at)
          .execute()
      ).length;
    let before = all;
    for (const part of fleetParts) {
      await watch.run(runOf(database().db, part));
      const after = await waiting();
      expect(after).toBeLessThan(before);
      before = after;
    }
    expect(before).toBe(0);
  });
});
