import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import {
  enterSeries,
  SeriesShut,
  shutSeries,
} from '../../packages/server/src/measurements/series/gate.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { describePostgres } from '../support/engines.ts';

// On SQLite, write transactions exclude each other.
describePostgres('the gate of the series', (database) => {
  const enter = (trx: Db): Promise<void> => enterSeries(trx, createSqlSeries(trx));

  const releases: (() => void)[] = [];
  afterEach(() => {
    for (const release of releases.splice(0)) release();
  });

  /** A transaction that stays open after its first statement, until it is released. */
  function held(first: (trx: Db) => Promise<unknown>) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    releases.push(release);
    const { promise: reached, resolve: reach, reject } = Promise.withResolvers<void>();
    const over = database()
      .db.transaction()
      .execute(async (trx) => {
        await first(trx).catch((error: unknown) => {
          reject(error);
          throw error;
        });
        reach();
        await released;
      });
    over.catch(() => {});
    return { reached, release, over };
  }

  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(
      database().db,
    );
    return rows.length;
  };

  test('is shut when every attempt that has entered is over, and lets none enter until the transaction ends', async () => {
    const { db } = database();
    const attempts = [held(enter), held(enter)];
    for (const { reached } of attempts) await reached;
    const shut = held(shutSeries);
    let isShut = false;
    void shut.reached.then(() => (isShut = true));
    for (const { release, over } of attempts) {
      await expect.poll(waiting).toBe(1);
      expect(isShut).toBe(false);
      release();
      await over;
    }
    await shut.reached;
    const late = db.transaction().execute(enter);
    await expect(late).rejects.toThrow(SeriesShut);
    // As for a database that is away: reports are answered 503.
    expect(isStorageAway(await late.catch((error: unknown) => error))).toBe(true);
    shut.release();
    await shut.over;
    await db.transaction().execute(enter);
  });

  test('stays open if an attempt takes too long, which looks as if the database were away', async () => {
    const { db } = database();
    const attempt = held(enter);
    await attempt.reached;
    const shut = held(shutSeries);
    expect(isStorageAway(await shut.reached.catch((error: unknown) => error))).toBe(true);
    await db.transaction().execute(enter);
    attempt.release();
    await attempt.over;
  });
});
