import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createGateway } from '../../packages/server/src/edges/gateway/http.ts';
import { createObservability } from '../../packages/server/src/edges/http/observability.ts';
import { isStorageAway } from '../../packages/server/src/storage/away.ts';
import { createIdSource } from '../../packages/server/src/kernel/ids.ts';
import type { Db } from '../../packages/server/src/storage/database.ts';
import type { Ingest } from '../../packages/server/src/ingest/ingest.ts';
import { settableClock } from '../support/world.ts';

/** The gateway over a database, not listening; `log` holds every line it logged. */
export async function openGateway(
  db: Db,
  ingest: Ingest,
  clock = settableClock('2026-06-15T12:00:00Z'),
): Promise<{ server: FastifyInstance; log: string[]; metrics: Registry }> {
  const log: string[] = [];
  const metrics = new Registry();
  const observability = createObservability({ logger: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }), registry: metrics });
  const server = await createGateway({
    config: { trustedProxies: [] },
    db,
    clock,
    ids: createIdSource(clock),
    ingest,
    observability,
    metrics,
    isReady: async () => true,
    isUnavailable: isStorageAway,
  });
  return { server, log, metrics };
}
