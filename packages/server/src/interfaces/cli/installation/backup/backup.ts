import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { masterKeyFile } from '../../../../platform/config/master-key.ts';
import { makeFolder } from '../../../../platform/kernel/files/make-folder.ts';
import { checkIntegrity } from '../../../../platform/storage/sqlite/integrity.ts';
import { isSealed } from '../../../../platform/storage/checks/master-key-check.ts';
import { rememberBackup } from '../../../../platform/storage/installation/last-backup.ts';
import type { CliContext, RegisterCommand } from '../../context.ts';
import {
  DATABASE_FILE,
  DUMP_FILE,
  isAsWritten,
  KEY_FILE,
  readManifest,
  sync,
  unfinished,
  writeManifest,
} from './backup-files.ts';
import { CliCommandFault, CliUsageFault } from '../faults.ts';
import { backupsIn, keepNewestBackups, nameOfBackup } from './kept-backups.ts';
import { pgDump } from './pg-dump.ts';

/** `helioport backup FOLDER`: makes a consistent copy of an installation, even while the server runs, or checks one. */
export const registerBackup: RegisterCommand = (program, context) => {
  program
    .command('backup')
    .description(
      'copy the database and the master key into a new folder; the server may keep running',
    )
    .argument(
      '<folder>',
      'folder that does not exist yet; with --keep, the one that holds them all',
    )
    .option('--keep <n>', 'make one more in the folder, and keep the newest N of them')
    .option(
      '--verify',
      'check a backup, with --keep’s folder the newest one, instead of making one',
    )
    .action(async (name: string, options: { keep?: string; verify?: true }) => {
      const keep = countIn(options.keep);
      const folder = context.path(name);
      if (options.verify) return verify(context, folder);
      const at = context.clock.now();
      const place = keep === undefined ? folder : join(folder, nameOfBackup(at));
      await backup(context, place, at);
      const removed = keep === undefined ? [] : keepNewestBackups(folder, keep);
      const { masterKey } = context.config();
      if (masterKey !== null)
        context.note(
          'the master key comes from HELIOPORT_MASTER_KEY and is not in the backup: keep a copy of it',
        );
      context.print(
        { folder: place, removed },
        `copied to ${place}; it holds secrets: keep it where only you can read it`,
      );
    });
};

function countIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new CliUsageFault('--keep must be a whole number from 1 to 9999');
  return Number(text);
}

async function backup(context: CliContext, folder: string, at: number): Promise<void> {
  const { databaseUrl, databaseAddress, dataDir } = context.config();
  if (databaseUrl === null && !existsSync(databaseAddress))
    throw new CliCommandFault(`there is no database in ${dataDir}`);
  if (existsSync(folder))
    throw new CliUsageFault(`${folder} already exists: a backup needs a new folder`);
  // The backup is made under a temporary name and renamed when it is complete.
  // Whatever an interrupted backup left under that name can be deleted.
  const beside = unfinished(folder);
  makeEmpty(beside, folder);
  try {
    await copyInto(beside, context, at);
    renameSync(beside, folder);
    sync(dirname(folder));
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    throw error;
  }
  const { db } = await context.storage();
  await rememberBackup(db, at).catch((error: Error) =>
    context.note(`the backup was made, but not remembered: ${error.message}`),
  );
}

function makeEmpty(beside: string, folder: string): void {
  try {
    rmSync(beside, { recursive: true, force: true });
    makeFolder(beside);
  } catch (error) {
    throw new CliCommandFault(`the folder ${folder} cannot be made: ${(error as Error).message}`);
  }
}

async function copyInto(folder: string, context: CliContext, at: number): Promise<void> {
  const config = context.config();
  const { db } = await context.storage();
  // Checks that the key belongs to this database; otherwise the backup would be useless. Before the first start, there is no key.
  if (await isSealed(db)) await context.secretBox();
  if (config.databaseUrl !== null) {
    await pgDump(config.databaseUrl, join(folder, DUMP_FILE), context.environment);
    return writeManifest(folder, [DUMP_FILE], at);
  }
  // This is a single read transaction, so the copy does not contain anything committed in the meantime.
  await sql`vacuum into ${join(folder, DATABASE_FILE)}`.execute(db);
  checkIntegrity(join(folder, DATABASE_FILE), false);
  const key = config.masterKey === null && existsSync(masterKeyFile(config));
  if (key) copyFileSync(masterKeyFile(config), join(folder, KEY_FILE));
  await writeManifest(folder, key ? [DATABASE_FILE, KEY_FILE] : [DATABASE_FILE], at);
}

/** Checks that a backup is as it was written, which was checked then. @throws CliCommandFault */
async function verify(context: CliContext, given: string): Promise<void> {
  if (!existsSync(given)) throw new CliCommandFault(`there is no folder ${given}`);
  const newest = backupsIn(given).at(-1);
  const folder = newest === undefined ? given : join(given, newest);
  const manifest = readManifest(folder);
  const damaged: string[] = [];
  for (const name of Object.keys(manifest.files)) {
    const file = join(folder, name);
    if (!existsSync(file) || !(await isAsWritten(manifest, name, file))) damaged.push(name);
  }
  if (damaged.length > 0)
    throw new CliCommandFault(`the backup ${folder} is damaged: ${damaged.join(', ')}`);
  context.print(
    { folder, madeAt: manifest.madeAt, version: manifest.version },
    `${folder}, made at ${manifest.madeAt}, is as it was written`,
  );
}
