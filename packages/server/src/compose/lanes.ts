import { DAY_MS } from '@helioport/contract/durations';
import { sweepPageEnds } from '../identity/accounts/page-ends.ts';
import { fleetParts } from '../outbound/alarms/due-devices.ts';
import { sweepAudit } from '../identity/accounts/audit.ts';
import { MAIL_TOKEN } from '../identity/accounts/mail-tokens/request.ts';
import { sweepSupport } from '../identity/accounts/support.ts';
import { sweepMailTokens } from '../identity/accounts/mail-tokens/tokens.ts';
import { removeClosed } from '../data-rights/closing/remove.ts';
import { createClosing } from '../data-rights/closing/run.ts';
import { CLOSING } from '../data-rights/closing/step.ts';
import { createWatch } from '../outbound/alarms/watch.ts';
import { pruneLog, type Retention } from '../platform/events/prune.ts';
import { EXPORT, sweepExports } from '../data-rights/exports/rows.ts';
import { pruneDeadLetters } from '../outbound/forwarding/destinations/reports.ts';
import { FORWARD } from '../outbound/forwarding/destinations/shards.ts';
import { SEND_MAIL, type Outbox } from '../identity/mail/outbox.ts';
import { sweepCommands, sweepReads } from '../control/commands/history.ts';
import { sweepStrategies } from '../control/strategies/sweep.ts';
import { sweepAlarms } from '../outbound/alarms/sweep.ts';
import { readingsKeptOf } from '../platform/config/load.ts';
import type { ReadingThinning } from '@helioport/contract/reading-retention';
import { COMMAND_TIME, STRATEGY_DEVICE } from '../control/commands/open-commands.ts';
import { createCommandTime } from '../control/commands/time.ts';
import { noteSize } from '../platform/storage/checks/growth.ts';
import { createReadingRetention } from '../measurements/ingest/retention.ts';
import { createIngest } from '../measurements/ingest/ingest.ts';
import { createWaitingDelivery } from '../measurements/ingest/waiting.ts';
import { DELIVER_WAITING, sweepWaiting } from '../fleet/devices/waiting-readings.ts';
import { createRecalculation } from '../measurements/ingest/recalculation/recalculate.ts';
import type { IdSource } from '../platform/kernel/ids.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import { sweepOauth } from '../identity/oauth/housekeeping.ts';
import { createLossesLane, LOSSES_LANE } from '../outbound/performance/lane.ts';
import { createWeatherLane, WEATHER_LANE } from '../measurements/weather/lane.ts';
import type { Egress } from '../platform/egress/egress.ts';
import { foldCounts } from '../fleet/plants/fleet/fold-counts.ts';
import { sweepCompanyInvitations } from '../fleet/plants/companies/invitations.ts';
import { sweepEnded } from '../fleet/plants/ended-access.ts';
import { sweepInvitations } from '../fleet/plants/invitations/list.ts';
import { RECALCULATE } from '../fleet/plants/tariffs/recalculation.ts';
import type { Series } from '../measurements/series/port.ts';
import type { DatabaseClock } from '../platform/storage/database-clock.ts';
import type { FigureCaches } from '../measurements/figures/sources.ts';
import type { Telemetry } from '../measurements/telemetry/telemetry.ts';
import type { Db } from '../platform/storage/database.ts';
import { createStrategyDevices } from '../control/strategies/device/run.ts';
import { createSetPoints, SET_POINTS } from '../control/strategies/set-points.ts';
import { createStrategyWatch, STRATEGY_WATCH } from '../control/strategies/watch.ts';
import {
  createRankingFigures,
  RANKING_LANE,
} from '../measurements/figures/plant/ranking-figures.ts';
import type { LaneHandler, Lanes, Run } from '../platform/work/lane.ts';

