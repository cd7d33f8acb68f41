import { dirname } from 'node:path';
import type { RequestValues } from '@helioport/reference';
import type { Registry } from 'prom-client';
import { freeBytes } from './platform/config/data-folder.ts';
import type { FactorSources } from './identity/accounts/factors/factor-sources.ts';
import type { Config, Role } from './platform/config/load.ts';
import type { Link } from './interfaces/edges/http/front.ts';
import type { AnyOperation } from './interfaces/edges/http/mount.ts';
import type { Observability } from './interfaces/edges/http/observability.ts';
import type { Part, PartName } from './interfaces/edges/listeners/listener.ts';
import type { FigureCaches } from './measurements/figures/sources.ts';
import type { Egress } from './platform/egress/egress.ts';
import type { Clock } from './platform/kernel/clock.ts';
import type { IdSource } from './platform/kernel/ids.ts';
import type { Logger } from './platform/kernel/logger.ts';
import type { SecretBox } from './platform/kernel/secrets.ts';
import type { Siblings } from './platform/kernel/siblings.ts';
import type { OpenBuckets } from './platform/kernel/token-buckets.ts';
import { VERSION } from './platform/kernel/version.ts';
import type { NewsDeps } from './outbound/notifications/messages/deps.ts';
import type { CredentialSources, InstanceFacts } from './interfaces/operations/dependencies.ts';
import type { Operations } from './interfaces/operations/index.ts';
import type { Series } from './measurements/series/port.ts';
import type { Db } from './platform/storage/database.ts';
import { createDatabaseClock } from './platform/storage/database-clock.ts';
import { engineOf } from './platform/storage/engine.ts';
import type { PoolLoad } from './platform/storage/postgres/watched-pool.ts';
import type { WakeUps } from './platform/storage/wake-ups/port.ts';
import type { Handler, Lanes } from './platform/work/lane.ts';
import type { Runner } from './platform/work/runner.ts';

/** How long a caller waits for a device: existing clients give up after 10 s. */
const PATIENCE_MS = 7_500;

/** What is wrong with something, in one sentence; undefined = nothing. */
export type Ailment = () => string | undefined;

/** The dependencies of the parts. */
export interface PartDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly db: Db;
  /** One per database: it caches the field lists. */
  readonly series: Series;
  readonly caches: FigureCaches;
  readonly secretBox: SecretBox;
  readonly factors: FactorSources;
  readonly egress: Egress;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly observability: Observability;
  readonly requestValues: (() => Promise<RequestValues | undefined>) | undefined;
  readonly demoOwner: (() => Promise<string | undefined>) | undefined;
  readonly siblings: Siblings | undefined;
  readonly buckets: OpenBuckets;
  /** The links to other listeners that the listener of this name shows at `/`. */
  linksBeside(name: PartName): readonly Link[];
  readonly wakeUps: WakeUps;
  /** The use of the connections to the database. */
  load(): PoolLoad;
  isReady(): Promise<boolean>;
  ailments(): Promise<readonly string[]>;
  /** Adds something that may be wrong although requests are served. */
  watch(read: Ailment): void;
  isUnavailable(error: unknown): boolean;
}

/** Makes the parts of each role that listens. Each is imported when it is created: a process with few roles starts faster and stays smaller. */
export const partMakers: {
  readonly [Name in Role]?: (deps: PartDeps) => Promise<Part | readonly Part[]>;
} = {
  'user-api': createUserApiPart,
  oauth: createOauthPart,
  portal: createPortalPart,
  gateway: createGatewayParts,
};

/** Health and metrics. */
export async function createOpsPart(deps: PartDeps): Promise<Part> {
  const { createOps } = await import('./interfaces/edges/listeners/ops.ts');
  return {
    name: 'ops',
    setting: 'opsPort',
    listener: createOps({ ...deps, elsewhere: deps.linksBeside('ops') }),
  };
}

/** Registers the metrics that do not depend on roles. */
export async function registerMetrics(deps: PartDeps): Promise<void> {
  const [{ registerProcessMetrics }, { registerStorageMetrics }] = await Promise.all([
    import('./interfaces/edges/http/metrics/process-metrics.ts'),
    import('./interfaces/edges/http/metrics/storage-metrics.ts'),
  ]);
  const engine = engineOf(deps.db);
  registerProcessMetrics(deps.metrics, { version: VERSION, engine });
  registerStorageMetrics(deps.metrics, {
    load: deps.load,
    freeBytes:
      engine === 'sqlite' ? () => freeBytes(dirname(deps.config.databaseAddress)) : undefined,
  });
}

async function createUserApiPart(deps: PartDeps): Promise<Part> {
  const [served, { createUserApi }] = await Promise.all([
    createServed(deps),
    import('./interfaces/edges/listeners/user.ts'),
  ]);
  return {
    name: 'user-api',
    setting: 'userApiPort',
    listener: await createUserApi({ ...deps, ...served, elsewhere: deps.linksBeside('user-api') }),
  };
}

