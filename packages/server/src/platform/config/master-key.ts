import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNamedText } from '../kernel/files/read-file.ts';
import { prepareDataFolder } from './data-folder.ts';
import { SettingsFault, type Config } from './load.ts';
import { settings } from './schema.ts';

/** The file in which an embedded installation keeps its key. */
export const masterKeyFile = (config: Pick<Config, 'dataDir'>): string =>
  join(config.dataDir, 'master.key');

/**
 * The master key: from the setting, else from the file in the data folder, which is created at the first start.
 * With PostgreSQL the setting is required (load.ts), since several instances must share one key.
 */
export function masterKeyOf(config: Config): Uint8Array {
  return findMasterKey(config) ?? makeKey(config);
}

/** The master key from the setting or the file; undefined if neither exists. */
export const findMasterKey = (config: Config): Uint8Array | undefined =>
  config.masterKey ?? readMasterKey(masterKeyFile(config));

/** The key in a file; undefined if there is no such file. @throws ConfigFault when it cannot be read or holds no key */
export function readMasterKey(file: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readNamedText(file).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SettingsFault([
      `the master key ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    ]);
  }
  const key = settings.masterKey.kind.read(text);
  if (!key)
    throw new SettingsFault([`the master key ${file} is not ${settings.masterKey.kind.expected}`]);
  return key;
}

// The key is written to a temporary file, which is then linked to its final name: if two processes start together, both use the key of the first.
function makeKey(config: Config): Uint8Array {
  const file = masterKeyFile(config);
  const aside = `${file}.${process.pid}`;
  prepareDataFolder(config);
  writeFileSync(aside, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return readMasterKey(file)!;
}
