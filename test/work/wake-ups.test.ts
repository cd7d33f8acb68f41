import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { armTasks, WORK } from '../../packages/server/src/platform/work/arm.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { wakeUp } from '../../packages/server/src/platform/storage/wake-ups/wake-up.ts';
import { describeEngines } from '../support/engines.ts';
import { createScene } from './scene.ts';

describeEngines('wake-ups', (database) => {
  const opened: Storage[] = [];
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
  });
  const isPostgres = () => database().engine === 'postgres';

  /** Another instance that counts how often it is woken, from when it listens. */
  async function sleeper(topic: string) {
    const storage = openStorage(database().address);
    opened.push(storage);
    const woken = { times: 0 };
    storage.wakeUps.on(topic, () => void woken.times++);
    await expect.poll(() => woken.times).toBeGreaterThan(0);
    woken.times = 0;
    return { storage, woken };
  }

  const write = (change: (trx: Db) => Promise<unknown>) =>
    database().db.transaction().execute(change);
  /** On SQLite a commit wakes by what it changes. */
  const wake = (topic: string) =>
    write(async (trx) => {
      await trx
        .insertInto('installation')
        .values({ name: crypto.randomUUID(), value: Buffer.alloc(1) })
        .execute();
      await wakeUp(trx, topic);
    });

  test('reach who waits in another instance, until it ends that', async () => {
    const { woken, storage } = await sleeper('weather');
    await wake('weather');
    await expect.poll(() => woken.times).toBe(1);
    let others = 0;
    const end = storage.wakeUps.on('weather', () => void others++);
    end();
    await wake('weather');
    await expect.poll(() => woken.times).toBe(2);
    expect(others).toBe(0);
  });

  test('come with the commit, never without it', async () => {
    const { woken } = await sleeper('weather');
    await write(async (trx) => {
      await wakeUp(trx, 'weather');
      throw new Error('no');
    }).catch(() => {});
    await wake('weather');
    await expect.poll(() => woken.times).toBe(1);
  });

  test('of other topics wake nobody on PostgreSQL', async () => {
    // SQLite does not tell them apart.
    if (!isPostgres()) return;
    const { woken } = await sleeper('weather');
    await wake('sport');
    await wake('weather');
    await expect.poll(() => woken.times).toBe(1);
  });

  test('go on after the connection was lost, and the loss wakes too', async () => {
    // SQLite has no connection to lose.
    if (!isPostgres()) return;
    const { woken } = await sleeper('weather');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen helioport' and datname = current_database()`.execute(
      database().db,
    );
    await expect.poll(() => woken.times, { timeout: 20_000 }).toBe(1);
    await wake('weather');
    await expect.poll(() => woken.times).toBe(2);
  });

  test('come when work is due sooner than before, and not when it is due anyway or later', async () => {
    // On SQLite each commit wakes.
    if (!isPostgres()) return;
    const { kind, clock } = createScene(database);
    const { storage, woken } = await sleeper(WORK);
    const arm = (keys: string[], now: number, dueAt = now) =>
      write((trx) => armTasks(trx, kind, keys, now, dueAt));
    await arm(['a', 'b'], clock.at);
    await arm(['a', 'b'], clock.at + 10);
    await arm(['c'], clock.at, clock.at + 60_000);
    await arm(['c'], clock.at);
    // They come in the order of the commits.
    let ended = 0;
    storage.wakeUps.on('end', () => void ended++);
    await wake('end');
    await expect.poll(() => ended).toBe(1);
    expect(woken.times).toBe(2);
  });

  test('have a runner begin at once what another instance arms', async () => {
    const { runner, arm } = createScene(database);
    const { storage } = await sleeper(WORK);
    const ran: string[] = [];
    const instance = runner(
      async ({ key }) => void ran.push(key),
      {},
      { db: storage.db, wakeUps: storage.wakeUps, pollMs: 60_000 },
    );
    await instance.start();
    await arm('first');
    await expect.poll(() => ran, { timeout: 20_000 }).toEqual(['first']);
    await arm('second');
    await expect.poll(() => ran, { timeout: 20_000 }).toEqual(['first', 'second']);
    await instance.stop();
  });
});
