import type { Command } from 'commander';
import { loadConfig, type Config } from '../config/load.ts';
import { masterKeyOf } from '../config/master-key.ts';
import { systemClock, type Clock } from '../kernel/clock.ts';
import { createIdSource, type IdSource } from '../kernel/ids.ts';
import { createSecretBox, type SecretBox } from '../kernel/secrets.ts';
import type { Storage } from '../storage/open.ts';
import { CommandFault } from './faults.ts';

/** What every command gets. Nothing is opened before it is asked for. */
export interface CliContext {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** True with `--json`. */
  readonly json: boolean;
  /** The settings; throws ConfigFault with all faults at once. */
  config(): Config;
  /** The database: opened once, the embedded one migrated, PostgreSQL refused when it is not up to date. */
  storage(): Promise<Storage>;
  /** Encrypts KeySecrets; its key is checked against the database. */
  secretBox(): Promise<SecretBox>;
  /** The command's answer: `value` as one JSON value with `--json`, else `text`. Call it once. */
  print(value: unknown, text: string | (() => string)): void;
  /** A remark for people while the command runs; goes to standard error. */
  note(text: string): void;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** A command's file exports one of these. */
export type Register = (program: Command, context: CliContext) => void;

export interface CliSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly write: (text: string) => void;
  readonly writeNote: (text: string) => void;
  readonly clock?: Clock;
}

/** `options()` are those of the program: `--json` and `--config FILE`. */
export function createCliContext(surroundings: CliSurroundings, options: () => { json?: boolean; config?: string }): CliContext {
  const clock = surroundings.clock ?? systemClock;
  const config = once(() => loadConfig({ environment: surroundings.environment, folder: surroundings.folder, file: options().config }));
  const secretBox = once(() => createSecretBox(masterKeyOf(config())));
  let opened: Promise<Storage> | undefined;
  const storage = (): Promise<Storage> => (opened ??= openMigrated(config(), clock));
  const checked = once(async () => {
    const { checkMasterKey } = await import('../storage/master-key-check.ts');
    const { db } = await storage();
    await checkMasterKey(db, secretBox());
    return secretBox();
  });
  return {
    clock,
    ids: createIdSource(clock),
    get json() {
      return options().json === true;
    },
    config,
    storage,
    secretBox: checked,
    print: (value, text) => surroundings.write(options().json ? JSON.stringify(value) : typeof text === 'string' ? text : text()),
    note: (text) => surroundings.writeNote(text),
    close: async () => {
      const open = await opened?.catch(() => undefined);
      await open?.close();
    },
  };
}

async function openMigrated(config: Config, clock: Clock): Promise<Storage> {
  const [{ openStorage }, { checkMigrations, migrate }] = await Promise.all([import('../storage/open.ts'), import('../storage/migrate.ts')]);
  const storage = openStorage(config.databaseAddress);
  try {
    if (storage.engine === 'sqlite') await migrate(storage.db, storage.engine, clock.now());
    else if ((await checkMigrations(storage.db)).length > 0) throw new CommandFault('the database is not up to date: run helioport migrate');
  } catch (error) {
    await storage.close();
    throw error;
  }
  return storage;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
