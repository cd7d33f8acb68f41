import { describe, expect, test } from 'vitest';
import { armJob } from '../../packages/server/src/work/job-rows.ts';
import { CLAIM_MS, createJobs, type JobHandlers } from '../../packages/server/src/work/jobs.ts';
import { openStorage } from '../../packages/server/src/storage/open.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';

describeEngines('jobs', (database) => {
  let kinds = 0;
  /** A world of its own for each test: kinds that no other test arms. */
  const setUp = () => {
    const kind = `kind-${++kinds}`;
    const clock = settableClock('2026-06-01T00:00:00Z');
    const faults: object[] = [];
    const logger = { error: (fault: object) => void faults.push(fault), warn: (fault: object) => void faults.push(fault) };
    const jobs = (handlers: JobHandlers, db = database().db) => createJobs({ db, clock, logger, handlers, pollMs: 5 });
    const arm = (key: string, dueAt = clock.at) =>
      database()
        .db.transaction()
        .execute((trx) => armJob(trx, { kind, key }, dueAt));
    const row = (key: string) => database().db.selectFrom('job').selectAll().where('kind', '=', kind).where('key', '=', key).executeTakeFirst();
    return { kind, clock, faults, jobs, arm, row };
  };

  test('an armed job runs when it is due, once, and is gone', async () => {
    const { kind, clock, jobs, arm, row } = setUp();
    const ran: string[] = [];
    const { runDue } = jobs({ [kind]: { run: async (key) => void ran.push(key) } });
    await arm('later', clock.at + 1000);
    expect(await runDue()).toBe(0);
    clock.at += 1000;
    expect(await runDue()).toBe(1);
    expect(await runDue()).toBe(0);
    expect(ran).toEqual(['later']);
    expect(await row('later')).toBeUndefined();
  });

  test('a job armed twice runs once, at the earlier time', async () => {
    const { kind, clock, jobs, arm } = setUp();
    const ran: number[] = [];
    const { runDue } = jobs({ [kind]: { run: async () => void ran.push(clock.at) } });
    await arm('', clock.at + 5000);
    await arm('', clock.at + 1000);
    await arm('', clock.at + 9000);
    clock.at += 1000;
    await runDue();
    clock.at += 60_000;
    await runDue();
    expect(ran).toHaveLength(1);
  });

  test('arming during a run is not lost when the run ends', async () => {
    const { kind, jobs, arm } = setUp();
    let runs = 0;
    const { runDue } = jobs({
      [kind]: {
        run: async (key) => {
          if (++runs === 1) await arm(key);
        },
      },
    });
    await arm('again');
    await runDue();
    expect(runs).toBe(2);
  });

  test('a periodic job runs at the start and then after each pause', async () => {
    const { kind, clock, jobs } = setUp();
    let runs = 0;
    const { runDue } = jobs({ [kind]: { everySeconds: 60, run: async () => void runs++ } });
    await runDue();
    clock.at += 59_999;
    await runDue();
    expect(runs).toBe(1);
    clock.at += 1;
    await runDue();
    expect(runs).toBe(2);
  });

  test('a run that has more to do goes on at once', async () => {
    const { kind, clock, jobs } = setUp();
    let left = 5;
    const { runDue } = jobs({ [kind]: { everySeconds: 60, run: async () => (--left > 0 ? { dueAt: clock.at } : undefined) } });
    expect(await runDue()).toBe(5);
  });

  test('a failing job is logged and tried again after pauses that grow, others run on', async () => {
    const { kind, clock, faults, jobs, arm, row } = setUp();
    const tries: number[] = [];
    let healthy = 0;
    const start = clock.at;
    const { runDue } = jobs({
      [kind]: {
        run: async (key) => {
          if (key === 'good') return void healthy++;
          tries.push((clock.at - start) / 1000);
          if (tries.length < 4) throw new Error('not yet');
        },
      },
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

  test('a job of a killed instance is taken up by another when the claim has run out', async () => {
    const { kind, clock, jobs, arm } = setUp();
    let [begun, taken] = [0, 0];
    const { promise: forever } = Promise.withResolvers<void>();
    const killed = jobs({ [kind]: { run: () => (begun++, forever) } });
    const other = jobs({ [kind]: { run: async () => void taken++ } });
    await arm('left behind');
    void killed.runDue();
    await expect.poll(() => begun).toBe(1);
    expect(await other.runDue()).toBe(0);
    clock.at += CLAIM_MS;
    expect(await other.runDue()).toBe(1);
    expect(taken).toBe(1);
  });

  test('a run that ends after its claim has run out leaves the job to who took it up', async () => {
    const { kind, clock, jobs, arm, row } = setUp();
    const slow = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const runs = [slow, second];
    const work = { [kind]: { run: () => runs.shift()!.promise } };
    const first = jobs(work);
    await arm('slow');
    const firstRun = first.runDue();
    await expect.poll(() => runs.length).toBe(1);
    clock.at += CLAIM_MS;
    const other = jobs(work).runDue();
    await expect.poll(() => runs.length).toBe(0);
    slow.resolve();
    await firstRun;
    expect((await row('slow'))!.claimedUntil).toBe(clock.at + CLAIM_MS);
    second.resolve();
    await other;
    expect(await row('slow')).toBeUndefined();
  });

  test('of several instances each job is run by one', async () => {
    const { kind, jobs, arm } = setUp();
    const keys = Array.from({ length: 40 }, (_, i) => `job ${i}`);
    for (const key of keys) await arm(key);
    const ran: string[] = [];
    const storages = Array.from({ length: 3 }, () => openStorage(database().address));
    const instances = storages.map(({ db }) => jobs({ [kind]: { run: async (key) => void ran.push(key) } }, db));
    for (const instance of instances) await instance.start();
    await expect.poll(() => ran.length).toBe(keys.length);
    for (const instance of instances) await instance.stop();
    for (const storage of storages) await storage.close();
    expect(ran.toSorted()).toEqual(keys.toSorted());
  });

  test('stopping waits for the run in hand and takes up nothing more', async () => {
    const { kind, jobs, arm } = setUp();
    const gate = Promise.withResolvers<void>();
    let [begun, ended] = [0, 0];
    const instance = jobs({
      [kind]: {
        run: async () => {
          begun++;
          await gate.promise;
          ended++;
        },
      },
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

  test('a job of a kind that this instance does not know stays for those that do', async () => {
    const { kind, jobs, arm, row } = setUp();
    await arm('foreign');
    expect(await jobs({ another: { run: async () => {} } }).runDue()).toBe(0);
    expect(await row('foreign')).toMatchObject({ kind, claimedUntil: 0 });
  });
});

describe('a look for jobs', () => {
  test('goes on when the database was away for a moment', async () => {
    const storage = openStorage(':memory:');
    const faults: object[] = [];
    const logger = { error: () => {}, warn: (fault: object) => void faults.push(fault) };
    // Not migrated: every look fails.
    const instance = createJobs({ db: storage.db, clock: settableClock(0), logger, handlers: { none: { run: async () => {} } }, pollMs: 1 });
    await instance.start();
    await expect.poll(() => faults.length).toBeGreaterThan(2);
    await instance.stop();
    await storage.close();
  });
});
