import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Db } from '../database.ts';
import { isMigrated } from '../migrate.ts';
import { findLastTrialWrite } from '../checks/trial-write.ts';

/** The embedded database is missing, or has lost data: nothing may be written until a person has decided what to do. */
export class LostDatabaseFault extends Error {
  override readonly name = 'LostDatabaseFault';
}

/** The files of an embedded installation, by their paths. */
export interface EmbeddedFiles {
  readonly database: string;
  readonly masterKey: string;
}

/** A file beside the database that records a time: everything stored up to then is known to be in the database, which may already hold more. */
export const lastWriteFile = (database: string): string => `${database}.last-write`;

/** Records the time of the last write. If the file cannot be written, a later loss may go unnoticed. */
export function rememberWritten(database: string, at: number): void {
  try {
    writeFileSync(lastWriteFile(database), `${at}\n`);
  } catch {
    // Most likely the disk is full, which the database's own writes report.
  }
}

/**
 * Checks that the database has not been lost. To be called before the database is opened, because opening it would create a new one.
 * @returns a check of the opened database, to be called before anything is written to it
 * @throws LostDatabaseFault if there has been a database and it is missing or empty; the check throws it if the database has lost writes
 */
export function checkNotLost(files: EmbeddedFiles): (db: Db) => Promise<void> {
  // These files are looked for before the database, because another process that is just creating the installation creates the database first.
  const traces = [files.masterKey, lastWriteFile(files.database)].filter((file) =>
    existsSync(file),
  );
  const lastAt = findLastWrite(files.database);
  if (traces.length > 0 && isMissing(files.database)) throw gone(files, traces);
  return async (db) => {
    if (traces.length === 0) return;
    if (!(await isMigrated(db))) throw gone(files, traces);
    if (lastAt !== undefined && lastAt > ((await findLastTrialWrite(db)) ?? 0))
      throw older(files, lastAt);
  };
}

/**
 * What cannot be known of a database that its last server did not close: a log that lost its end looks like one that ends there. To be called before the
 * database is opened, which may put the log into it. Undefined if it was closed.
 */
export function unknownSince(database: string): string | undefined {
  const log = statSync(`${database}-wal`, { throwIfNoEntry: false });
  const lastAt = findLastWrite(database);
  if (!log || log.size === 0 || lastAt === undefined || isOpenElsewhere(database)) return undefined;
  return `the last server was not stopped properly: all that was stored up to ${new Date(lastAt).toISOString()} is there, but whether readings acknowledged after that are missing, and how many, cannot be known; if the disk or the machine failed, compare with what the collectors have sent`;
}

/** Whether another process has the database open, whose log is then no trace of an end. */
function isOpenElsewhere(database: string): boolean {
  if (!existsSync(database)) return false;
  let looked: DatabaseSync | undefined;
  try {
    looked = new DatabaseSync(database, { timeout: 0 });
    // Only a process that is alone gets it.
    looked.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
    return false;
  } catch (error) {
    return (error as { errcode?: number }).errcode === SQLITE_BUSY;
  } finally {
    looked?.close();
  }
}

const SQLITE_BUSY = 5;

// An empty file is not a missing database: before the first checkpoint, everything is in the write-ahead log.
const isMissing = (file: string): boolean =>
  !existsSync(file) || (statSync(file).size === 0 && !existsSync(`${file}-wal`));

function findLastWrite(database: string): number | undefined {
  const file = lastWriteFile(database);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const gone = ({ database }: EmbeddedFiles, traces: readonly string[]): LostDatabaseFault =>
  new LostDatabaseFault(
    `the database is missing or empty, although there was one in ${dirname(database)}: restore a backup with helioport restore FOLDER; to start afresh, move ${traces.join(' and ')} away`,
  );

const older = ({ database }: EmbeddedFiles, lastAt: number): LostDatabaseFault =>
  new LostDatabaseFault(
    `the database lacks the last writes before ${new Date(lastAt).toISOString()}: the file ${database}-wal is gone, or an older copy has been put in place of the database; ` +
      `move the database away and restore a backup with helioport restore FOLDER, or move ${lastWriteFile(database)} away to continue with what is left`,
  );
