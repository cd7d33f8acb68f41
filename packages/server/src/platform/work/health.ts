import { readDatabaseTime } from '../storage/database-clock.ts';
import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
import { databaseBytes } from '../storage/checks/size.ts';
import { countTasks, type Queue } from './queue.ts';

/** What operators should know of the database and of the work that waits in it. */
export interface DatabaseHealth {
  readonly engine: 'sqlite' | 'postgres';
  readonly databaseBytes: number;
  /** How far the database's clock is ahead of ours; SQLite has none of its own. */
  readonly clockDifferenceMs: number;
  readonly lanes: readonly Queue[];
}

export async function readHealth(db: Db, now: Instant): Promise<DatabaseHealth> {
  const engine = engineOf(db);
  const clockDifferenceMs = engine === 'sqlite' ? 0 : (await readDatabaseTime(db)) - now;
  return {
    engine,
    databaseBytes: await databaseBytes(db),
    clockDifferenceMs,
    lanes: await countTasks(db, now),
  };
}