export interface LaneDeps {
  readonly db: Db;
  readonly clock: DatabaseClock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly series: Series;
  readonly telemetry: Telemetry;
  readonly caches: FigureCaches;
  readonly config: {
    /** In days. */
    readonly auditRetention: number;
    /** In days. */
    readonly eventRetention: number;
    /** The number of entries of the event log. */
    readonly eventLimit: number;
    /** In days; null = for ever. */
    readonly readingRetention: number | null;
    readonly readingThinning: ReadingThinning | null;
    readonly weatherUrl: string | null;
    readonly weatherLicence: string | null;
    /** In days; null = for ever. */
    readonly controlRetention: number | null;
    /** In days; null = for ever. */
    readonly alarmRetention: number | null;
  };
  readonly egress: Egress;
  /** Where e-mails of the service's own wait; null = none are sent. */
  readonly outbox: Outbox | null;
  /** Sends e-mails, and answers requests for links in them; undefined if the operator has set no SMTP server. */
  readonly mail: { readonly send: LaneHandler; readonly answerTokens: LaneHandler } | undefined;
  /** Writes exports of what accounts have. */
  readonly writeExports: LaneHandler;
  /** The work of telling people and their programs of alarms and weeks. */
  readonly notifications: Lanes;
  /** Delivers events to destinations. */
  readonly forward: LaneHandler;
}

const ROWS_AT_ONCE = 500;
/** Of exports, some 256 KiB each. */
const CHUNKS_AT_ONCE = 20;

/** Deletes data that was kept for readers: where pages ended, values read from devices, and events that can be sent again. */
const sweepReading = async (db: Db, now: number, events: Retention): Promise<number> =>
  (await sweepPageEnds(db, now, ROWS_AT_ONCE)) +
  (await sweepReads(db, now, ROWS_AT_ONCE)) +
  (await pruneLog(db, events, ROWS_AT_ONCE)) +
  (await pruneDeadLetters(db, events.before, ROWS_AT_ONCE));

