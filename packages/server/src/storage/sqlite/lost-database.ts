import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Db } from '../database.ts';
import { isMigrated } from '../migrate.ts';
import { findLastTrialWrite } from '../trial-write.ts';

/** The embedded database is missing, or not the one it was: nothing may be written until a person has decided. */
export class LostDatabaseFault extends Error {
  override readonly name = 'LostDatabaseFault';
}

/** The files of an embedded installation, by their paths. */
export interface EmbeddedFiles {
  readonly database: string;
  readonly masterKey: string;
}

/** Beside the database: up to when it is known to hold what was stored. Never ahead of the database. */
export const lastWriteFile = (database: string): string => `${database}.last-write`;

/** Remembers what the database holds; where the file cannot be written, less is noticed later. */
export function rememberWritten(database: string, at: number): void {
  try {
    writeFileSync(lastWriteFile(database), `${at}\n`);
  } catch {
    // A full disk, which the write before this one has met or the next one will.
  }
}

/**
 * Before the database is opened, which would make a new one.
 * @returns looks at the opened database, before anything is written to it
 * @throws LostDatabaseFault when there has been a database and it is missing or empty; the check, when it lacks what it is known to have held
 */
export function checkNotLost(files: EmbeddedFiles): (db: Db) => Promise<void> {
  // Asked first: another process that makes this installation makes the database before them.
  const traces = [files.masterKey, lastWriteFile(files.database)].filter((file) => existsSync(file));
  const lastAt = findLastWrite(files.database);
  if (traces.length > 0 && isMissing(files.database)) throw gone(files, traces);
  return async (db) => {
    if (traces.length === 0) return;
    if (!(await isMigrated(db))) throw gone(files, traces);
    if (lastAt !== undefined && lastAt > ((await findLastTrialWrite(db)) ?? 0)) throw older(files, lastAt);
  };
}

// Before the first checkpoint everything is in the write-ahead log.
const isMissing = (file: string): boolean => !existsSync(file) || (statSync(file).size === 0 && !existsSync(`${file}-wal`));

function findLastWrite(database: string): number | undefined {
  const file = lastWriteFile(database);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const gone = ({ database }: EmbeddedFiles, traces: readonly string[]): LostDatabaseFault =>
  new LostDatabaseFault(
    `the database is missing or empty, although ${dirname(database)} has held one: put a backup there with helioport restore FOLDER; to begin anew, move ${traces.join(' and ')} away`,
  );

const older = ({ database }: EmbeddedFiles, lastAt: number): LostDatabaseFault =>
  new LostDatabaseFault(
    `the database lacks what was stored until ${new Date(lastAt).toISOString()}: the file ${database}-wal is gone, or an older copy has been put in its place; ` +
      `move it away and put a backup there with helioport restore FOLDER, or move ${lastWriteFile(database)} away to go on with what there is`,
  );
