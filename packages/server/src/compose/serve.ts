import { dirname } from 'node:path';
import type { RequestValues } from '@helioport/reference';
import type { Registry } from 'prom-client';
import { linksToOtherListeners, type Link } from '../interfaces/edges/http/front.ts';
import { isOutdated } from '../interfaces/edges/http/errors.ts';
import type { AnyOperation } from '../interfaces/edges/http/mount.ts';
import { declareCounter, declareGauge } from '../interfaces/edges/http/metrics/declared.ts';
import type { Traces } from '../platform/kernel/traces/tracing.ts';
import { createObservability, type Observability } from '../interfaces/edges/http/observability.ts';
import type { ListenerPart, ListenerPartName } from '../interfaces/edges/listeners/listener.ts';
import type { InstanceFacts } from '../interfaces/operations/dependencies.ts';
import type { Operations } from '../interfaces/operations/index.ts';
import { freeBytes } from '../platform/config/data-folder.ts';
import type { ProcessRole } from '../platform/config/load.ts';
import type { Siblings } from '../platform/kernel/siblings.ts';
import { ownBuckets, type OpenBuckets } from '../platform/kernel/token-buckets.ts';
import { VERSION } from '../platform/kernel/version.ts';
import { isStorageAway } from '../platform/storage/away.ts';
import { engineOf } from '../platform/storage/engine.ts';
import { lastBackupAt } from '../platform/storage/installation/last-backup.ts';
import { dailyGrowth, fullAt, tableSizes } from '../platform/storage/checks/growth.ts';
import { diskBytes } from '../platform/storage/checks/size.ts';
import type { Outdated } from '../platform/kernel/surroundings/outdated.ts';
import { readRecalculation, recalculationText } from '../fleet/plants/tariffs/recalculation.ts';
import type { Storage } from '../platform/storage/open.ts';
import type { PoolLoad } from '../platform/storage/postgres/watched-pool.ts';
import type { WakeUps } from '../platform/storage/wake-ups/port.ts';
import { composeBase, operationSourcesOf, type Base, type GivenParts } from './base.ts';

/** How long a caller waits for a device: existing clients give up after 10 s. */
const PATIENCE_MS = 7_500;

/** What is wrong with something, in one sentence; undefined = nothing. */
export type Ailment = () => string | undefined | Promise<string | undefined>;

/** What is around the parts of a process that serves. */
export interface Surroundings {
  readonly storage: Storage;
  readonly metrics: Registry;
  /** Returns the values that make the sample requests of the references work unchanged. Called when somebody reads a reference. */
  readonly requestValues: (() => Promise<RequestValues | undefined>) | undefined;
  /** Returns the e-mail address of the demo's owner, as whom everybody may log in at the portal. */
  readonly demoOwner: (() => Promise<string | undefined>) | undefined;
  /** The other processes at the same ports. With them, health and metrics are the primary's to serve. */
  readonly siblings: Siblings | undefined;
  /** Where requests are traced, if they are. */
  readonly traces: Traces | undefined;
  isReady(): Promise<boolean>;
  ailments(): Promise<readonly string[]>;
  /** Whether the database has been left to a newer version. */
  readonly schema: Outdated;
  /** Adds something that may be wrong although requests are served. */
  watch(read: Ailment): void;
}

/** What the parts are built from. */
export interface ServingBase extends Base, Surroundings {
  readonly observability: Observability;
  readonly buckets: OpenBuckets;
  /** The links to other listeners that the listener of this name shows at `/`. */
  linksBeside(name: ListenerPartName): readonly Link[];
  readonly wakeUps: WakeUps;
  /** The use of the connections to the database. */
  load(): PoolLoad;
  isUnavailable(error: unknown): boolean;
  /** Is called with how each log-in ended. */
  onLogIn(outcome: string): void;
}

/** A process that serves, as it is before it listens. */
export interface Serving {
  readonly base: ServingBase;
  /** The listeners of the roles that the settings name. */
  readonly parts: readonly ListenerPart[];
}

