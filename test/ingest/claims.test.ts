import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import {
  abandonClaim,
  claimSeries,
  endClaim,
  isAnyClaimed,
  keepClaim,
  whenUnclaimed,
  type SeriesClaim,
} from '../../packages/server/src/measurements/ingest/claims.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { describeEngines } from '../support/engines.ts';

const SECOND_US = 1_000_000;

describeEngines('claims of devices', (database) => {
  afterEach(async () => {
    vi.useRealTimers();
    await database().db.deleteFrom('seriesClaim').execute();
  });

  const claim = (attempt: string, ...series: number[]): Promise<SeriesClaim> => {
    const { db } = database();
    return db.transaction().execute((trx) => claimSeries(trx, attempt, series));
  };
  const row = (series: number) =>
    database()
      .db.selectFrom('seriesClaim')
      .selectAll()
      .where('series', '=', series)
      .executeTakeFirst();
  const leave = (series: number, values: { until?: number; revision?: number }): Promise<unknown> =>
    database().db.updateTable('seriesClaim').set(values).where('series', '=', series).execute();

  test('are of all devices or none, until they end or nobody renews them', async () => {
    const { db } = database();
    const first = await claim('first', 2, 1, 2);
    expect(await isAnyClaimed(db)).toBe(true);
    await expect(claim('second', 1, 3)).rejects.toThrow('another attempt is writing to the device');
    expect(await row(3)).toBeUndefined();
    expect(await endClaim(db, first, first.revision, true)).toBe(true);
    expect(await isAnyClaimed(db)).toBe(false);
    const second = await claim('second', 1, 3);
    expect([...second.stored]).toEqual(['first']);
    await leave(3, { until: 0 });
    await claim('third', 3);
    // One of its devices is somebody else's now.
    expect(await endClaim(db, second, second.revision, true)).toBe(false);
    expect(await row(3)).toMatchObject({ attempt: 'third' });
  });

  test('have revisions above all that earlier ones may have used, whatever the clock says', async () => {
    const { db } = database();
    const first = await claim('first', 1);
    expect(Math.abs(first.revision - Date.now() * 1000)).toBeLessThan(600 * SECOND_US);
    const ahead = first.revision + 3_600 * SECOND_US;
    await endClaim(db, first, ahead, true);
    const second = await claim('second', 1);
    expect(second.revision).toBe(ahead);
    // It never ends, and nobody knows how much it has used.
    await leave(1, { until: 0 });
    expect((await claim('third', 1, 2)).revision).toBe(ahead + SECOND_US);
  });

  test('last as long as they are kept, and are not given back to life when they are not', async () => {
    const { db } = database();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const kept = await claim('first', 1);
    const release = keepClaim(db, kept);
    const soon = Date.now() + 600;
    await leave(1, { until: soon });
    vi.advanceTimersByTime(2_000);
    await vi.waitUntil(async () => (await row(1))!.until > soon, { timeout: 60_000 });
    release();
    await leave(1, { until: 0 });
    vi.advanceTimersByTime(10_000);
    await claim('second', 1);
    expect(await row(1)).toMatchObject({ attempt: 'second' });
  });

  test('that an attempt gives up before it has written are free at once', async () => {
    const { db } = database();
    await claim('first', 1, 2);
    await abandonClaim(db, 'other', [1, 2]);
    expect(await row(1)).toMatchObject({ attempt: 'first' });
    await abandonClaim(db, 'first', [1, 2]);
    await claim('second', 1, 2);
  });

  test('end and are made in one order of devices, so that an end and a new claim never wait for each other in a circle', async () => {
    const { db, engine } = database();
    // SQLite has one writer.
    if (engine === 'sqlite') return;
    // The later a row was written, the later an unordered statement comes to it.
    for (const series of [3, 2, 1]) await claim('first', series);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('seriesClaim')
        .select('series')
        .where('series', '=', 1)
        .forUpdate()
        .execute();
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const ending = db
      .transaction()
      .execute((trx) =>
        endClaim(
          trx,
          { attempt: 'first', series: [1, 2, 3], revision: 1, stored: new Set() },
          2,
          true,
        ),
      );
    const waiting = sql<{
      count: number;
    }>`select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect
      .poll(async () => (await waiting.execute(db)).rows[0]!.count, {
        timeout: 60_000,
        interval: 5,
      })
      .toBe(1);
    const free = await db
      .selectFrom('seriesClaim')
      .select('series')
      .orderBy('series')
      .forUpdate()
      .skipLocked()
      .execute();
    released.resolve();
    expect([free.map(({ series }) => series), await ending]).toEqual([[2, 3], true]);
    await holder;
  });

  test('of others are waited for some time only', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    await claim('first', 1);
    let tries = 0;
    const outcome = whenUnclaimed(() => {
      if ((tries += 1) === 3) vi.advanceTimersByTime(6_000);
      return claim('second', 1);
    });
    expect(await outcome.catch((error: unknown) => isStorageAway(error))).toBe(true);
    expect(tries).toBe(3);
  });
});
