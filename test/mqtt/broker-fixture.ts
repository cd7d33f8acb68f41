import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, vi } from 'vitest';
import { recordReported } from '../../packages/server/src/outbound/alarms/reported.ts';
import { createReportLimit } from '../../packages/server/src/fleet/collectors/limits/limit.ts';
import { createReports } from '../../packages/server/src/fleet/collectors/report.ts';
import {
  createExchange,
  type CommandExchange,
} from '../../packages/server/src/control/commands/exchange.ts';
import { createFailureLimit } from '../../packages/server/src/interfaces/edges/http/failure-limit.ts';
import {
  createObservability,
  type Observability,
} from '../../packages/server/src/interfaces/edges/http/observability.ts';
import {
  createMqtt,
  type MqttConfig,
} from '../../packages/server/src/interfaces/edges/listeners/mqtt.ts';
import {
  BROKER_LIMITS,
  type BrokerLimits,
} from '../../packages/server/src/interfaces/edges/mqtt/broker.ts';
import {
  joinBroker,
  type ExternalBroker,
} from '../../packages/server/src/interfaces/edges/mqtt/external.ts';
import { createInbox, type Inbox } from '../../packages/server/src/interfaces/edges/mqtt/inbox.ts';
import { createIngest, type Ingest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { WakeUps } from '../../packages/server/src/platform/storage/wake-ups/port.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import type { SchemaWatch } from '../../packages/server/src/platform/storage/newer-schema.ts';
import { schemaOf } from '../storage/schema-watch.ts';

/** What a server on a database needs of MQTT. */
export interface MqttOver {
  readonly db: Db;
  readonly clock: Clock;
  readonly wakeUps: Pick<WakeUps, 'on'>;
  /** Reports of each collector. */
  readonly perSecond?: number | null;
  readonly ingest?: Pick<Ingest, 'begin'>;
  /** Tokens that nobody has, from each network. */
  readonly failuresPerMinute?: number | null;
}

export interface MqttParts {
  readonly inbox: Inbox;
  readonly exchange: CommandExchange;
  readonly schema: SchemaWatch;
  readonly metrics: Registry;
  readonly observability: Observability;
  /** Every line that was logged. */
  readonly log: string[];
}

/** A connection to an external broker without certificates of one’s own. */
export const NO_FILES = { mqttTlsCa: null, mqttTlsCert: null, mqttTlsKey: null };

export function mqttParts({ db, clock, wakeUps, perSecond = null, ingest }: MqttOver): MqttParts {
  const log: string[] = [];
  const metrics = new Registry();
  const observability = createObservability({
    logger: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    registry: metrics,
  });
  const exchange = createExchange({
    db,
    clock,
    limit: createReportLimit({ buckets: ownBuckets(clock), perSecond }),
    wakeUps,
  });
  const schema = schemaOf(db);
  const takeReport = createReports({
    db,
    clock,
    limit: createReportLimit({ buckets: ownBuckets(clock), perSecond }),
    beginReadings: (ingest ?? createIngest({ db, clock, series: createSqlSeries(db) })).begin,
    storeAlarms: (sender, alarms) =>
      recordReported({ db, clock, newId: createIdSource(clock) }, sender, alarms),
  });
  return {
    inbox: createInbox({
      db,
      clock,
      takeReport,
      exchange,
      observability,
      isUnavailable: isStorageAway,
      schema,
    }),
    schema,
    exchange,
    metrics,
    observability,
    log,
  };
}

export interface OpenBroker extends MqttParts {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** The embedded broker, listening on a free port; unless set otherwise, it refuses at once. */
export async function openBroker(
  over: MqttOver,
  {
    limits = {},
    config = { mqttTlsCert: null, mqttTlsKey: null, mqttStrangers: 1_000 },
  }: { limits?: Partial<BrokerLimits>; config?: MqttConfig } = {},
): Promise<OpenBroker> {
  const parts = mqttParts(over);
  const listener = createMqtt({
    ...over,
    ...parts,
    ids: createIdSource(over.clock),
    perSecond: over.perSecond ?? null,
    buckets: ownBuckets(over.clock),
    unknownTokens: createFailureLimit({
      of: 'unknown tokens',
      buckets: ownBuckets(over.clock),
      perMinute: over.failuresPerMinute ?? null,
    }),
    config,
    limits: { ...BROKER_LIMITS, refusalMs: 0, ...limits },
  });
  await listener.listen({ host: '127.0.0.1', port: 0 });
  const { port } = listener.server.address() as AddressInfo;
  return {
    ...parts,
    port,
    url: `mqtt://127.0.0.1:${port}`,
    async close() {
      parts.exchange.close();
      await listener.close();
    },
  };
}

/** A server on a database that is connected to an external broker, once it receives what arrives there. */
export async function joinExternal(over: MqttOver, url: string): Promise<ExternalBroker> {
  const parts = mqttParts(over);
  const joined = joinBroker({ ...over, ...parts, url, files: NO_FILES });
  await vi.waitFor(
    async () =>
      expect(
        await parts.metrics.getSingleMetricAsString('helioport_mqtt_broker_connected'),
      ).toMatch(/^helioport_mqtt_broker_connected 1$/m),
    60_000,
  );
  return joined;
}
