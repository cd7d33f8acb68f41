import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { prepareDataFolder } from '../../../../platform/config/data-folder.ts';
import type { Config } from '../../../../platform/config/load.ts';
import {
  findMasterKey,
  masterKeyFile,
  readMasterKey,
} from '../../../../platform/config/master-key.ts';
import { connectStorage } from '../../../../platform/storage/connect.ts';
import { DatabaseFault } from '../../../../platform/storage/database-fault.ts';
import { checkIntegrity } from '../../../../platform/storage/sqlite/integrity.ts';
import { lastWriteFile } from '../../../../platform/storage/sqlite/lost-database.ts';
import {
  isSealed,
  MasterKeyFault,
  openKeyRing,
} from '../../../../platform/storage/checks/master-key-check.ts';
import { checkMigrations } from '../../../../platform/storage/migrate.ts';
import type { RegisterCommand } from '../../context.ts';
import {
  DATABASE_FILE,
  DUMP_FILE,
  isAsWritten,
  KEY_FILE,
  readManifest,
  sync,
  unfinished,
} from './backup-files.ts';
import { CliCommandFault, CliUsageFault } from '../faults.ts';

/** A file of a backup and where it goes. */
interface Part {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** `helioport restore FOLDER`: restores a backup where there is no database; never overwrites one. If interrupted, it can be repeated. */
export const registerRestore: RegisterCommand = (program, context) => {
  program
    .command('restore')
    .description('restore a backup into a data folder that has no database yet')
    .argument('<folder>', 'folder made by `helioport backup`')
    .action(async (name: string) => {
      const config = context.config();
      const folder = context.path(name);
      refusePostgres(config, `pg_restore --no-owner --dbname ADDRESS ${join(folder, DUMP_FILE)}`);
      if (!existsSync(join(folder, DATABASE_FILE)))
        throw new CliUsageFault(`${folder} is not a backup: it has no ${DATABASE_FILE}`);
      const manifest = readManifest(folder);
      prepareDataFolder(config);
      // The key is restored first: after an interruption, a key without a database allows another try, but a database without its key is useless.
      const parts = [
        { name: KEY_FILE, from: join(folder, KEY_FILE), to: masterKeyFile(config) },
        { name: DATABASE_FILE, from: join(folder, DATABASE_FILE), to: config.databaseAddress },
      ].filter(
        ({ name: part, from }) =>
          part === DATABASE_FILE || (config.masterKey === null && existsSync(from)),
      );
      for (const part of parts) refuseOverwriting(part);
      try {
        const damaged: string[] = [];
        for (const { name: part, from, to } of parts) {
          copy(from, unfinished(to));
          if (!(await isAsWritten(manifest, part, unfinished(to)))) damaged.push(part);
        }
        await check(config, folder, damaged);
        putInPlace(parts, config);
      } catch (error) {
        for (const { to } of parts) remove(unfinished(to));
        throw error;
      }
      context.print({ dataDir: config.dataDir }, `restored into ${config.dataDir}`);
    });
};

function refusePostgres({ databaseUrl }: Config, command: string): void {
  if (databaseUrl !== null)
    throw new CliCommandFault(
      `the database is PostgreSQL: restore it into an empty one with ${command}, and set HELIOPORT_MASTER_KEY to the key of the backup`,
    );
}

function refuseOverwriting({ name, from, to }: Part): void {
  if (!existsSync(to) || statSync(to).size === 0) return;
  // The same key is there already: an earlier restore was interrupted, or only the database was lost.
  if (name === KEY_FILE && readFileSync(from).equals(readFileSync(to))) return;
  throw new CliCommandFault(`${to} already exists: nothing was restored`);
}

function copy(from: string, to: string): void {
  remove(to);
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  sync(to);
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** Checks the copies before they are put where the server would use them. */
async function check(config: Config, folder: string, damaged: readonly string[]): Promise<void> {
  const fault =
    damaged.length > 0
      ? new CliCommandFault(
          `the backup ${folder} is damaged: ${damaged.join(' and ')} ${damaged.length > 1 ? 'differ' : 'differs'} from what was written`,
        )
      : undefined;
  const database = unfinished(config.databaseAddress);
  const keyFile = unfinished(masterKeyFile(config));
  try {
    const { db, close } = await connectStorage(database);
    try {
      await checkMigrations(db);
      const key =
        config.masterKey ?? (existsSync(keyFile) ? readMasterKey(keyFile) : findMasterKey(config));
      if (key) await openKeyRing(db, key);
      else if (await isSealed(db))
        throw new MasterKeyFault(
          'the backup has no master key: set HELIOPORT_MASTER_KEY to the key in use when the backup was made',
        );
      checkIntegrity(database, true);
    } finally {
      await close();
    }
  } catch (error) {
    // These errors come first, because "not a database" and "wrong key" say more than "the backup is damaged".
    throw fault && !(error instanceof MasterKeyFault) && !isForeign(error) ? fault : error;
  }
  if (fault) throw fault;
}

const isForeign = (error: unknown): boolean =>
  error instanceof DatabaseFault &&
  (error.cause as { errcode?: number } | undefined)?.errcode === 26;

function putInPlace(parts: readonly Part[], config: Config): void {
  const { databaseAddress: database, dataDir } = config;
  // Files left over from a former database must not be taken for parts of this one.
  rmSync(lastWriteFile(database), { force: true });
  rmSync(`${database}-shm`, { force: true });
  if (existsSync(`${database}-wal`))
    renameSync(`${database}-wal`, `${database}-wal.before-restore`);
  for (const { to } of parts) {
    renameSync(unfinished(to), to);
    sync(dataDir);
  }
}
