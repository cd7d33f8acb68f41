import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../../../platform/config/load.ts';
import { masterKeyFile } from '../../../platform/config/master-key.ts';
import { makeFolder } from '../../../platform/kernel/files/make-folder.ts';
import { checkIntegrity } from '../../../platform/storage/sqlite/integrity.ts';
import { isSealed } from '../../../platform/storage/checks/master-key-check.ts';
import type { CliContext, Register } from '../context.ts';
import { DATABASE_FILE, KEY_FILE, sync, unfinished, writeManifest } from './backup-files.ts';
import { CommandFault, UsageFault } from './faults.ts';

/** `helioport backup FOLDER`: makes a consistent copy of an embedded installation, even while the server runs. */
export const registerBackup: Register = (program, context) => {
  program
    .command('backup')
    .description(
      'copy the embedded database and the master key into a new folder; the server may keep running',
    )
    .argument('<folder>', 'folder that does not exist yet')
    .action(async (name: string) => {
      const config = context.config();
      refusePostgres(config, 'pg_dump');
      if (!existsSync(config.databaseAddress))
        throw new CommandFault(`there is no database in ${config.dataDir}`);
      const folder = context.path(name);
      if (existsSync(folder))
        throw new UsageFault(`${folder} already exists: a backup needs a new folder`);
      // The backup is made under a temporary name and renamed when it is complete.
      // Whatever an interrupted backup left under that name can be deleted.
      const beside = unfinished(folder);
      makeEmpty(beside, folder);
      try {
        await copyInto(beside, context);
        renameSync(beside, folder);
        sync(dirname(folder));
      } catch (error) {
        rmSync(beside, { recursive: true, force: true });
        throw error;
      }
      if (config.masterKey !== null)
        context.note(
          'the master key comes from HELIOPORT_MASTER_KEY and is not in the backup: keep a copy of it',
        );
      context.print(
        { folder },
        `copied to ${folder}; it holds secrets: keep it where only you can read it`,
      );
    });
};

function makeEmpty(beside: string, folder: string): void {
  try {
    rmSync(beside, { recursive: true, force: true });
    makeFolder(beside);
  } catch (error) {
    throw new CommandFault(`the folder ${folder} cannot be made: ${(error as Error).message}`);
  }
}

async function copyInto(folder: string, context: CliContext): Promise<void> {
  const config = context.config();
  const { db } = await context.storage();
  // Checks that the key belongs to this database; otherwise the backup would be useless. Before the first start, there is no key.
  if (await isSealed(db)) await context.secretBox();
  // This is a single read transaction, so the copy does not contain anything committed in the meantime.
  await sql`vacuum into ${join(folder, DATABASE_FILE)}`.execute(db);
  checkIntegrity(join(folder, DATABASE_FILE), false);
  const key = config.masterKey === null && existsSync(masterKeyFile(config));
  if (key) copyFileSync(masterKeyFile(config), join(folder, KEY_FILE));
  await writeManifest(
    folder,
    key ? [DATABASE_FILE, KEY_FILE] : [DATABASE_FILE],
    context.clock.now(),
  );
}

export function refusePostgres({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl !== null)
    throw new CommandFault(
      `the database is PostgreSQL: use ${tool}, and keep a copy of HELIOPORT_MASTER_KEY`,
    );
}
