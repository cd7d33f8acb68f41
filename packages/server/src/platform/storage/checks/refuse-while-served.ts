import { setTimeout } from 'node:timers/promises';
import type { Db } from '../database.ts';
import { checkMigrations, isRolling, MigrationFault } from '../migrate.ts';
import { findLastTrialWrite, isAnyRunning } from './trial-write.ts';

interface Waiting {
  /** How long to wait for running instances to stop, in seconds. */
  readonly waitSeconds?: number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const SECOND_MS = 1_000;

/**
 * Refuses to migrate beneath running instances, which would not know the new tables. Takes some seconds if a database that was served is not up to
 * date: an instance that was killed leaves no other trace than its silence.
 * @throws MigrationFault
 */
export async function refuseWhileServed(
  db: Db,
  { waitSeconds = 0, pause = setTimeout }: Waiting = {},
): Promise<void> {
  for (let waitedMs = 0; (await isHeldUp(db)) && (await isAnyRunning(db, pause));) {
    // Another process may have brought it up to date, and serve it already.
    if (!(await isHeldUp(db))) return;
    if (waitedMs >= waitSeconds * SECOND_MS)
      throw new MigrationFault(
        'the database needs migrations, and instances of an older version are running on it: stop them first',
      );
    await pause(SECOND_MS);
    waitedMs += SECOND_MS;
  }
}

/** Whether there are migrations to apply that instances of an older version do not bear, and the database has ever been served. */
async function isHeldUp(db: Db): Promise<boolean> {
  const pending = await checkMigrations(db);
  if (pending.every((name) => isRolling({ name }))) return false;
  // A new database has no table to look into.
  return (await findLastTrialWrite(db).catch(() => undefined)) !== undefined;
}
