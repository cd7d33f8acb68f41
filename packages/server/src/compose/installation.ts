import { prepareDataFolder } from '../platform/config/data-folder.ts';
import type { ClusterAddress } from '../platform/config/cluster-address.ts';
import type { Config } from '../platform/config/load.ts';
import { findMasterKey, masterKeyFile, masterKeyOf } from '../platform/config/master-key.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import { withPackage } from '../platform/kernel/surroundings/optional-package.ts';
import type { KeyRing } from '../platform/kernel/secrets.ts';
import type { FieldLists } from '../measurements/series/field-lists.ts';
import { atHome, whereSeriesAre } from '../measurements/series/home.ts';
import type { Series } from '../measurements/series/port.ts';
import { SeriesFault } from '../measurements/series/series-fault.ts';
import { connectStorage } from '../platform/storage/connect.ts';
import type { Db } from '../platform/storage/database.ts';
import { checkNotLost, type EmbeddedFiles } from '../platform/storage/sqlite/lost-database.ts';
import {
  isSealed,
  MasterKeyFault,
  openKeyRing,
} from '../platform/storage/checks/master-key-check.ts';
import { engineOf } from '../platform/storage/engine.ts';
import { installationId } from '../platform/storage/installation/id.ts';
import { migrateExternalEngine } from '../platform/storage/migrate.ts';
import type { OnStatement } from '../platform/storage/direct-run.ts';
import type { Storage } from '../platform/storage/open.ts';

export const embeddedFiles = (config: Config): EmbeddedFiles => ({
  database: config.databaseAddress,
  masterKey: masterKeyFile(config),
});

/**
 * Opens the configured database as it is; creates an embedded one if there has never been one.
 * @throws ConfigFault, DatabaseFault or LostDatabaseFault, each with one sentence for the person who runs the command
 */
export async function openInstallation(
  config: Config,
  onStatement?: OnStatement,
): Promise<Storage> {
  if (config.databaseUrl !== null) return connectStorage(config.databaseAddress);
  prepareDataFolder(config);
  const checkOpened = checkNotLost(embeddedFiles(config));
  const storage = await connectStorage(config.databaseAddress, undefined, onStatement);
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
export async function openSecretBox(db: Db, config: Config): Promise<KeyRing> {
  const key = (await isSealed(db)) ? findMasterKey(config) : masterKeyOf(config);
  if (!key)
    throw new MasterKeyFault(
      `the master key ${masterKeyFile(config)} is missing: put it back, or set HELIOPORT_MASTER_KEY; no other key opens this database. If it is lost, helioport master-key forget goes on without what it encrypts`,
    );
  return openKeyRing(db, key);
}

/** Learns of each request to an engine beside the database: how long it took, and whether it failed. */
type Observe = (kind: 'read' | 'write', seconds: number, failed: boolean) => void;

interface SeriesSources {
  /** The database itself. */
  readonly db: Db;
  readonly config: Pick<Config, 'seriesUrl'>;
  readonly clock: Clock;
  readonly observe?: Observe;
}

/** The series, wherever they are of what the settings name; they must be opened. The database must be up to date. */
export async function createSeries(sources: SeriesSources): Promise<Series> {
  const { engine, configured } = await findEngine(sources);
  return atHome(sources.db, engine, configured);
}

/** The engine that the series are in, of those that the settings name, and the name of the one for a new installation. Opening it checks nothing. */
export async function findEngine(
  sources: SeriesSources,
): Promise<{ readonly engine: Series; readonly configured: string }> {
  const { db, config } = sources;
  const [{ createSqlSeries }, { createFieldLists }] = await Promise.all([
    import('../measurements/series/sql/sql-series.ts'),
    import('../measurements/series/field-lists.ts'),
  ]);
  const fieldLists = createFieldLists(db);
  const main = createSqlSeries(db, fieldLists);
  const configured =
    config.seriesUrl === null
      ? main
      : await createExternalSeries(sources, config.seriesUrl, fieldLists);
  const isMain = (await whereSeriesAre(db, configured.name)) === main.name;
  return { engine: isMain ? main : configured, configured: configured.name };
}

/** A cluster that stores series, or is to store them; it must be opened. */
export async function createExternalSeries(
  { db, clock, observe }: Pick<SeriesSources, 'db' | 'clock' | 'observe'>,
  address: ClusterAddress,
  fieldLists?: FieldLists,
): Promise<Series> {
  // The driver is loaded only where it is used.
  const [{ createCassandraSeries }, { createFieldLists }] = await Promise.all([
    withPackage(
      'cassandra-driver@4',
      () => import('../measurements/series/cassandra/cassandra-series.ts'),
    ).catch((cause: Error) => {
      throw new SeriesFault(`HELIOPORT_SERIES_URL: ${cause.message}`, { cause });
    }),
    import('../measurements/series/field-lists.ts'),
  ]);
  const installation = (): Promise<string> => installationId(db);
  return createCassandraSeries({
    address,
    fieldLists: fieldLists ?? createFieldLists(db),
    installation,
    clock,
    ...(observe && { observe }),
  });
}

/** Brings an open engine up to date, while other instances wait. Returns whether there was anything to do. */
export async function migrateSeries(db: Db, series: Series): Promise<boolean> {
  if (await series.isMigrated()) return false;
  return migrateExternalEngine(db, engineOf(db), async () => {
    if (await series.isMigrated()) return false;
    await series.migrate();
    return true;
  });
}