/** What answers requests: the listeners of the roles that the settings name. */
export async function composeServing(given: GivenParts, around: Surroundings): Promise<Serving> {
  const { config, clock, logger } = given;
  const { storage, metrics, siblings } = around;
  const served = config.roles.filter((role) => partMakers[role]);
  const logIns = declareCounter(metrics, 'helioport_log_ins_total');
  const base: ServingBase = {
    ...composeBase(given),
    ...around,
    observability: createObservability({
      logger,
      registry: metrics,
      isOutage: (error) => isStorageAway(error) || isOutdated(error),
      traces: around.traces,
      trustedProxies: config.trustedProxies,
    }),
    buckets: siblings?.openBuckets ?? ownBuckets(clock),
    linksBeside: (name) => linksToOtherListeners(name, served, config),
    wakeUps: storage.wakeUps,
    load: () => storage.load(),
    isUnavailable: isStorageAway,
    onLogIn: (outcome) => logIns.inc({ outcome }),
  };
  await registerMetrics(base);
  around.watch(async () => recalculationText(await readRecalculation(base.db)));
  siblings?.answer({
    isReady: around.isReady,
    ailments: around.ailments,
    metrics: () => metrics.getMetricsAsJSON(),
  });
  const parts = await Promise.all([
    ...(siblings ? [] : [createOpsPart(base)]),
    ...served.map((role) => partMakers[role]!(base)),
  ]);
  return { base, parts: parts.flat() };
}

/** Makes the parts of each role that listens. Each is imported when it is created: a process with few roles starts faster and stays smaller. */
const partMakers: {
  readonly [Name in ProcessRole]?: (
    deps: ServingBase,
  ) => Promise<ListenerPart | readonly ListenerPart[]>;
} = {
  'user-api': createUserApiPart,
  oauth: createOauthPart,
  portal: createPortalPart,
  gateway: createGatewayParts,
};

/** Health and metrics. */
async function createOpsPart(deps: ServingBase): Promise<ListenerPart> {
  const { createOps } = await import('../interfaces/edges/listeners/ops.ts');
  return {
    name: 'ops',
    setting: 'opsPort',
    listener: createOps({ ...deps, elsewhere: deps.linksBeside('ops') }),
  };
}

/** Registers the metrics that do not depend on roles. */
async function registerMetrics(deps: ServingBase): Promise<void> {
  const [{ registerProcessMetrics }, { registerStorageMetrics }] = await Promise.all([
    import('../interfaces/edges/http/metrics/process-metrics.ts'),
    import('../interfaces/edges/http/metrics/storage-metrics.ts'),
  ]);
  const engine = engineOf(deps.db);
  registerProcessMetrics(deps.metrics, { version: VERSION, engine });
  registerStorageMetrics(deps.metrics, {
    load: deps.load,
    sizeBytes: () => diskBytes(deps.db, deps.config.databaseAddress),
    growth: () => dailyGrowth(deps.db),
    tables: engine === 'postgres' ? () => tableSizes(deps.db) : undefined,
    now: () => deps.clock.now(),
    fullAt,
    backupAt: () => lastBackupAt(deps.db),
    freeBytes: freeBytesOf(deps),
  });
}

async function createUserApiPart(deps: ServingBase): Promise<ListenerPart> {
  const [served, { createUserApi }] = await Promise.all([
    createServed(deps),
    import('../interfaces/edges/listeners/user.ts'),
  ]);
  return {
    name: 'user-api',
    setting: 'userApiPort',
    listener: await createUserApi({ ...deps, ...served, elsewhere: deps.linksBeside('user-api') }),
  };
}

async function createOauthPart(deps: ServingBase): Promise<ListenerPart> {
  const [served, { createOauth }] = await Promise.all([
    createServed(deps),
    import('../interfaces/edges/listeners/oauth.ts'),
  ]);
  return {
    name: 'oauth',
    setting: 'oauthPort',
    listener: await createOauth({ ...deps, ...served, elsewhere: deps.linksBeside('oauth') }),
  };
}

async function createPortalPart(deps: ServingBase): Promise<ListenerPart> {
  const [served, { createPortal, portalFault }] = await Promise.all([
    createServed(deps),
    import('../interfaces/edges/listeners/portal.ts'),
  ]);
  deps.watch(() => portalFault());
  return {
    name: 'portal',
    setting: 'portalPort',
    listener: await createPortal({
      ...deps,
      ...served,
      watchStreams: (count) =>
        void declareGauge(deps.metrics, 'helioport_portal_streams', (made) => made.set(count())),
    }),
  };
}

