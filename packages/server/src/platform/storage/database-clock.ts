import { sql } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from './database.ts';
import { engineOf } from './engine.ts';

/** The time of the database, which is the same for all instances. */
export interface DatabaseClock extends Clock {
  /** Reads the database's time again. In between, this clock runs on by itself, even if the machine's clock is changed. */
  refresh(): Promise<void>;
}

/** Epoch milliseconds by PostgreSQL's clock. */
export async function readDatabaseTime(db: Db): Promise<number> {
  const { rows } = await sql<{
    at: number;
  }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`.execute(db);
  return rows[0]!.at;
}

/** Creates the clock of a database. With SQLite, it is the machine's clock, which all processes share. */
export function createDatabaseClock(db: Db, clock: Clock): DatabaseClock {
  if (engineOf(db) === 'sqlite') return { now: () => clock.now(), refresh: async () => {} };
  let read: { readonly at: number; readonly since: number } | undefined;
  return {
    now: () => (read ? Math.round(read.at + performance.now() - read.since) : clock.now()),
    async refresh() {
      const asked = performance.now();
      const at = await readDatabaseTime(db);
      read = { at, since: (asked + performance.now()) / 2 };
    },
  };
}
