import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The name of a backup among others: the time at which it was made, so that names sort by age. */
export const nameOfBackup = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;

/** The backups in a folder that `backup --keep` fills, oldest first. */
export const backupsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name))
    .map(({ name }) => name)
    .toSorted();

/** Removes the oldest backups beyond `count`; returns the names of those that went. */
export function keepNewestBackups(folder: string, count: number): string[] {
  const old = backupsIn(folder).slice(0, -count);
  for (const name of old) rmSync(join(folder, name), { recursive: true });
  return old;
}
