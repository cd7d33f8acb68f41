import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RequestValues } from '@helioport/reference';
import { Registry } from 'prom-client';
import { freeBytes } from './config/data-folder.ts';
import type { Config, Role } from './config/load.ts';
import { linksBeside, type Link } from './edges/http/front.ts';
import type { AnyOperation } from './edges/http/mount.ts';
import { createObservability, type Observability } from './edges/http/observability.ts';
import type { Runner } from './work/runner.ts';
import type { Clock } from './kernel/clock.ts';
import { rebaseLog } from './events/position.ts';
import { createEgress, type Egress } from './forwarding/egress/egress.ts';
import { mendAll } from './ingest/mend.ts';
import { createFigureCaches, type FigureCaches } from './figures/sources.ts';
import { createIdSource, type IdSource } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import type { SecretBox } from './kernel/secrets.ts';
import { VERSION } from './kernel/version.ts';
import { within } from './kernel/within.ts';
import { openInstallation, openSecretBox } from './installation.ts';
import { closeWithin, listenAll, type Addresses, type Part, type PartName } from './edges/listeners/listener.ts';
import type { Db } from './storage/database.ts';
import type { CredentialSources } from './operations/dependencies.ts';
import type { Operations } from './operations/index.ts';
import { isStorageAway } from './storage/away.ts';
import { createDatabaseClock } from './storage/database-clock.ts';
import { engineOf } from './storage/engine.ts';
import { checkIntegrityAtStart } from './storage/sqlite/integrity.ts';
import { rememberWritten } from './storage/sqlite/lost-database.ts';
import { migrate } from './storage/migrate.ts';
import { openStorage, type Storage } from './storage/open.ts';
import { prepareQuery } from './storage/prepare.ts';
import { createTrialWrites, type TrialWrites } from './storage/trial-write.ts';
import type { WakeUps } from './storage/wake-ups/port.ts';
import { SERVING_LIMITS, type PoolLoad } from './storage/postgres/watched-pool.ts';
import type { Series } from './series/port.ts';
import { createSqlSeries } from './series/sql/sql-series.ts';

export type { Addresses } from './edges/listeners/listener.ts';

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** An open database instead of the configured one; its opener closes it. */
  readonly storage?: Storage;
  /** The engine of the series, if it is not the main database. */
  readonly series?: (db: Db) => Series;
  /** Returns the values that make the sample requests of the references work unchanged. Called when somebody reads a reference. */
  readonly requestValues?: (() => Promise<RequestValues | undefined>) | undefined;
}

export interface App {
  /**
   * Opens the database, brings it up to date and listens.
   * @throws StartFault, ConfigFault, DatabaseFault, LostDatabaseFault, MigrationFault or MasterKeyFault, each with one sentence for the person who starts it
   */
  start(): Promise<Addresses>;
  /** Answers requests in progress and closes, within a few seconds. */
  stop(): Promise<void>;
}

/** How long an unanswered request may delay a stop. Together with what follows, this is less than the 10 s that containers get. */
const STOP_LIMIT_MS = 7_000;

/** How long background work, and then a database that does not respond, may delay a stop. */
const LAST_LIMIT_MS = 1_000;

/** How long a caller waits for a device: existing clients give up after 10 s. */
const PATIENCE_MS = 7_500;

/** A database that takes longer to answer is as good as unavailable. */
const READY_LIMIT_MS = 3_000;

const anything = prepareQuery((db) => db.selectNoFrom((eb) => eb.lit(1).as('anything')));