/** Every kind of work. Those listed first start first. Places are few, because runs share the pool of database connections with requests. */
export function createLanes({
  db,
  clock,
  ids,
  logger,
  egress,
  series,
  telemetry,
  caches,
  config,
  outbox,
  mail,
  writeExports,
  notifications,
  forward,
}: LaneDeps): Lanes {
  const { auditRetention, eventRetention, eventLimit, controlRetention, alarmRetention } = config;
  const eventsKept = (): Retention => ({
    before: clock.now() - eventRetention * DAY_MS,
    entries: eventLimit,
  });
  /** Continues at once while there is something left. */
  const inBatches = (batch: (run: Run) => Promise<number>): LaneHandler => ({
    run: async (run) => ((await batch(run)) > 0 ? { dueAt: clock.now() } : undefined),
  });
  const daysAgo = (days: number): number => clock.now() - days * DAY_MS;
  const sweeps: Record<string, (run: Run) => Promise<number>> = {
    reading: () => sweepReading(db, clock.now(), eventsKept()),
    exports: () => sweepExports(db, clock.now(), CHUNKS_AT_ONCE),
    companyInvitations: () => sweepCompanyInvitations(db, clock.now(), ROWS_AT_ONCE),
    invitations: () => sweepInvitations(db, clock.now(), ROWS_AT_ONCE),
    closed: () => removeClosed({ db, clock, ids }),
    endedAccess: () => sweepEnded(db, clock.now(), ROWS_AT_ONCE),
    waitingReadings: () => sweepWaiting(db, clock.now(), ROWS_AT_ONCE),
    mailTokens: () => sweepMailTokens(db, clock.now(), ROWS_AT_ONCE),
    support: () => sweepSupport(db, daysAgo(auditRetention), ROWS_AT_ONCE),
    size: () => noteSize(db, clock.now()).then(() => 0),
    audit: () => sweepAudit(db, daysAgo(auditRetention), ROWS_AT_ONCE),
    ...(controlRetention !== null && {
      commands: () => sweepCommands(db, daysAgo(controlRetention), ROWS_AT_ONCE),
      strategies: ({ transaction }) =>
        transaction((trx) => sweepStrategies(trx, daysAgo(controlRetention), ROWS_AT_ONCE)),
    }),
    ...(alarmRetention !== null && {
      alarms: ({ transaction }) =>
        transaction((trx) => sweepAlarms(trx, daysAgo(alarmRetention), ROWS_AT_ONCE)),
    }),
  };
  return {
    watch: {
      runsAtOnce: 2,
      limitSeconds: 30,
      everySeconds: 10,
      keys: fleetParts,
      ...createWatch({ db, clock, logger, newId: ids, telemetry }),
    },
    [COMMAND_TIME]: { runsAtOnce: 1, limitSeconds: 10, ...createCommandTime({ db, clock }) },
    [STRATEGY_DEVICE]: {
      runsAtOnce: 1,
      limitSeconds: 10,
      ...createStrategyDevices({ db, clock, ids, telemetry }),
    },
    [STRATEGY_WATCH]: {
      runsAtOnce: 1,
      limitSeconds: 30,
      ...createStrategyWatch({ db, clock, ids }),
    },
    [SET_POINTS]: { runsAtOnce: 1, limitSeconds: 60, ...createSetPoints({ db, clock, telemetry }) },
    // A part of the destinations each; they hold no connection while they wait for peers.
    [FORWARD]: { runsAtOnce: 4, limitSeconds: 60, ...forward },
    ...(mail && {
      [SEND_MAIL]: { runsAtOnce: 4, limitSeconds: 60, ...mail.send },
      [MAIL_TOKEN]: { runsAtOnce: 2, limitSeconds: 20, ...mail.answerTokens },
    }),
    [EXPORT]: { runsAtOnce: 1, limitSeconds: 120, ...writeExports },
    ...notifications,
    [CLOSING]: { runsAtOnce: 1, limitSeconds: 60, ...createClosing({ clock, ids, outbox }) },
    [RECALCULATE]: {
      runsAtOnce: 2,
      limitSeconds: 30,
      ...createRecalculation({ db, clock, series }),
    },
    [DELIVER_WAITING]: {
      runsAtOnce: 1,
      limitSeconds: 60,
      ...createWaitingDelivery({ db, clock, ingest: createIngest({ db, clock, series }) }),
    },
    [RANKING_LANE]: {
      runsAtOnce: 1,
      limitSeconds: 30,
      everySeconds: 10,
      ...createRankingFigures({ db, clock, logger, telemetry, caches }),
    },
    [LOSSES_LANE]: {
      runsAtOnce: 1,
      limitSeconds: 60,
      everySeconds: 10,
      ...createLossesLane({
        db,
        clock,
        logger,
        telemetry,
        caches,
        isWeatherAsked: config.weatherUrl !== null,
      }),
    },
    ...(config.weatherUrl !== null && {
      [WEATHER_LANE]: {
        runsAtOnce: 1,
        limitSeconds: 60,
        everySeconds: 60,
        ...createWeatherLane({
          db,
          clock,
          egress,
          logger,
          source: { template: config.weatherUrl, licence: config.weatherLicence ?? '' },
        }),
      },
    }),
    // Only where the series share the database's transactions.
    ...(series?.thin && {
      retention: {
        runsAtOnce: 1,
        limitSeconds: 60,
        everySeconds: 600,
        ...createReadingRetention({ db, clock, series, kept: readingsKeptOf(config) }),
      },
    }),
    foldCounts: {
      runsAtOnce: 1,
      limitSeconds: 30,
      everySeconds: 10,
      ...inBatches(({ transaction }) => foldCounts(db, ROWS_AT_ONCE, transaction)),
    },
    sweepOauth: {
      runsAtOnce: 1,
      limitSeconds: 30,
      everySeconds: 30,
      ...inBatches(() => sweepOauth(db, clock.now(), ids)),
    },
    // Anybody may delete expired rows at any time, so sweeps need no lease; they take turns in one place.
    sweep: {
      runsAtOnce: 1,
      limitSeconds: 30,
      everySeconds: 600,
      keys: Object.keys(sweeps),
      ...inBatches((run) => sweeps[run.key]!(run)),
    },
  };
}
