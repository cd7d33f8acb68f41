import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { recordReported } from '../../packages/server/src/outbound/alarms/reported.ts';
import { createReportLimit } from '../../packages/server/src/fleet/collectors/limits/limit.ts';
import { createReports } from '../../packages/server/src/fleet/collectors/report.ts';
import { createGateway } from '../../packages/server/src/interfaces/edges/listeners/gateway.ts';
import { createExchange } from '../../packages/server/src/control/commands/exchange.ts';
import type { WakeUps } from '../../packages/server/src/platform/storage/wake-ups/port.ts';
import { createFailureLimit } from '../../packages/server/src/interfaces/edges/http/failure-limit.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { countingReadings } from '../../packages/server/src/interfaces/edges/http/metrics/storage-metrics.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { Ingest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { settableClock } from '../support/world.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { schemaOf } from '../storage/schema-watch.ts';

/** The gateway over a database, not listening; `log` holds every line it logged. */
export async function openGateway(
  db: Db,
  ingest: Pick<Ingest, 'begin'>,
  clock = settableClock('2026-06-15T12:00:00Z'),
  perSecond: number | null = null,
  wakeUps?: Pick<WakeUps, 'on'>,
  failuresPerMinute: number | null = null,
): Promise<{ server: FastifyInstance; log: string[]; metrics: Registry; pauses: number[] }> {
  const log: string[] = [];
  const pauses: number[] = [];
  const metrics = new Registry();
  const observability = createObservability({
    logger: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    registry: metrics,
  });
  const server = await createGateway({
    buckets: ownBuckets(clock),
    config: { trustedProxies: [], gatewayUrl: 'http://localhost:8083' },
    schema: schemaOf(db),
    db,
    clock,
    unknownTokens: createFailureLimit({
      of: 'unknown tokens',
      buckets: ownBuckets(clock),
      perMinute: failuresPerMinute,
    }),
    takeReport: countingReadings(
      metrics,
      createReports({
        db,
        clock,
        limit: createReportLimit({ buckets: ownBuckets(clock), perSecond }),
        beginReadings: ingest.begin,
        storeAlarms: (sender, alarms) =>
          recordReported({ db, clock, newId: createIdSource(clock) }, sender, alarms),
      }),
    ),
    exchange: createExchange({
      db,
      clock,
      limit: createReportLimit({ buckets: ownBuckets(clock), perSecond }),
      wakeUps,
    }),
    pause: async (ms) => {
      await setImmediate();
      pauses.push(ms);
    },
    observability,
    isReady: async () => true,
    isUnavailable: isStorageAway,
  });
  return { server, log, metrics, pauses };
}
