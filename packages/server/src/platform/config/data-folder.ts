import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigFault, type Config } from './load.ts';

/**
 * Creates the data folder if it does not exist.
 * @throws ConfigFault when it cannot be created or written
 */
export function prepareDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigFault([
      `HELIOPORT_DATA_DIR: the folder ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
}

/** Space left on a folder's disk for users other than root, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

// Does not use the option `recursive`: with it, Node retries forever if an existing folder refuses new ones with ENOENT, as /proc does.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that is starting at the same time may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