/** The composition root: the only place that constructs things. */
export function createApp({ config, clock, logger, storage: given, series: seriesOf = createSqlSeries, requestValues }: AppOptions): App {
  let storage = given;
  let series: Series | undefined;
  let parts: readonly Part[] = [];
  let worker: Runner | undefined;
  let trial: TrialWrites | undefined;
  let serving = false;

  async function isReady(): Promise<boolean> {
    if (!serving || !storage || !series || !trial?.succeed) return false;
    const answered = Promise.all([anything(storage.db, {}), series.isReady()]).then(
      ([, seriesAnswers]) => seriesAnswers,
      () => false,
    );
    return (await within(READY_LIMIT_MS, answered)) ?? false;
  }

  async function open(): Promise<Storage> {
    const opened = (storage ??= await openInstallation(config));
    if (!given && opened.engine === 'sqlite') checkIntegrityAtStart(config.databaseAddress);
    const applied = await migrate(opened.db, opened.engine, clock.now());
    if (applied.length > 0) logger.info({ applied }, 'database brought up to date');
    if (given || opened.engine === 'sqlite') return opened;
    // A migration may take as long as it needs; from here on, there are time limits.
    await opened.close();
    return (storage = openStorage(config.databaseAddress, SERVING_LIMITS));
  }

  async function start(): Promise<Addresses> {
    const { db, engine } = await open();
    await rebaseLog(db);
    const opened = (series = seriesOf(db));
    await opened.open();
    await opened.migrate();
    await mendAll(db, opened).catch((err: unknown) => logger.warn({ err }, 'half-written rows could not be recalculated'));
    const secretBox = await openSecretBox(db, config);
    trial = createTrialWrites({
      db,
      clock,
      onWritten: (at) => {
        if (!given && engine === 'sqlite') rememberWritten(config.databaseAddress, at);
      },
    });
    await trial.start();
    const metrics = new Registry();
    const observability = createObservability({ logger, registry: metrics });
    const served = config.roles.filter((role) => makers[role]);
    const deps: PartDeps = {
      config,
      clock,
      ids: createIdSource(clock),
      db,
      series: opened,
      caches: createFigureCaches(),
      secretBox,
      egress: createEgress({ allow: config.egressAllow }),
      logger,
      metrics,
      observability,
      requestValues,
      linksBeside: (name) => linksBeside(name, served, config),
      wakeUps: storage!.wakeUps,
      load: () => storage!.load(),
      isReady,
      isUnavailable: (error) => isStorageAway(error) || opened.isAway(error),
    };

    parts = (await Promise.all([createOpsPart(deps), ...served.map((role) => makers[role]!(deps))])).flat();
    const addresses = await listenAll(parts, config);
    serving = true;
    if (config.roles.includes('worker')) {
      worker = await createWorkerPart(deps, storage!, logger);
      await worker.start();
    }
    return addresses;
  }

  async function stop(): Promise<void> {
    const grace = serving && config.stopGrace > 0 ? setTimeout(config.stopGrace) : undefined;
    serving = false;
    const worked = worker?.stop();
    // Requests keep arriving until every load balancer has noticed that this instance is not ready.
    await grace;
    trial?.stop();
    await within(STOP_LIMIT_MS + LAST_LIMIT_MS, Promise.all([worked, ...parts.map(({ listener }) => closeWithin(listener, STOP_LIMIT_MS))]));
    if (series) await within(LAST_LIMIT_MS, series.close());
    if (!given && storage) await within(LAST_LIMIT_MS, storage.close());
  }

  return {
    start: () =>
      start().catch(async (error: unknown) => {
        await stop();
        throw error;
      }),
    stop,
  };
}

/** The dependencies of the parts. */
interface PartDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly db: Db;
  /** One per database: it caches the field lists. */
  readonly series: Series;
  readonly caches: FigureCaches;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly observability: Observability;
  readonly requestValues: AppOptions['requestValues'];
  /** The links to other listeners that the listener of this name shows at `/`. */
  linksBeside(name: PartName): readonly Link[];
  readonly wakeUps: WakeUps;
  /** The use of the connections to the database. */
  load(): PoolLoad;
  isReady(): Promise<boolean>;
  isUnavailable(error: unknown): boolean;
}

// Each part is imported when it is created: a process with few roles starts faster and stays smaller.
const makers: { readonly [Name in Role]?: (deps: PartDeps) => Promise<Part | readonly Part[]> } = {
  'user-api': createUserApiPart,
  oauth: createOauthPart,
  gateway: createGatewayParts,
};

async function createOpsPart(deps: PartDeps): Promise<Part> {
  const [{ createOps }, { registerProcessMetrics }, { registerStorageMetrics }] = await Promise.all([
    import('./edges/listeners/ops.ts'),
    import('./edges/http/process-metrics.ts'),
    import('./edges/http/storage-metrics.ts'),
  ]);
  const engine = engineOf(deps.db);
  registerProcessMetrics(deps.metrics, { version: VERSION, engine });
  registerStorageMetrics(deps.metrics, { load: deps.load, freeBytes: engine === 'sqlite' ? () => freeBytes(dirname(deps.config.databaseAddress)) : undefined });
  return { name: 'ops', setting: 'opsPort', listener: createOps({ ...deps, elsewhere: deps.linksBeside('ops') }) };
}

async function createUserApiPart(deps: PartDeps): Promise<Part> {
  const [served, { createUserApi }] = await Promise.all([createServed(deps), import('./edges/listeners/user.ts')]);
  return { name: 'user-api', setting: 'userApiPort', listener: await createUserApi({ ...deps, ...served, elsewhere: deps.linksBeside('user-api') }) };
}

