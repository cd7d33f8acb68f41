import { accessSync, constants, mkdirSync } from 'node:fs';
import { ConfigFault, type Config } from './load.ts';

/**
 * Makes the data folder where there is none.
 * @throws ConfigFault when it cannot be made or written
 */
export function prepareDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigFault([`HELIOPORT_DATA_DIR: the folder ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code})`]);
  }
}
