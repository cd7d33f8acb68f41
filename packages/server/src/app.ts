import { noteStatement } from './platform/kernel/traces/traced-work.ts';
import type { OnStatement } from './platform/storage/direct-run.ts';
import { setTimeout } from 'node:timers/promises';
import type { RequestValues } from '@helioport/reference';
import { Registry } from 'prom-client';
import type { Config } from './platform/config/load.ts';
import { seriesMetrics } from './interfaces/edges/http/metrics/storage-metrics.ts';
import type { Runner } from './platform/work/runner.ts';
import type { Clock } from './platform/kernel/clock.ts';
import { rebaseLog } from './platform/events/position.ts';
import { mendAll } from './measurements/ingest/mend.ts';
import { createIdSource } from './platform/kernel/ids.ts';
import type { Siblings } from './platform/kernel/siblings.ts';
import type { Logger } from './platform/kernel/logger.ts';
import type { Traces } from './platform/kernel/traces/tracing.ts';
import { VERSION } from './platform/kernel/version.ts';
import { withTimeout } from './platform/kernel/within.ts';
import {
  createSeries,
  migrateSeries,
  openInstallation,
  openSecretBox,
} from './compose/installation.ts';
import {
  closeWithin,
  listenAll,
  type Addresses,
  type ListenerPart,
} from './interfaces/edges/listeners/listener.ts';
import { composeServing, type Ailment } from './compose/serve.ts';
import { composeWorker } from './compose/worker.ts';
import type { Db } from './platform/storage/database.ts';
import { checkIntegrityAtStart } from './platform/storage/sqlite/integrity.ts';
import { rememberWritten, unknownSince } from './platform/storage/sqlite/lost-database.ts';
import { migrate } from './platform/storage/migrate.ts';
import { OUTDATED } from './platform/kernel/surroundings/outdated.ts';
import { createSchemaWatch, type SchemaWatch } from './platform/storage/newer-schema.ts';
import { takeNodeNumber } from './platform/storage/installation/node-number.ts';
import { openStorage, type Storage } from './platform/storage/open.ts';
import { tableBoundsOf, setBounds } from './platform/storage/bounds/within.ts';
import { prepareQuery } from './platform/storage/prepare.ts';
import { followRotation } from './platform/storage/checks/master-key-check.ts';
import { refuseWhileServed } from './platform/storage/checks/refuse-while-served.ts';
import { createTrialWrites, type TrialWrites } from './platform/storage/checks/trial-write.ts';
import { SERVING_LIMITS } from './platform/storage/postgres/watched-pool.ts';
import type { Series } from './measurements/series/port.ts';

export type { Addresses } from './interfaces/edges/listeners/listener.ts';

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** An open database instead of the configured one; its opener closes it. */
  readonly storage?: Storage;
  /** The engine of the series, instead of the configured one. */
  readonly series?: (db: Db) => Series;
  /** Returns the values that make the sample requests of the references work unchanged. Called when somebody reads a reference. */
  readonly requestValues?: (() => Promise<RequestValues | undefined>) | undefined;
  /** Returns the e-mail address of the demo's owner, as whom everybody may log in at the portal. */
  readonly demoOwner?: (() => Promise<string | undefined>) | undefined;
  /** The other processes at the same ports. With them, health and metrics are the primary's to serve. */
  readonly siblings?: Siblings | undefined;
}

export interface App {
  /**
   * Opens the database, brings it up to date and listens.
   * @throws StartFault, ConfigFault, DatabaseFault, LostDatabaseFault, MigrationFault, SeriesFault or MasterKeyFault, each with one sentence for the person who starts it
   */
  start(): Promise<Addresses>;
  /** Reads again what may have been renewed while it runs: certificates. Those that cannot be used are logged, and the former ones stay. */
  reload(): void;
  /** Answers requests in progress and closes, within a few seconds. */
  stop(): Promise<void>;
}

/** How long an unanswered request may delay a stop. Together with what follows, this is less than the 10 s that containers get. */
const STOP_LIMIT_MS = 7_000;

/** How long background work, and then a database that does not respond, may delay a stop. */
const LAST_LIMIT_MS = 1_000;

/** A database that takes longer to answer is as good as unavailable. */
const READY_LIMIT_MS = 3_000;

const anything = prepareQuery((db) => db.selectNoFrom((eb) => eb.lit(1).as('anything')));

async function tracesOf(
  { tracesUrl, tracesPercent }: Config,
  clock: Clock,
): Promise<Traces | undefined> {
  if (tracesUrl === null) return undefined;
  const { openTraces } = await import('./platform/kernel/traces/tracing.ts');
  return openTraces({ url: tracesUrl, percent: tracesPercent, version: VERSION, clock });
}

/** Notes statements for the traces of the requests that make them. */
const statementNotes =
  (clock: Clock): OnStatement =>
  (text, ms) =>
    noteStatement({ text, ms, endedAt: clock.now() });