async function createOauthPart(deps: PartDeps): Promise<Part> {
  const [served, { createOauth }] = await Promise.all([createServed(deps), import('./edges/listeners/oauth.ts')]);
  return { name: 'oauth', setting: 'oauthPort', listener: await createOauth({ ...deps, ...served, elsewhere: deps.linksBeside('oauth') }) };
}

/** The entrances for collectors: HTTP, and the embedded or an external MQTT broker. */
async function createGatewayParts(deps: PartDeps): Promise<readonly Part[]> {
  const [
    { createIngest },
    { recordReported },
    { createReports },
    { createReportLimit },
    { createGateway },
    metering,
    liveness,
    commands,
    { createInbox },
    mqtt,
  ] = await Promise.all([
    import('./ingest/ingest.ts'),
    import('./alarms/reported.ts'),
    import('./collectors/report.ts'),
    import('./collectors/limit.ts'),
    import('./edges/listeners/gateway.ts'),
    import('./edges/http/storage-metrics.ts'),
    import('./edges/http/liveness-metrics.ts'),
    import('./commands/exchange.ts'),
    import('./edges/mqtt/inbox.ts'),
    import('./edges/listeners/mqtt.ts'),
  ]);
  const { config, db, clock, ids: newId, metrics } = deps;
  const perSecond = config.collectorRateLimit;
  const reports = createReports({
    db,
    clock,
    limit: createReportLimit({ clock, perSecond }),
    beginReadings: createIngest(deps).begin,
    storeAlarms: (sender, alarms) => recordReported({ db, clock, newId }, sender, alarms),
  });
  const takeReport = metering.countingReadings(metrics, metering.countingReports(metrics, liveness.timingReports(metrics, reports)));
  const exchange = commands.createExchange({ ...deps, limit: createReportLimit({ clock, perSecond }), onVerified: liveness.timingCommands(metrics) });
  const shared = { ...deps, takeReport, exchange };
  const listener = await createGateway({ ...shared, elsewhere: deps.linksBeside('gateway') });
  const inbox = createInbox(shared);
  const gateway: Part = { name: 'gateway', setting: 'gatewayPort', listener };
  const url = config.mqttUrl;
  if (url !== null) return [{ ...gateway, listener: mqtt.besideExternalBroker(listener, { ...shared, inbox, url }) }];
  const scheme = config.mqttTlsCert === null ? 'mqtt' : 'mqtts';
  return [gateway, { name: 'mqtt', setting: 'mqttPort', listener: mqtt.createMqtt({ ...shared, inbox, perSecond }), scheme }];
}

async function createWorkerPart(deps: PartDeps, { wakeUps }: Storage, logger: Logger): Promise<Runner> {
  const [{ createWorker }, { registerWorkMetrics }, { countTasks }, { openSink }, { registerForwardingMetrics }, { listDestinations }] = await Promise.all([
    import('./worker.ts'),
    import('./edges/http/work-metrics.ts'),
    import('./work/queue.ts'),
    import('./forwarding/sinks/open.ts'),
    import('./edges/http/forwarding-metrics.ts'),
    import('./forwarding/destinations/reports.ts'),
  ]);
  const { db, metrics } = deps;
  const clock = createDatabaseClock(db, deps.clock);
  const { onAbandoned } = registerWorkMetrics(metrics, () => countTasks(db, clock.now()));
  registerForwardingMetrics(metrics, () => listDestinations(db, clock.now(), {}));
  return createWorker({
    ...deps,
    clock,
    logger,
    wakeUps,
    onAbandoned,
    openSink: (destination) => openSink(destination, { egress: deps.egress, clock: deps.clock, logger }),
  });
}

/** The operations and their handlers; they hold no state, so each listener has its own. */
async function createServed(deps: PartDeps): Promise<{ operations: readonly AnyOperation[]; handlers: Operations }> {
  const [{ operations }, { createOperations }, { createTelemetry }] = await Promise.all([
    import('@helioport/contract'),
    import('./operations/index.ts'),
    import('./telemetry/create-telemetry.ts'),
  ]);
  return {
    operations: Object.values(operations),
    handlers: createOperations({
      ...deps,
      telemetry: createTelemetry(deps),
      credentials: credentialsOf(deps),
      outbound: deps,
      patience: { wakeUps: deps.wakeUps, limitMs: PATIENCE_MS },
    }),
  };
}

const credentialsOf = ({ secretBox, config: { legacyLogin, defaultTimeZone } }: PartDeps): CredentialSources => ({
  secretBox: async () => secretBox,
  legacyLogin,
  defaultTimeZone,
});