/** The entrances for collectors: HTTP, and the embedded or an external MQTT broker. */
async function createGatewayParts(deps: ServingBase): Promise<readonly ListenerPart[]> {
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
    { createFailureLimit },
  ] = await Promise.all([
    import('../measurements/ingest/ingest.ts'),
    import('../outbound/alarms/reported.ts'),
    import('../fleet/collectors/report.ts'),
    import('../fleet/collectors/limits/limit.ts'),
    import('../interfaces/edges/listeners/gateway.ts'),
    import('../interfaces/edges/http/metrics/storage-metrics.ts'),
    import('../interfaces/edges/http/metrics/liveness-metrics.ts'),
    import('../control/commands/exchange.ts'),
    import('../interfaces/edges/mqtt/inbox.ts'),
    import('../interfaces/edges/listeners/mqtt.ts'),
    import('../interfaces/edges/http/failure-limit.ts'),
  ]);
  const { config, db, clock, ids: newId, metrics, buckets } = deps;
  const perSecond = config.collectorRateLimit;
  const reports = createReports({
    db,
    clock,
    limit: createReportLimit({ buckets, perSecond }),
    beginReadings: createIngest({ ...deps, dayReadings: config.deviceDayReadings }).begin,
    storeAlarms: (sender, alarms) => recordReported({ db, clock, newId }, sender, alarms),
  });
  const takeReport = metering.countingReadings(
    metrics,
    metering.countingReports(metrics, liveness.timingReports(metrics, reports)),
  );
  const limit = createReportLimit({ buckets, perSecond, of: 'command calls' });
  const exchange = commands.createExchange({
    ...deps,
    limit,
    onVerified: liveness.timingCommands(metrics),
  });
  const unknownTokens = createFailureLimit({
    buckets,
    of: 'unknown tokens',
    perMinute: config.authFailureLimit,
  });
  const shared = { ...deps, takeReport, exchange, unknownTokens };
  const listener = await createGateway({ ...shared, elsewhere: deps.linksBeside('gateway') });
  const inbox = createInbox(shared);
  const gateway: ListenerPart = { name: 'gateway', setting: 'gatewayPort', listener };
  const url = config.mqttUrl;
  if (url !== null) {
    const beside = mqtt.besideExternalBroker(listener, { ...shared, inbox, url, files: config });
    deps.watch(() => beside.ailment());
    return [{ ...gateway, listener: beside }];
  }
  const scheme = config.mqttTlsCert === null ? 'mqtt' : 'mqtts';
  return [
    gateway,
    {
      name: 'mqtt',
      setting: 'mqttPort',
      listener: mqtt.createMqtt({ ...shared, inbox, perSecond }),
      scheme,
    },
  ];
}

/** The operations and their handlers. They hold no state, so each listener has its own. */
async function createServed(
  base: ServingBase,
): Promise<{ operations: readonly AnyOperation[]; handlers: Operations }> {
  const [{ operations }, { createOperations }] = await Promise.all([
    import('@helioport/contract'),
    import('../interfaces/operations/index.ts'),
  ]);
  return {
    operations: Object.values(operations),
    handlers: createOperations({
      ...operationSourcesOf(base),
      instance: instanceOf(base),
      patience: { wakeUps: base.wakeUps, limitMs: PATIENCE_MS },
    }),
  };
}

/** The limits that operators see, by the name of their setting. */
const instanceOf = (base: Base): InstanceFacts => ({
  freeBytes: freeBytesOf(base),
  limits: [
    { setting: 'HELIOPORT_RATE_LIMIT', value: base.config.rateLimit },
    { setting: 'HELIOPORT_COLLECTOR_RATE_LIMIT', value: base.config.collectorRateLimit },
    { setting: 'HELIOPORT_AUTH_FAILURE_LIMIT', value: base.config.authFailureLimit },
    { setting: 'HELIOPORT_EVENT_LIMIT', value: base.config.eventLimit },
    { setting: 'HELIOPORT_READING_THINNING', value: base.config.readingThinning?.days ?? null },
    { setting: 'HELIOPORT_READING_RETENTION', value: base.config.readingRetention },
    { setting: 'HELIOPORT_CONTROL_RETENTION', value: base.config.controlRetention },
    { setting: 'HELIOPORT_ALARM_RETENTION', value: base.config.alarmRetention },
  ],
});

/** Reads how much space is free on the disk of the embedded database; undefined if the database is elsewhere. */
const freeBytesOf = ({ config, db }: Base): (() => number) | undefined =>
  engineOf(db) === 'sqlite' ? () => freeBytes(dirname(config.databaseAddress)) : undefined;