/** Opens an installation, has what it serves composed (compose/), starts it and stops it in order. */
export function createApp(options: AppOptions): App {
  const {
    config,
    clock,
    logger,
    storage: given,
    series: seriesOf,
    requestValues,
    demoOwner,
    siblings,
  } = options;
  let storage = given;
  let series: Series | undefined;
  let parts: readonly ListenerPart[] = [];
  let worker: Runner | undefined;
  let trial: TrialWrites | undefined;
  let traces: Traces | undefined;
  let isServing = false;
  let schema: SchemaWatch | undefined;
  let unfollow: (() => void) | undefined;
  const watched: Ailment[] = [];

  const ailments = async (): Promise<readonly string[]> =>
    schema?.isNewer
      ? [OUTDATED]
      : (await Promise.all(watched.map(ailmentOf))).filter((text) => text !== undefined);

  /** What asks the database says nothing while that is away, which `isReady` says. */
  const ailmentOf = (read: Ailment): Promise<string | undefined> =>
    withTimeout(
      READY_LIMIT_MS,
      (async () => read())().catch(() => undefined),
    );

  /** The database belongs to a newer version now. Requests are refused (edges/http/errors.ts); what acts by itself ends. */
  function retire(): void {
    logger.error(OUTDATED);
    const ending = [worker?.stop(), ...parts.map(({ listener }) => listener.retire?.())];
    for (const one of ending)
      one?.catch((err: unknown) => logger.warn({ err }, 'what acts by itself has not ended'));
  }

  async function isReady(): Promise<boolean> {
    if (!isServing || !storage || !series || !trial?.succeed || schema?.isNewer) return false;
    const answered = Promise.all([anything(storage.db, {}), series.isReady()]).then(
      ([, seriesAnswers]) => seriesAnswers,
      () => false,
    );
    return (await withTimeout(READY_LIMIT_MS, answered)) ?? false;
  }

  async function open(): Promise<Storage> {
    // Processes beside this one have the database open, and a process that is started again follows one that ended.
    const unknown =
      given || siblings || config.databaseUrl !== null
        ? undefined
        : unknownSince(config.databaseAddress);
    const onStatement = config.tracesUrl === null ? undefined : statementNotes(clock);
    const opened = (storage ??= await openInstallation(config, onStatement));
    if (unknown !== undefined) logger.warn(unknown);
    if (!given && opened.engine === 'sqlite') checkIntegrityAtStart(config.databaseAddress);
    await refuseWhileServed(opened.db);
    const applied = await migrate(opened.db, opened.engine, clock.now());
    if (applied.length > 0) logger.info({ applied }, 'database brought up to date');
    if (given || opened.engine === 'sqlite') return opened;
    // A migration may take as long as it needs; from here on, there are time limits.
    await opened.close();
    return (storage = openStorage(config.databaseAddress, SERVING_LIMITS, onStatement));
  }

  async function start(): Promise<Addresses> {
    const { db, engine } = await open();
    setBounds(db, tableBoundsOf(config));
    await rebaseLog(db);
    const metrics = new Registry();
    const seriesWatch = seriesMetrics(metrics, config.seriesUrl !== null);
    const opened = (series = seriesOf
      ? seriesOf(db)
      : await createSeries({ db, config, clock, observe: seriesWatch.observe }));
    await opened.open();
    await migrateSeries(db, opened);
    seriesWatch.watch(opened);
    await mendAll(db, opened).catch((err: unknown) =>
      logger.warn({ err }, 'half-written rows could not be recalculated'),
    );
    const secretBox = await openSecretBox(db, config);
    unfollow = followRotation(db, secretBox);
    trial = createTrialWrites({
      db,
      clock,
      onWritten: (at) => {
        if (!given && engine === 'sqlite') rememberWritten(config.databaseAddress, at);
      },
    });
    await trial.start();
    // A database that cannot be written to is no reason not to start; the number is a random one then.
    const ids = createIdSource(clock, await takeNodeNumber(db).catch(() => undefined));
    const watch = (schema = createSchemaWatch({ db, onNewer: retire }));
    traces = await tracesOf(config, clock);
    const serving = await composeServing(
      { config, clock, logger, ids, db, series: opened, secretBox },
      {
        storage: storage!,
        metrics,
        requestValues,
        demoOwner,
        siblings,
        isReady,
        ailments,
        schema: watch,
        traces,
        watch: (read) => void watched.push(read),
      },
    );
    ({ parts } = serving);
    const addresses = await listenAll(parts, config);
    isServing = true;
    watch.start();
    if (config.roles.includes('worker')) {
      worker = await composeWorker(serving.base);
      if (!watch.isNewer) await worker.start();
    }
    return addresses;
  }

  function reload(): void {
    for (const { name, listener } of parts) {
      try {
        listener.reload?.();
      } catch (err) {
        logger.error({ err, listener: name }, 'a renewed certificate cannot be used');
      }
    }
  }

  async function stop(): Promise<void> {
    const grace = isServing && config.stopGrace > 0 ? setTimeout(config.stopGrace) : undefined;
    isServing = false;
    const worked = worker?.stop();
    // Requests keep arriving until every load balancer has noticed that this instance is not ready.
    await grace;
    trial?.stop();
    schema?.stop();
    unfollow?.();
    await withTimeout(
      STOP_LIMIT_MS + LAST_LIMIT_MS,
      Promise.all([worked, ...parts.map(({ listener }) => closeWithin(listener, STOP_LIMIT_MS))]),
    );
    if (traces) await withTimeout(LAST_LIMIT_MS, traces.stop());
    if (series) await withTimeout(LAST_LIMIT_MS, series.close());
    if (!given && storage) await withTimeout(LAST_LIMIT_MS, storage.close());
  }

  return {
    start: () =>
      start().catch(async (error: unknown) => {
        await stop();
        throw error;
      }),
    reload,
    stop,
  };
}
