import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { claimTasks, LEASE_MS } from '../../packages/server/src/platform/work/claim.ts';
import type { Run } from '../../packages/server/src/platform/work/lane.ts';
import { createLease, LeaseLost } from '../../packages/server/src/platform/work/lease.ts';
import { describeEngines } from '../support/engines.ts';
import { createScene } from './scene.ts';

describeEngines('leases of runs', (database) => {
  beforeAll(
    async () => void (await sql`create table effect (who text not null)`.execute(database().db)),
  );
  const effect = (trx: Db, who: string) =>
    sql`insert into effect (who) values (${who})`.execute(trx);
  const effects = async () =>
    (await sql<{ who: string }>`select who from effect`.execute(database().db)).rows.map(
      ({ who }) => who,
    );
  const forget = () => sql`delete from effect`.execute(database().db);

  /** A run that is handed out, so that a test can be its handler; it ends when `gate` does. */
  function handedOut() {
    const begun = Promise.withResolvers<Run>();
    const gate = Promise.withResolvers<void>();
    return {
      begun: begun.promise,
      end: gate.resolve,
      run: (run: Run): Promise<void> => {
        begun.resolve(run);
        return gate.promise;
      },
    };
  }

  test('the work of a killed instance is taken up by another a lease later, and no sooner', async () => {
    const { clock, runner, arm } = createScene(database);
    let [begun, taken] = [0, 0];
    const { promise: forever } = Promise.withResolvers<void>();
    const killed = runner(() => (begun++, forever));
    const other = runner(async () => void taken++);
    await arm('left behind');
    void killed.runDue();
    await expect.poll(() => begun).toBe(1);
    clock.at += LEASE_MS - 1;
    expect(await other.runDue()).toBe(0);
    clock.at += 1;
    expect(await other.runDue()).toBe(1);
    expect(taken).toBe(1);
    expect(LEASE_MS).toBeLessThanOrEqual(5_000);
  });

  test('are renewed while the run goes on, so that nobody else takes it up', async () => {
    const { clock, runner, arm, row } = createScene(database);
    const slow = handedOut();
    const first = runner(slow.run);
    const other = runner(async () => {});
    await arm('slow');
    await first.start();
    await slow.begun;
    for (let second = 0; second < 30; second++) {
      clock.at += 1000;
      await expect.poll(async () => (await row('slow'))!.claimedUntil).toBe(clock.at + LEASE_MS);
      expect(await other.runDue()).toBe(0);
    }
    slow.end();
    await first.stop();
    expect(await row('slow')).toBeUndefined();
  });

  test('a run that ends after its lease leaves the task to who took it up', async () => {
    const { clock, runner, arm, row } = createScene(database);
    const [slow, second] = [handedOut(), handedOut()];
    await arm('slow');
    const firstRun = runner(slow.run).runDue();
    await slow.begun;
    clock.at += LEASE_MS;
    const other = runner(second.run).runDue();
    await second.begun;
    slow.end();
    await firstRun;
    expect((await row('slow'))!.claimedUntil).toBe(clock.at + LEASE_MS);
    second.end();
    await other;
    expect(await row('slow')).toBeUndefined();
  });

  test('a run whose task another has taken up commits nothing any more', async () => {
    const { clock, runner, arm } = createScene(database);
    await forget();
    const [slow, second] = [handedOut(), handedOut()];
    await arm('slow');
    const firstRun = runner(slow.run).runDue();
    const zombie = await slow.begun;
    await zombie.transaction((trx) => effect(trx, 'first'));
    clock.at += LEASE_MS;
    const other = runner(second.run).runDue();
    const present = await second.begun;
    await expect(zombie.transaction((trx) => effect(trx, 'zombie'))).rejects.toThrow(LeaseLost);
    await expect(zombie.finish((trx) => effect(trx, 'zombie').then(() => {}))).rejects.toThrow(
      LeaseLost,
    );
    await present.transaction((trx) => effect(trx, 'second'));
    expect(await effects()).toEqual(['first', 'second']);
    slow.end();
    second.end();
    await Promise.all([firstRun, other]);
  });

  test('a paused instance finds that its task was taken up, and tells the run', async () => {
    const { clock, runner, arm, row } = createScene(database);
    const [slow, second] = [handedOut(), handedOut()];
    const paused = runner(slow.run);
    await arm('slow');
    await paused.start();
    const run = await slow.begun;
    // What another instance does after this one has stood still for longer than its lease.
    await database()
      .db.updateTable('task')
      .set({ claimedBy: 'another', claimedUntil: clock.at + LEASE_MS })
      .where('key', '=', 'slow')
      .execute();
    clock.at += 2000;
    await expect.poll(() => run.signal.aborted).toBe(true);
    slow.end();
    await paused.stop();
    expect((await row('slow'))!.claimedBy).toBe('another');
    clock.at += LEASE_MS;
    second.end();
    await runner(second.run).runDue();
  });

  test('nobody takes a task up while a transaction of its run is open, however long, and the lease holds afterwards', async () => {
    const { clock, runner, arm } = createScene(database);
    await forget();
    const slow = handedOut();
    let taken = 0;
    await arm('slow');
    const first = runner(slow.run).runDue();
    const run = await slow.begun;
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const long = run.transaction(async (trx) => {
      entered.resolve();
      await gate.promise;
      await effect(trx, 'long');
    });
    await entered.promise;
    clock.at += 3 * LEASE_MS;
    const other = runner(async () => void taken++);
    // On SQLite no other write begins before this one has ended.
    const looks = other.runDue();
    if (database().engine === 'postgres') expect(await looks).toBe(0);
    gate.resolve();
    await long;
    await looks;
    expect(await other.runDue()).toBe(0);
    await run.transaction((trx) => effect(trx, 'after'));
    expect([await effects(), taken]).toEqual([['long', 'after'], 0]);
    slow.end();
    await first;
  });

  test('a long transaction of one run does not keep the leases of others from being renewed', async () => {
    // On SQLite nothing is written while a transaction is open, and nobody else claims anything.
    if (database().engine === 'sqlite') return;
    const { clock, runner, arm, row } = createScene(database);
    const [long, other] = [handedOut(), handedOut()];
    const instance = runner((run) => (run.key === 'long' ? long : other).run(run));
    await arm('long');
    await arm('other');
    await instance.start();
    const run = await long.begun;
    await other.begun;
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const open = run.transaction(async () => {
      entered.resolve();
      await gate.promise;
    });
    await entered.promise;
    for (let second = 0; second < 3; second++) {
      clock.at += 2000;
      await expect.poll(async () => (await row('other'))!.claimedUntil).toBe(clock.at + LEASE_MS);
    }
    gate.resolve();
    await open;
    long.end();
    other.end();
    await instance.stop();
  });

  test('a run that hangs past the limit of its lane is abandoned, reported and tried again, and its place is free', async () => {
    const { kind, clock, faults, abandoned, runner, arm, row } = createScene(database);
    const hanging = handedOut();
    const ran: string[] = [];
    const instance = runner(
      (run) => (run.key === 'hangs' ? hanging.run(run) : Promise.resolve(void ran.push(run.key))),
      { runsAtOnce: 1, limitSeconds: 10 },
    );
    await arm('hangs');
    await instance.start();
    await hanging.begun;
    await arm('waits');
    clock.at += 9_999;
    await expect.poll(async () => (await row('hangs'))!.claimedUntil).toBe(clock.at + LEASE_MS);
    expect(ran).toEqual([]);
    clock.at += 1;
    await expect.poll(() => ran).toEqual(['waits']);
    expect(abandoned).toEqual([kind]);
    expect(faults).toMatchObject([{ work: kind, key: 'hangs', failures: 1, limitSeconds: 10 }]);
    await expect
      .poll(async () => await row('hangs'))
      .toMatchObject({ claimedUntil: 0, failures: 1, dueAt: clock.at + 1000 });
    await instance.stop();
    hanging.end();
  });

  test('an abandoned run commits nothing, whether it begins a transaction, is in one, or wakes while that is rolled back', async () => {
    const { clock, abandoned, runner, arm, row } = createScene(database);
    await forget();
    const hanging = handedOut();
    // Less than a lease, which a transaction does not renew: otherwise any instance may take the task up between rolling back and rescheduling.
    const limitSeconds = LEASE_MS / 1000 - 1;
    const instance = runner(hanging.run, { limitSeconds });
    await arm('hangs');
    await instance.start();
    const run = await hanging.begun;
    const entered = Promise.withResolvers<void>();
    const refusals: unknown[] = [];
    const within = run.transaction(async (trx) => {
      await effect(trx, 'within');
      entered.resolve();
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      for (let turn = 0; turn < 50; turn++) {
        effect(trx, 'microtask').catch((err: unknown) => refusals.push(err));
        await Promise.resolve();
      }
      await setImmediate();
      for (let turn = 0; turn < 5; turn++)
        await effect(trx, 'turn').catch((err: unknown) => refusals.push(err));
    });
    await entered.promise;
    clock.at += limitSeconds * 1000;
    await expect(within).rejects.toThrow(LeaseLost);
    expect(abandoned).toHaveLength(1);
    // The write lock and the row are free at once.
    await expect.poll(async () => (await row('hangs'))!.claimedUntil).toBe(0);
    await expect(run.transaction((trx) => effect(trx, 'afterwards'))).rejects.toThrow(LeaseLost);
    await expect.poll(() => refusals.length).toBeGreaterThan(0);
    expect(await effects()).toEqual([]);
    hanging.end();
    await instance.stop();
  });

  test('a transaction that is begun as the run is abandoned, or about to commit then, is rolled back', async () => {
    const { kind, clock, arm } = createScene(database);
    await forget();
    await arm('one');
    const [claim] = await claimTasks(database().db, clock, { kind, claimedBy: 'me', limit: 1 });
    const hangs = createLease(database().db, clock, claim!);
    hangs.end(new LeaseLost('too long'));
    const { promise: forever } = Promise.withResolvers<void>();
    await expect(hangs.transaction(() => forever)).rejects.toThrow('too long');
    // A statement of SQLite's leaves nothing else a turn.
    if (database().engine === 'sqlite') return;
    const commits = createLease(database().db, clock, claim!);
    const refused = commits.transaction(async (trx) => {
      await effect(trx, 'committing');
      clock.at += 2000;
      void setImmediate().then(() => commits.end(new LeaseLost('too long')));
    });
    await expect(refused).rejects.toThrow('too long');
    expect(await effects()).toEqual([]);
  });

  test('what a run does last and the end of its task are one', async () => {
    const { clock, runner, arm, row } = createScene(database);
    await forget();
    const { runDue } = runner((run) =>
      run.finish(async (trx) => {
        await effect(trx, run.key);
        if (run.key === 'fails') throw new Error('no');
        return run.key === 'again' ? { dueAt: clock.at + 5000 } : undefined;
      }),
    );
    for (const key of ['once', 'again', 'fails']) await arm(key);
    await runDue();
    expect((await effects()).toSorted()).toEqual(['again', 'once']);
    expect([
      await row('once'),
      (await row('again'))!.dueAt,
      (await row('fails'))!.failures,
    ]).toEqual([undefined, clock.at + 5000, 1]);
  });
});
