import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  configFrom,
  readSources,
  type Config,
  type GivenSettings,
} from '../../platform/config/load.ts';
import { unknownInEnvironment, unknownText } from '../../platform/config/unknown-names.ts';
import { systemClock, type Clock } from '../../platform/kernel/clock.ts';
import { createIdSource, type IdSource } from '../../platform/kernel/ids.ts';
import { lazy } from '../../platform/kernel/lazy.ts';
import type { SecretBox } from '../../platform/kernel/secrets.ts';
import type { OperatorDoor } from '../operations/operator-door.ts';
import type { Series } from '../../measurements/series/port.ts';
import type { Storage } from '../../platform/storage/open.ts';
import { CliCommandFault } from './installation/faults.ts';
import { readPassword, type SecretInput } from './secret-input.ts';

/** The context of every command. Nothing is opened before it is needed. */
export interface CliContext {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** True with `--json`. */
  readonly json: boolean;
  /** The settings. Warns about `HELIOPORT_` names in the environment that nothing reads. Throws ConfigFault with all faults at once. */
  config(): Config;
  /** The settings that were given, with their texts and sources. */
  given(): GivenSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute path of a file or folder named on the command line. */
  path(name: string): string;
  /** The database, opened once. An embedded one is migrated; a PostgreSQL database that is not up to date is refused. */
  storage(): Promise<Storage>;
  /** The series of the database's devices. */
  series(): Promise<Series>;
  /** The door through which the operator's operations are called. */
  operator(): Promise<OperatorDoor>;
  /** Encrypts KeySecrets; its key is checked against the database. */
  secretBox(): Promise<SecretBox>;
  /** Prints the command's answer: `value` as one JSON value with `--json`, else `text`. Call it once, or once for each event of a command that goes on. */
  print(value: unknown, text: string | (() => string)): void;
  /** Shows a remark while the command runs, on standard error. */
  note(text: string): void;
  /**
   * Reads a password from the terminal or standard input; other users of the machine could see one given on the command line. Throws CommandFault.
   */
  readPassword(): Promise<string>;
  /** Sets exit code 1 for a command that did its work but has found something wrong. */
  fail(): void;
  /** 0, or 1 after `fail`. */
  readonly exitCode: number;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** Adds a command to the program; every file of a command exports such a function. */
export type RegisterCommand = (program: Command, context: CliContext) => void;

export interface CliSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly write: (text: string) => void;
  readonly writeNote: (text: string) => void;
  /** The source of passwords; without it, `readPassword` throws. */
  readonly secretInput?: SecretInput;
  readonly clock?: Clock;
}

/** The commands that may be the first in an installation. Any other one in a folder without a database is in the wrong folder. */
const BEGINNING = new Set(['migrate', 'user add', 'app create']);

/**
 * @param options the options of the program: `--json` and `--config FILE`
 * @param command the names of the command that runs, such as `user add`
 */
export function createCliContext(
  surroundings: CliSurroundings,
  options: () => { json?: boolean; config?: string },
  command: () => string,
): CliContext {
  const clock = surroundings.clock ?? systemClock;
  const { environment, folder } = surroundings;
  const sources = lazy(() => readSources({ environment, folder, file: options().config }));
  // An unknown name is not a fault, because other software may use the same prefix.
  const remark = lazy(() => {
    for (const unknown of unknownInEnvironment(environment))
      surroundings.writeNote(`warning: ${unknownText(unknown, 'the environment')}`);
  });
  const config = lazy(() => {
    remark();
    return configFrom(sources(), folder);
  });
  let opened: Promise<Storage> | undefined;
  let exitCode = 0;
  const storage = (): Promise<Storage> =>
    (opened ??= openMigrated(config(), clock, BEGINNING.has(command())));
  const checked = lazy(async () => {
    const { openSecretBox } = await import('../../compose/installation.ts');
    const { db } = await storage();
    return openSecretBox(db, config());
  });
  const ids = createIdSource(clock);
  let madeSeries: Promise<Series> | undefined;
  const unopenedSeries = (): Promise<Series> =>
    (madeSeries ??= makeSeries(config(), clock, storage()));
  const series = lazy(async () => openSeries(await unopenedSeries()));
  const operator = lazy(async () => {
    const [{ composeCommandLine }, { db }] = await Promise.all([
      import('../../compose/command-line.ts'),
      storage(),
    ]);
    return composeCommandLine({
      config: config(),
      clock,
      ids,
      db,
      series: await unopenedSeries(),
      secretBox: checked,
    });
  });
  return {
    clock,
    ids,
    get json() {
      return options().json === true;
    },
    config,
    given: () => sources().given,
    environment,
    path: (name) => resolve(folder, name),
    storage,
    series,
    operator,
    secretBox: checked,
    print: (value, text) =>
      surroundings.write(
        options().json ? JSON.stringify(value) : typeof text === 'string' ? text : text(),
      ),
    note: (text) => surroundings.writeNote(text),
    readPassword: () => {
      if (!surroundings.secretInput)
        throw new CliCommandFault('there is no standard input from which to read a password');
      return readPassword(surroundings.secretInput);
    },
    fail: () => {
      exitCode = 1;
    },
    get exitCode() {
      return exitCode;
    },
    close: async () => {
      await (await madeSeries?.catch(() => undefined))?.close();
      const open = await opened?.catch(() => undefined);
      await open?.close();
    },
  };
}

async function makeSeries(
  config: Config,
  clock: Clock,
  storage: Promise<Storage>,
): Promise<Series> {
  const [{ createSeries }, { db }] = await Promise.all([
    import('../../compose/installation.ts'),
    storage,
  ]);
  return createSeries({ db, config, clock });
}

async function openSeries(series: Series): Promise<Series> {
  await series.open();
  if (await series.isMigrated()) return series;
  throw new CliCommandFault(
    'the keyspace of HELIOPORT_SERIES_URL is not up to date: run helioport migrate',
  );
}

async function openMigrated(config: Config, clock: Clock, isBeginning: boolean): Promise<Storage> {
  const [
    { embeddedFiles, openInstallation },
    { checkNotLost },
    { checkMigrations, migrate },
    { tableBoundsOf: boundsOf, setBounds },
    { refuseWhileServed },
  ] = await Promise.all([
    import('../../compose/installation.ts'),
    import('../../platform/storage/sqlite/lost-database.ts'),
    import('../../platform/storage/migrate.ts'),
    import('../../platform/storage/bounds/within.ts'),
    import('../../platform/storage/checks/refuse-while-served.ts'),
  ]);
  if (!isBeginning && config.databaseUrl === null && !existsSync(config.databaseAddress)) {
    checkNotLost(embeddedFiles(config));
    throw new CliCommandFault(
      `there is no database in ${config.dataDir}: run this in the folder of the installation, or set HELIOPORT_DATA_DIR; in a new installation, begin with helioport serve or helioport user add`,
    );
  }
  const storage = await openInstallation(config);
  setBounds(storage.db, boundsOf(config));
  try {
    // Migrations are looked up before any is applied, because a command that only reads must not wait for the server's writes.
    const isBehind = (await checkMigrations(storage.db)).length > 0;
    if (isBehind && storage.engine === 'postgres')
      throw new CliCommandFault('the database is not up to date: run helioport migrate');
    if (isBehind) await refuseWhileServed(storage.db);
    if (isBehind) await migrate(storage.db, storage.engine, clock.now());
  } catch (error) {
    await storage.close();
    throw error;
  }
  return storage;
}
