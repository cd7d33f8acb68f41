import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigFault, type Config } from './load.ts';

/**
 * Makes the data folder where there is none.
 * @throws ConfigFault when it cannot be made or written
 */
export function prepareDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigFault([`HELIOPORT_DATA_DIR: the folder ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/** How much the disk of a folder takes yet, in bytes, for whoever is not root. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

// Not `recursive`: Node tries for ever where a folder is there but takes no new ones and says ENOENT, as /proc does.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts beside this one may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
