import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tables } from '../database.ts';
import { onEngine } from '../engine.ts';

const ATTEMPTS = 100;
const PAUSE_MS = 100;

/** Overwrites what is removed or replaced from now on in the file of the embedded database, instead of leaving it in free space. */
export const overwriteRemoved = (db: Db): Promise<void> =>
  onEngine(db, {
    sqlite: async () => void (await sql`pragma secure_delete = on`.execute(db)),
    postgres: async () => {},
  });

/**
 * Removes from the files of the database what a small table had: from the write-ahead log of the embedded one, and from the dead rows of PostgreSQL. Its
 * archived log and backups keep it.
 * @throws if readers of the embedded database keep its log from being emptied
 */
export const forgetRemoved = (db: Db, table: keyof Tables): Promise<void> =>
  onEngine(db, {
    sqlite: () => emptyLog(db),
    postgres: async () => void (await sql`vacuum full ${sql.table(table)}`.execute(db)),
  });

async function emptyLog(db: Db): Promise<void> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]!.busy === 0) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(
    'the write-ahead log could not be emptied, because somebody reads the database all the time: repeat the command',
  );
}
