import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checks } from '../../packages/server/src/interfaces/cli/installation/doctor-checks.ts';
import type { CliContext } from '../../packages/server/src/interfaces/cli/context.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createDatabaseClock } from '../../packages/server/src/platform/storage/database-clock.ts';
import { armTasks } from '../../packages/server/src/platform/work/arm.ts';
import { claimTasks, LEASE_MS } from '../../packages/server/src/platform/work/claim.ts';
import { createWatchedWorld } from '../alarms/watched-world.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createScene } from './scene.ts';

const HOUR_MS = 3_600_000;

describeEngines('a clock that ran six hours ahead and is put right', (database) => {
  const setUp = () => createScene(database);

  test('does not hold up periodic work, retries or what was asked for', async () => {
    const { kind, clock, runner, arm } = setUp();
    const ran: string[] = [];
    const run = async ({ key }: { key: string }): Promise<void> => void ran.push(key);
    const lanes = {
      [kind]: { runsAtOnce: 1, limitSeconds: 60, run },
      [`${kind} each minute`]: {
        runsAtOnce: 1,
        limitSeconds: 60,
        everySeconds: 60,
        keys: ['periodic'],
        run,
      },
    };
    const { runDue } = runner(run, {}, { lanes });
    clock.at += 6 * HOUR_MS;
    await runDue();
    await arm('asked for');
    await arm('in a minute', clock.at + 60_000);
    clock.at -= 6 * HOUR_MS;
    expect(ran.splice(0)).toEqual(['periodic']);
    await runDue();
    expect(ran.splice(0)).toEqual(['asked for']);
    clock.at += 59_999;
    await runDue();
    expect(ran).toEqual([]);
    clock.at += 1;
    await runDue();
    expect(ran.toSorted()).toEqual(['in a minute', 'periodic']);
  });

  test('does not keep the work of a killed instance from the others', async () => {
    const { clock, runner, arm } = setUp();
    let [begun, taken] = [0, 0];
    const { promise: forever } = Promise.withResolvers<void>();
    await arm('left behind');
    clock.at += 6 * HOUR_MS;
    void runner(() => (begun++, forever)).runDue();
    await expect.poll(() => begun).toBe(1);
    clock.at -= 6 * HOUR_MS;
    await runner(async () => void taken++).runDue();
    expect(taken).toBe(1);
  });

  test('a running instance puts it right without a restart', async () => {
    const { clock, runner, arm, row } = setUp();
    clock.at += 6 * HOUR_MS;
    await arm('later', clock.at + 1000);
    clock.at -= 6 * HOUR_MS;
    const instance = runner(async () => {});
    await instance.start();
    await expect.poll(async () => (await row('later'))?.dueAt).toBe(clock.at + 1000);
    await instance.stop();
  });

  test('work that clocks put off within their usual difference keeps its time', async () => {
    const { clock, runner, arm, row } = setUp();
    clock.at += 900;
    await arm('later', clock.at + 5000);
    const dueAt = clock.at + 5000;
    clock.at -= 900;
    await runner(async () => {}).runDue();
    expect((await row('later'))!.dueAt).toBe(dueAt);
  });

  test('is put right for however many tasks', async () => {
    const { kind, clock, runner } = setUp();
    const { db } = database();
    const keys = Array.from({ length: 1100 }, (_, i) => `${i}`);
    clock.at += 6 * HOUR_MS;
    await db.transaction().execute((trx) => armTasks(trx, kind, keys, clock.at, clock.at + 1000));
    clock.at -= 6 * HOUR_MS;
    await runner(async () => {}).runDue();
    const right = await db
      .selectFrom('task')
      .select('key')
      .where('kind', '=', kind)
      .where('dueAt', '=', clock.at + 1000)
      .execute();
    expect(right).toHaveLength(keys.length);
  });

  test('is not waited for where others have locked a task, which is put right later', async () => {
    // On SQLite, nothing is written while a transaction is open.
    if (database().engine === 'sqlite') return;
    const { db } = database();
    const { clock, runner, arm, row } = setUp();
    const { runDue } = runner(async () => {});
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    clock.at += 6 * HOUR_MS;
    await arm('locked', clock.at + 1000);
    await arm('other', clock.at + 1000);
    clock.at -= 6 * HOUR_MS;
    const open = db.transaction().execute(async (trx) => {
      await trx.selectFrom('task').select('key').where('key', '=', 'locked').forUpdate().execute();
      entered.resolve();
      await gate.promise;
    });
    await entered.promise;
    await runDue();
    expect((await row('other'))!.dueAt).toBe(clock.at + 1000);
    gate.resolve();
    await open;
    await runDue();
    expect((await row('locked'))!.dueAt).toBe(clock.at + 1000);
  });

  test('the watch looks at devices that it had appointed by it', async () => {
    const clock = settableClock('2026-06-15T01:00:00Z');
    const { setUp: morning, report, watch, deviceOf } = createWatchedWorld(database, clock);
    const to = await morning();
    await report(to);
    clock.at += HOUR_MS;
    await report(to);
    const right = clock.at;
    clock.at += 6 * HOUR_MS;
    await report(to);
    await watch();
    expect((await deviceOf(to.deviceId)).checkAt!).toBeGreaterThan(right + 6 * HOUR_MS);
    clock.at = right + HOUR_MS;
    await watch();
    clock.at += 10_000;
    await watch();
    // Looked at, and by what was reported while the clock was right.
    const looked = await deviceOf(to.deviceId);
    expect([looked.evaluatedAt, looked.checkAt! <= clock.at + 3 * HOUR_MS]).toEqual([right, true]);
  });

  test('is what doctor warns of, and of one that is behind', async () => {
    const { db, engine } = database();
    await db.deleteFrom('task').execute();
    const now = systemClock.now();
    const clockCheck = (at: number) =>
      checks['clock']!({
        clock: { now: () => at },
        storage: async () => ({ engine, db }),
      } as unknown as CliContext);
    expect(await clockCheck(now)).toMatchObject({ state: 'ok' });
    await db
      .insertInto('task')
      .values({ kind: 'watch', key: '', dueAt: now, setAt: now + 6 * HOUR_MS })
      .execute();
    expect(await clockCheck(now)).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/ 216\d\d s /),
    });
    await db.deleteFrom('task').execute();
    if (engine === 'postgres')
      expect(await clockCheck(now - 6 * HOUR_MS)).toMatchObject({ state: 'warning' });
  });
});

