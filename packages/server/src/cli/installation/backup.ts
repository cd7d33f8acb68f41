import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../config/load.ts';
import { masterKeyFile } from '../../config/master-key.ts';
import { CommandFault, UsageFault } from './faults.ts';
import type { Register } from '../context.ts';

export const DATABASE_FILE = 'helioport.db';
export const KEY_FILE = 'master.key';

/** `helioport backup FOLDER`: a consistent copy of the embedded installation, beside a running server. */
export const registerBackup: Register = (program, context) => {
  program
    .command('backup')
    .description('copy the embedded database and the master key into a new folder; the server may run')
    .argument('<folder>', 'folder that does not exist yet')
    .action(async (name: string) => {
      const config = context.config();
      refusePostgres(config, 'pg_dump');
      if (!existsSync(config.databaseAddress)) throw new CommandFault(`there is no database in ${config.dataDir}`);
      const folder = context.path(name);
      if (existsSync(folder)) throw new UsageFault(`${folder} exists already: a backup goes into a new folder`);
      const { db } = await context.storage();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      try {
        // One read transaction of the database: what is committed while it runs is not in the copy.
        await sql`vacuum into ${join(folder, DATABASE_FILE)}`.execute(db);
        if (config.masterKey === null) copyFileSync(masterKeyFile(config), join(folder, KEY_FILE));
      } catch (error) {
        rmSync(folder, { recursive: true, force: true });
        throw error;
      }
      if (config.masterKey !== null) context.note('the master key comes from HELIOPORT_MASTER_KEY and is not in the backup: keep a copy of it');
      context.print({ folder }, `copied to ${folder}; it holds secrets: keep it where only you can read it`);
    });
};

export function refusePostgres({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl !== null) throw new CommandFault(`the database is PostgreSQL: use ${tool}, and keep a copy of HELIOPORT_MASTER_KEY`);
}
