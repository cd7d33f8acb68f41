import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDataFolder } from '../../config/data-folder.ts';
import { masterKeyFile, masterKeyOf } from '../../config/master-key.ts';
import type { Config } from '../../config/load.ts';
import { createSecretBox } from '../../kernel/secrets.ts';
import { connectStorage } from '../../storage/connect.ts';
import { checkMasterKey } from '../../storage/master-key-check.ts';
import { checkMigrations } from '../../storage/migrate.ts';
import { DATABASE_FILE, KEY_FILE, refusePostgres } from './backup.ts';
import { CommandFault, UsageFault } from './faults.ts';
import type { Register } from '../context.ts';

/** `helioport restore FOLDER`: puts a backup into an empty data folder; never overwrites. */
export const registerRestore: Register = (program, context) => {
  program
    .command('restore')
    .description('put a backup into a data folder that has no database yet')
    .argument('<folder>', 'folder that helioport backup made')
    .action(async (name: string) => {
      const config = context.config();
      refusePostgres(config, 'pg_restore');
      const folder = context.path(name);
      if (!existsSync(join(folder, DATABASE_FILE))) throw new UsageFault(`${folder} is not a backup: it has no ${DATABASE_FILE}`);
      prepareDataFolder(config);
      const key = join(folder, KEY_FILE);
      const parts = [{ from: join(folder, DATABASE_FILE), to: config.databaseAddress }];
      if (config.masterKey === null && existsSync(key)) parts.unshift({ from: key, to: masterKeyFile(config) });
      for (const { to } of parts) if (existsSync(to)) throw new CommandFault(`${to} exists already: nothing was restored`);
      try {
        for (const { from, to } of parts) put(from, to);
        await check(config);
      } catch (error) {
        for (const { to } of parts) for (const suffix of ['', '-wal', '-shm', '.restoring']) rmSync(to + suffix, { force: true });
        throw error;
      }
      context.print({ dataDir: config.dataDir }, `restored into ${config.dataDir}`);
    });
};

// Under another name until it is complete: a copy that breaks off never looks like a database.
function put(from: string, to: string): void {
  copyFileSync(from, `${to}.restoring`);
  chmodSync(`${to}.restoring`, 0o600);
  renameSync(`${to}.restoring`, to);
}

async function check(config: Config): Promise<void> {
  const storage = await connectStorage(config.databaseAddress);
  try {
    await checkMigrations(storage.db);
    await checkMasterKey(storage.db, createSecretBox(masterKeyOf(config)));
  } finally {
    await storage.close();
  }
}
