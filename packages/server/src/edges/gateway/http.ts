import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { recordReported } from '../../alarms/reported.ts';
import { findCollectorByToken, type ReportingCollector } from '../../devices/collectors.ts';
import { markPosted } from '../../devices/states.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { IdSource } from '../../kernel/ids.ts';
import type { Db } from '../../storage/database.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { envelopeRenderer, JSON_TYPE } from '../http/errors.ts';
import { observed, type Observability } from '../http/observability.ts';
import { createHttpServer } from '../http/server.ts';
import { inflated, REPORT_BYTES, reportReader, type Report } from './report-body.ts';

export interface GatewayDeps {
  readonly config: { readonly trustedProxies: readonly string[] };
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly ingest: Ingest;
  readonly observability: Observability;
  readonly metrics: Registry;
  readonly isReady: () => Promise<boolean>;
  readonly isUnavailable: (error: unknown) => boolean;
}

/** Where collectors report: `POST /v1/readings` with a collector's token. */
export async function createGateway(deps: GatewayDeps): Promise<FastifyInstance> {
  const { config, db, clock, ids, ingest, observability, metrics, isReady, isUnavailable } = deps;
  const readings = new Counter({
    name: 'helioport_readings_total',
    help: 'Readings reported to the gateway by what became of them',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const server = createHttpServer({
    listener: 'gateway',
    observability,
    isReady,
    isUnavailable,
    trustedProxies: config.trustedProxies,
    bodyLimitBytes: REPORT_BYTES,
    renderFailure: envelopeRenderer({ challenge: ({ code }) => (code === 'notAuthenticated' ? 'Bearer' : undefined) }),
  });
  const collectors = new WeakMap<FastifyRequest, ReportingCollector>();

  server.post('/v1/readings', {
    // Before the body is read: a stranger does not get to send 8 MiB.
    onRequest: async (request, reply) => {
      observed(reply).operationId = 'readings';
      const collector = await findCollector(db, request.headers.authorization);
      reportReader(request.headers['content-type']);
      collectors.set(request, collector);
    },
    handler: async (request, reply) => {
      const report = await readReport(request);
      const collector = collectors.get(request)!;
      const answer = await ingest({ collectorId: collector.id }, report.readings);
      const alarms = report.alarms && (await recordReported({ db, clock, newId: ids }, collector.id, report.alarms));
      await markPosted(db, collector, clock.now());
      readings.inc({ outcome: 'accepted' }, answer.accepted);
      readings.inc({ outcome: 'duplicate' }, answer.duplicate);
      readings.inc({ outcome: 'refused' }, answer.refused.length);
      return reply.header('Content-Type', JSON_TYPE).send(JSON.stringify({ ...answer, alarms }));
    },
  });
  return server;
}

const BEARER = /^Bearer +([A-Za-z0-9]{20,200})$/i;

/** Asked anew for every report, so that a withdrawn token ends at once. Throws notAuthenticated. */
async function findCollector(db: Db, authorization: string | undefined): Promise<ReportingCollector> {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Failure('notAuthenticated', { message: 'send Authorization: Bearer <token of the collector>' });
  const collector = await findCollectorByToken(db, token);
  if (!collector) throw new Failure('notAuthenticated', { message: 'no collector has this token' });
  return collector;
}

async function readReport({ headers, body }: FastifyRequest): Promise<Report> {
  const read = reportReader(headers['content-type']);
  return read(await inflated(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['content-encoding']));
}