describeEngines('an answer of the database that is long in coming', (database) => {
  test('does not make tasks that were set meanwhile seem to come from a clock that is ahead', async () => {
    // SQLite answers at once.
    if (database().engine === 'sqlite') return;
    const { db } = database();
    const { kind, clock, runner, row } = createScene(database);
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const open = db.transaction().execute(async (trx) => {
      await sql`lock table task in access exclusive mode`.execute(trx);
      entered.resolve();
      await gate.promise;
      await armTasks(trx, kind, ['meanwhile'], clock.at, clock.at + 10_000);
    });
    await entered.promise;
    const looking = runner(async () => {}).runDue();
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_locks where relation = 'task'::regclass and not granted`.execute(
              db,
            )
          ).rows.length,
      )
      .toBe(1);
    clock.at += 10_000;
    gate.resolve();
    await Promise.all([open, looking]);
    expect((await row('meanwhile'))!.dueAt).toBe(clock.at + 10_000);
  });

  test('does not make a lease that another has taken meanwhile seem to come from one', async () => {
    const { db, engine } = database();
    const { kind, clock, arm } = createScene(database);
    await arm('wanted');
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const open = db.transaction().execute(async (trx) => {
      entered.resolve();
      await gate.promise;
      await trx
        .updateTable('task')
        .set({ claimedBy: 'another', claimedUntil: clock.at + LEASE_MS })
        .where('kind', '=', kind)
        .execute();
    });
    // All connections of the pool; SQLite has one for writing.
    const others =
      engine === 'sqlite'
        ? []
        : Array.from({ length: 9 }, () => db.connection().execute(() => gate.promise));
    await entered.promise;
    const claimed = claimTasks(db, clock, { kind, claimedBy: 'me', limit: 1 });
    await expect.poll(() => database().load()).toMatchObject({ idle: 0, waiting: 1 });
    clock.at += 2000;
    gate.resolve();
    expect(await claimed).toEqual([]);
    await Promise.all([open, ...others]);
  });
});

describeEngines('the time that runners go by', (database) => {
  test('is the database’s on PostgreSQL, however wrong the clock of the machine is, and goes on between two readings', async () => {
    const machine = { now: () => systemClock.now() + 6 * HOUR_MS };
    const clock = createDatabaseClock(database().db, machine);
    await clock.refresh();
    const expected = database().engine === 'postgres' ? systemClock.now() : machine.now();
    expect(Math.abs(clock.now() - expected)).toBeLessThan(1000);
    const before = clock.now();
    await expect.poll(() => clock.now()).toBeGreaterThan(before + 20);
  });
});