async function createOauthPart(deps: PartDeps): Promise<Part> {
  const [served, { createOauth }] = await Promise.all([
    createServed(deps),
    import('./interfaces/edges/listeners/oauth.ts'),
  ]);
  return {
    name: 'oauth',
    setting: 'oauthPort',
    listener: await createOauth({ ...deps, ...served, elsewhere: deps.linksBeside('oauth') }),
  };
}

async function createPortalPart(deps: PartDeps): Promise<Part> {
  const [served, { createPortal, portalFault }] = await Promise.all([
    createServed(deps),
    import('./interfaces/edges/listeners/portal.ts'),
  ]);
  deps.watch(() => portalFault());
  return {
    name: 'portal',
    setting: 'portalPort',
    listener: await createPortal({ ...deps, ...served }),
  };
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
    { createFailureLimit },
  ] = await Promise.all([
    import('./measurements/ingest/ingest.ts'),
    import('./outbound/alarms/reported.ts'),
    import('./fleet/collectors/report.ts'),
    import('./fleet/collectors/limit.ts'),
    import('./interfaces/edges/listeners/gateway.ts'),
    import('./interfaces/edges/http/metrics/storage-metrics.ts'),
    import('./interfaces/edges/http/metrics/liveness-metrics.ts'),
    import('./control/commands/exchange.ts'),
    import('./interfaces/edges/mqtt/inbox.ts'),
    import('./interfaces/edges/listeners/mqtt.ts'),
    import('./interfaces/edges/http/failure-limit.ts'),
  ]);
  const { config, db, clock, ids: newId, metrics, buckets } = deps;
  const perSecond = config.collectorRateLimit;
  const reports = createReports({
    db,
    clock,
    limit: createReportLimit({ clock, buckets, perSecond }),
    beginReadings: createIngest({ ...deps, dayReadings: config.deviceDayReadings }).begin,
    storeAlarms: (sender, alarms) => recordReported({ db, clock, newId }, sender, alarms),
  });
  const takeReport = metering.countingReadings(
    metrics,
    metering.countingReports(metrics, liveness.timingReports(metrics, reports)),
  );
  const limit = createReportLimit({ clock, buckets, perSecond, of: 'command calls' });
  const exchange = commands.createExchange({
    ...deps,
    limit,
    onVerified: liveness.timingCommands(metrics),
  });
  const unknownTokens = createFailureLimit({
    clock,
    buckets,
    of: 'unknown tokens',
    perMinute: config.authFailureLimit,
  });
  const shared = { ...deps, takeReport, exchange, unknownTokens };
  const listener = await createGateway({ ...shared, elsewhere: deps.linksBeside('gateway') });
  const inbox = createInbox(shared);
  const gateway: Part = { name: 'gateway', setting: 'gatewayPort', listener };
  const url = config.mqttUrl;
  if (url !== null) {
    const beside = mqtt.besideExternalBroker(listener, { ...shared, inbox, url });
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

/** Scheduled work, forwarding included. */
export async function createWorkerPart(deps: PartDeps): Promise<Runner> {
  const [
    { createWorker },
    { registerWorkMetrics },
    { countTasks },
    { openSink },
    { registerForwardingMetrics },
    { listDestinations },
    { findHeld },
  ] = await Promise.all([
    import('./worker.ts'),
    import('./interfaces/edges/http/metrics/work-metrics.ts'),
    import('./platform/work/queue.ts'),
    import('./outbound/sinks/open.ts'),
    import('./interfaces/edges/http/metrics/forwarding-metrics.ts'),
    import('./outbound/forwarding/destinations/reports.ts'),
    import('./platform/events/held.ts'),
  ]);
  const { db, metrics, logger } = deps;
  const clock = createDatabaseClock(db, deps.clock);
  const { onAbandoned } = registerWorkMetrics(metrics, () => countTasks(db, clock.now()));
  registerForwardingMetrics(metrics, {
    destinations: () => listDestinations(db, clock.now(), {}),
    heldSeconds: async () => {
      const held = await findHeld(db);
      return held ? Math.max(0, clock.now() - held.since) / 1000 : 0;
    },
  });
  return createWorker({
    ...deps,
    clock,
    onAbandoned,
    sendMail: await createMailDelivery(deps, clock),
    answerMailTokens: await createMailTokenWork(deps, clock),
    outbox: (await newsOf(deps)).outbox,
    writeExports: createExportWriter(deps, clock),
    news: await createNewsWork(deps, clock),
    openSink: (destination) =>
      openSink(destination, { egress: deps.egress, clock: deps.clock, logger }),
  });
}

/** Writes exports. What it asks is imported with the first export. */
function createExportWriter(deps: PartDeps, clock: Clock): Handler {
  const create = async (): Promise<Handler> => {
    const [{ createExports }, { askAs }, { createTelemetry }, { handlers }] = await Promise.all([
      import('./data-rights/exports/job.ts'),
      import('./interfaces/operations/as-account.ts'),
      import('./measurements/telemetry/create-telemetry.ts'),
      createServed(deps),
    ]);
    return createExports({
      db: deps.db,
      clock,
      ids: deps.ids,
      telemetry: createTelemetry(deps),
      askAs: askAs(handlers),
    });
  };
  let created: Promise<Handler> | undefined;
  return { run: async (run) => (await (created ??= create())).run(run) };
}

/** Sends e-mails, if the operator has set an SMTP server. */
async function createMailDelivery(deps: PartDeps, clock: Clock): Promise<Handler | undefined> {
  const { smtpUrl: url, mailFrom: from } = deps.config;
  if (url === null || from === null) return undefined;
  const [{ createDelivery }, { createSmtp }, { registerMailMetrics }, { readOutbox }] =
    await Promise.all([
      import('./identity/mail/delivery.ts'),
      import('./identity/mail/smtp.ts'),
      import('./interfaces/edges/http/metrics/mail-metrics.ts'),
      import('./identity/mail/outbox.ts'),
    ]);
  const { onOutcome } = registerMailMetrics(deps.metrics, () => readOutbox(deps.db));
  return createDelivery({ ...deps, clock, smtp: createSmtp({ url, from }), onOutcome });
}

/** Answers requests for links in e-mails, if the operator has set an SMTP server. */
async function createMailTokenWork(deps: PartDeps, clock: Clock): Promise<Handler | undefined> {
  const { outbox, portalUrl } = await newsOf(deps);
  if (!outbox) return undefined;
  const { createMailTokenAnswers } = await import('./identity/accounts/mail-tokens/answer.ts');
  return createMailTokenAnswers({ ...deps, clock, outbox, portalUrl });
}

/** What news of plants are sent with. Without an SMTP server, there are no e-mails. */
async function newsOf({
  config,
  ids,
  secretBox,
}: PartDeps): Promise<Pick<NewsDeps, 'outbox' | 'portalUrl'>> {
  const { createOutbox } = await import('./identity/mail/outbox.ts');
  return {
    outbox: config.smtpUrl === null ? null : createOutbox({ ids, secretBox }),
    portalUrl: config.portalUrl,
  };
}

async function createNewsWork(deps: PartDeps, clock: Clock): Promise<Lanes> {
  const [{ createNewsLanes }, { createTelemetry }] = await Promise.all([
    import('./outbound/notifications/lanes.ts'),
    import('./measurements/telemetry/create-telemetry.ts'),
  ]);
  return createNewsLanes({
    ...deps,
    ...(await newsOf(deps)),
    clock,
    telemetry: createTelemetry(deps),
  });
}

/** The operations and their handlers; they hold no state, so each listener has its own. */
async function createServed(
  deps: PartDeps,
): Promise<{ operations: readonly AnyOperation[]; handlers: Operations }> {
  const [{ operations }, { createOperations }, { createTelemetry }] = await Promise.all([
    import('@helioport/contract'),
    import('./interfaces/operations/index.ts'),
    import('./measurements/telemetry/create-telemetry.ts'),
  ]);
  return {
    operations: Object.values(operations),
    handlers: createOperations({
      ...deps,
      telemetry: createTelemetry(deps),
      credentials: credentialsOf(deps),
      outbound: deps,
      closedRetention: deps.config.closedRetention,
      news: await newsOf(deps),
      instance: instanceOf(deps),
      patience: { wakeUps: deps.wakeUps, limitMs: PATIENCE_MS },
    }),
  };
}

/** The limits that operators see, by the name of their setting. */
const instanceOf = ({ config, db }: PartDeps): InstanceFacts => ({
  ...(engineOf(db) === 'sqlite' && { freeBytes: () => freeBytes(dirname(config.databaseAddress)) }),
  limits: [
    { setting: 'HELIOPORT_RATE_LIMIT', value: config.rateLimit },
    { setting: 'HELIOPORT_COLLECTOR_RATE_LIMIT', value: config.collectorRateLimit },
    { setting: 'HELIOPORT_AUTH_FAILURE_LIMIT', value: config.authFailureLimit },
    { setting: 'HELIOPORT_EVENT_LIMIT', value: config.eventLimit },
  ],
});

const credentialsOf = ({
  factors: { secretBox, passkeys },
  config: { legacyLogin, defaultTimeZone },
}: PartDeps): CredentialSources => ({
  secretBox: async () => secretBox,
  passkeys,
  legacyLogin,
  defaultTimeZone,
});
