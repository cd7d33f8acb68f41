import { describe, expect, test } from 'vitest';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { LEASE_MS } from '../../packages/server/src/platform/work/claim.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createScene } from './scene.ts';

describeEngines('a runner', (database) => {
  const setUp = () => createScene(database);

  test('does an armed task when it is due, once, and then it is gone', async () => {
    const { clock, runner, arm, row } = setUp();
    const ran: string[] = [];
    const { runDue } = runner(async ({ key }) => void ran.push(key));
    await arm('later', clock.at + 1000);
    expect(await runDue()).toBe(0);
    clock.at += 1000;
    expect(await runDue()).toBe(1);
    expect(await runDue()).toBe(0);
    expect(ran).toEqual(['later']);
    expect(await row('later')).toBeUndefined();
  });

  test('does a task that was armed twice once, at the earlier time', async () => {
    const { clock, runner, arm } = setUp();
    const ran: number[] = [];
    const { runDue } = runner(async () => void ran.push(clock.at));
    await arm('', clock.at + 5000);
    await arm('', clock.at + 1000);
    await arm('', clock.at + 9000);
    clock.at += 1000;
    await runDue();
    clock.at += 60_000;
    await runDue();
    expect(ran).toHaveLength(1);
  });

  test('does not lose what is armed during a run', async () => {
    const { runner, arm } = setUp();
    let runs = 0;
    const { runDue } = runner(async ({ key }) => {
      if (++runs === 1) await arm(key);
    });
    await arm('again');
    await runDue();
    expect(runs).toBe(2);
  });

  test('does a periodic task at the start and then after each pause, for each of its keys', async () => {
    const { clock, runner } = setUp();
    const runs: string[] = [];
    const { runDue } = runner(async ({ key }) => void runs.push(key), {
      everySeconds: 60,
      keys: ['a', 'b'],
    });
    await runDue();
    clock.at += 59_999;
    await runDue();
    expect(runs.toSorted()).toEqual(['a', 'b']);
    clock.at += 1;
    await runDue();
    expect(runs.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });

  test('goes on at once with a run that has more to do', async () => {
    const { clock, runner } = setUp();
    let left = 5;
    const { runDue } = runner(async () => (--left > 0 ? { dueAt: clock.at } : undefined), {
      everySeconds: 60,
    });
    expect(await runDue()).toBe(5);
  });

  test('logs a failing task and tries it again after pauses that grow, and others run on', async () => {
    const { clock, faults, runner, arm, row } = setUp();
    const tries: number[] = [];
    let healthy = 0;
    const start = clock.at;
    const { runDue } = runner(async ({ key }) => {
      if (key === 'good') return void healthy++;
      tries.push((clock.at - start) / 1000);
      if (tries.length < 4) throw new Error('not yet');
    });
    await arm('bad');
    await arm('good');
    for (let second = 0; second <= 10; second++) {
      clock.at = start + second * 1000;
      await runDue();
    }
    expect(tries).toEqual([0, 1, 3, 7]);
    expect(healthy).toBe(1);
    expect(faults).toHaveLength(3);
    expect(await row('bad')).toBeUndefined();
  });

  test('leaves a task of a kind that it does not know to those that do', async () => {
    const { kind, arm, row, clock } = setUp();
    await arm('foreign');
    const lanes = { another: { runsAtOnce: 1, limitSeconds: 60, run: async () => {} } };
    expect(
      await createRunner({
        db: database().db,
        clock,
        logger: { error: () => {}, warn: () => {} },
        lanes,
      }).runDue(),
    ).toBe(0);
    expect(await row('foreign')).toMatchObject({ kind, claimedUntil: 0 });
  });

  test('of several on one database one does each task', async () => {
    const { runner, arm } = setUp();
    const keys = Array.from({ length: 40 }, (_, i) => `task ${i}`);
    for (const key of keys) await arm(key);
    const ran: string[] = [];
    const storages = Array.from({ length: 3 }, () => openStorage(database().address));
    const instances = storages.map(({ db }) =>
      runner(async ({ key }) => void ran.push(key), {}, { db }),
    );
    for (const instance of instances) await instance.start();
    await expect.poll(() => ran.length).toBe(keys.length);
    for (const instance of instances) await instance.stop();
    for (const storage of storages) await storage.close();
    expect(ran.toSorted()).toEqual(keys.toSorted());
  });

  test('waits at its stop for the run in hand and takes up nothing more', async () => {
    const { runner, arm } = setUp();
    const gate = Promise.withResolvers<void>();
    let [begun, ended] = [0, 0];
    const instance = runner(async () => {
      begun++;
      await gate.promise;
      ended++;
    });
    await arm('in hand');
    await instance.start();
    await expect.poll(() => begun).toBe(1);
    const stopped = instance.stop();
    await arm('after');
    gate.resolve();
    await stopped;
    expect([begun, ended]).toEqual([1, 1]);
  });

  test('waits at its stop for a run that begins while it stops', async () => {
    const { runner, arm } = setUp();
    let [begun, ended] = [0, 0];
    const instance = runner(async ({ transaction }) => {
      begun++;
      await transaction(async () => {});
      ended++;
    });
    for (let i = 0; i < 4; i++) await arm(`task ${i}`);
    // A look is under way.
    await instance.start();
    await instance.stop();
    expect([begun, ended]).toEqual([4, 4]);
  });

  test('keeps the lease of a run in hand while it stops', async () => {
    const { clock, runner, arm, row } = setUp();
    const gate = Promise.withResolvers<void>();
    const instance = runner(() => gate.promise);
    await arm('in hand');
    await instance.start();
    await expect.poll(async () => (await row('in hand'))!.claimedUntil).toBe(clock.at + LEASE_MS);
    const stopped = instance.stop();
    clock.at += LEASE_MS - 1;
    await expect.poll(async () => (await row('in hand'))!.claimedUntil).toBe(clock.at + LEASE_MS);
    gate.resolve();
    await stopped;
  });
});

describe('a look for work', () => {
  test('goes on when the database was away for a moment', async () => {
    const storage = openStorage(':memory:');
    const faults: object[] = [];
    const logger = { error: () => {}, warn: (fault: object) => void faults.push(fault) };
    // Not migrated: every look fails.
    const lanes = { none: { runsAtOnce: 1, limitSeconds: 60, run: async () => {} } };
    const instance = createRunner({
      db: storage.db,
      clock: settableClock(0),
      logger,
      lanes,
      pollMs: 1,
    });
    await instance.start();
    await expect.poll(() => faults.length).toBeGreaterThan(2);
    await instance.stop();
    await storage.close();
  });
});
