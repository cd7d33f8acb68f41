import { prepareDataFolder } from './config/data-folder.ts';
import type { Config } from './config/load.ts';
import { findMasterKey, masterKeyFile, masterKeyOf } from './config/master-key.ts';
import { createSecretBox, type SecretBox } from './kernel/secrets.ts';
import { connectStorage } from './storage/connect.ts';
import type { Db } from './storage/database.ts';
import { checkNotLost, type EmbeddedFiles } from './storage/sqlite/lost-database.ts';
import { checkMasterKey, isSealed, MasterKeyFault } from './storage/master-key-check.ts';
import type { Storage } from './storage/open.ts';

export const embeddedFiles = (config: Config): EmbeddedFiles => ({ database: config.databaseAddress, masterKey: masterKeyFile(config) });

/**
 * Opens the configured database as it is; creates an embedded one if there has never been one.
 * @throws ConfigFault, DatabaseFault or LostDatabaseFault, each with one sentence for the person who runs the command
 */
export async function openInstallation(config: Config): Promise<Storage> {
  if (config.databaseUrl !== null) return connectStorage(config.databaseAddress);
  prepareDataFolder(config);
  const checkOpened = checkNotLost(embeddedFiles(config));
  const storage = await connectStorage(config.databaseAddress);
  try {
    await checkOpened(storage.db);
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * The box that encrypts secrets at rest. A master key is generated only for a database that never had one.
 * @throws MasterKeyFault or ConfigFault
 */
export async function openSecretBox(db: Db, config: Config): Promise<SecretBox> {
  const key = (await isSealed(db)) ? findMasterKey(config) : masterKeyOf(config);
  if (!key)
    throw new MasterKeyFault(`the master key ${masterKeyFile(config)} is missing: put it back, or set HELIOPORT_MASTER_KEY; no other key opens this database`);
  const secretBox = createSecretBox(key);
  await checkMasterKey(db, secretBox);
  return secretBox;
}
