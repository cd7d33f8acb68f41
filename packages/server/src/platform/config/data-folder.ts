import { accessSync, constants, statfsSync } from 'node:fs';
import { makeFolder } from '../kernel/files/make-folder.ts';
import { SettingsFault, type Config } from './load.ts';

/**
 * Creates the data folder if it does not exist.
 * @throws SettingsFault when it cannot be created or written
 */
export function prepareDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new SettingsFault([
      `HELIOPORT_DATA_DIR: the folder ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
}

/** Space left on a folder's disk for users other than root, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
