import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Counter, type Registry } from 'prom-client';
import { authenticateCollector, type ReportingCollector } from '../../collectors/authenticate.ts';
import { REPORT_BYTES } from '../../collectors/parts.ts';
import type { RawReport } from '../../collectors/read-report.ts';
import type { TakeReport } from '../../collectors/report.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Db } from '../../storage/database.ts';
import { JSON_TYPE } from '../http/errors.ts';
import { observed } from '../http/observability.ts';
import { refuseRepeated } from '../http/request-head.ts';
import { bytesOf, formatOf, isCompressed } from './report-body.ts';

export interface GatewayDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly takeReport: TakeReport;
  readonly metrics: Registry;
}

/** The gateway's route: collectors post readings to `/v1/readings` with their token. */
export const gateway =
  ({ db, clock, takeReport, metrics }: GatewayDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const readings = new Counter({
      name: 'helioport_readings_total',
      help: 'Readings reported to the gateway, by outcome',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    const collectors = new WeakMap<FastifyRequest, ReportingCollector>();

    server.post('/v1/readings', {
      // Authenticates before the body is read, so that a stranger's body is not accepted at all.
      onRequest: async (request, reply) => {
        observed(reply).operationId = 'readings';
        refuseRepeated(request.raw, 'Authorization');
        const collector = await authenticateCollector(db, tokenOf(request.headers.authorization), clock.now());
        formatOf(request.headers['content-type']);
        isCompressed(request.headers['content-encoding']);
        if (Number(request.headers['content-length']) > REPORT_BYTES) throw new Failure('tooLarge', { message: 'a report may have at most 8 MiB' });
        collectors.set(request, collector);
      },
      handler: async (request, reply) => {
        const answer = await takeReport(collectors.get(request)!, rawReport(request));
        readings.inc({ outcome: 'accepted' }, answer.accepted);
        readings.inc({ outcome: 'duplicate' }, answer.duplicate);
        readings.inc({ outcome: 'refused' }, answer.refused.length);
        return reply.header('Content-Type', JSON_TYPE).send(JSON.stringify(answer));
      },
    });
  };

// Accepts any text after `Bearer`: one that is not a token of ours belongs to no collector and is refused as such.
const BEARER = /^Bearer +(\S+)$/i;

function tokenOf(authorization: string | undefined): string {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Failure('notAuthenticated', { message: 'send Authorization: Bearer <token of the collector>' });
  return token;
}

const rawReport = ({ headers, body }: FastifyRequest): RawReport => ({
  format: formatOf(headers['content-type']),
  chunks: bytesOf(body instanceof Readable ? body : Readable.from([]), isCompressed(headers['content-encoding'])),
});
