import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { ReportingCollector } from '../../../fleet/collectors/authenticate.ts';
import { REPORT_BYTES } from '../../../fleet/collectors/report-sections.ts';
import type { RawReport } from '../../../fleet/collectors/read-report.ts';
import type { TakeReport } from '../../../fleet/collectors/report.ts';
import type { CommandExchange } from '../../../control/commands/exchange.ts';
import { RESULTS_BYTES } from '../../../control/commands/results.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { JSON_TYPE } from '../http/errors.ts';
import { exchangeEndOf } from '../http/exchange-end.ts';
import { observedHandler } from '../http/observability.ts';
import { refuseRepeated } from '../http/request-head.ts';
import { createTokenCheck, type TokenCheckDeps } from '../http/token-check.ts';
import { bytesOf, formatOf, isCompressed } from './report-body.ts';
import { readResults } from './results-body.ts';
import { isBacklog, waitMsOf } from './query.ts';

export interface GatewayDeps extends TokenCheckDeps {
  readonly takeReport: TakeReport;
  readonly exchange: CommandExchange;
  /** Waits for some milliseconds; by default, by a timer. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * How long a collector that sends too much waits for its refusal. One that repeats at once is slowed down by this, since authenticating and refusing it
 * costs as much as a small report; one that heeds `Retry-After`, which is a second or more, loses nothing.
 */
const REFUSAL_PAUSE_MS = 500;

/** What collectors send, with their token: `POST /v1/readings`, `GET /v1/commands` and `POST /v1/results`. */
export const gateway =
  ({ takeReport, exchange, pause = setTimeout, ...deps }: GatewayDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const checkToken = createTokenCheck(deps);
    const collectors = new WeakMap<FastifyRequest, ReportingCollector>();

    /** Delays the refusals of too many requests. */
    const slowedDown = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (error instanceof Failure && error.code === 'tooManyRequests')
          await pause(REFUSAL_PAUSE_MS);
        throw error;
      }
    };

    /** Authenticates before the body is read, so that a stranger’s body is not accepted at all. */
    const admit =
      (operationId: string, check: (request: FastifyRequest) => void = () => {}) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
        observedHandler(reply).operationId = operationId;
        refuseRepeated(request.raw, 'Authorization');
        const collector = await slowedDown(
          checkToken(request.ip, () => ({ token: tokenOf(request.headers.authorization) })),
        );
        check(request);
        collectors.set(request, collector);
      };

    const config = { limit: 'collector' } as const;
    server.post('/v1/readings', {
      config,
      onRequest: admit('readings', (request) => {
        isBacklog(request);
        checkBody(request, REPORT_BYTES);
      }),
      handler: async (request, reply) =>
        send(
          reply,
          await slowedDown(
            takeReport(collectors.get(request)!, {
              ...rawReport(request),
              isBacklog: isBacklog(request),
            }),
          ),
        ),
    });

    server.get('/v1/commands', {
      config,
      onRequest: admit('commands', waitMsOf),
      handler: async (request, reply) => {
        // What is handed over to nobody would be lost.
        const isLook = request.method === 'HEAD';
        const commands = await slowedDown(
          exchange.instructions(
            collectors.get(request)!,
            isLook ? 0 : waitMsOf(request),
            isLook ? AbortSignal.abort() : exchangeEndOf(reply.raw),
          ),
        );
        return send(reply, { commands });
      },
    });

    server.post('/v1/results', {
      config,
      onRequest: admit('results', (request) => checkBody(request, RESULTS_BYTES)),
      handler: async (request, reply) => {
        const { chunks, format } = rawReport(request);
        return send(
          reply,
          await slowedDown(
            exchange.results(collectors.get(request)!, () => readResults(chunks, format)),
          ),
        );
      },
    });

    // A listener that closes waits for its requests.
    server.addHook('preClose', (done) => {
      exchange.close();
      done();
    });
  };

const send = (reply: FastifyReply, answer: object): FastifyReply =>
  reply.header('Content-Type', JSON_TYPE).send(JSON.stringify(answer));

function checkBody({ headers }: FastifyRequest, atMost: number): void {
  formatOf(headers['content-type']);
  isCompressed(headers['content-encoding']);
  if (Number(headers['content-length']) > atMost)
    throw new Failure('tooLarge', { message: `the body may have at most ${atMost / 1024} KiB` });
}

// Accepts any text after the word: whatever is not one of our tokens belongs to no collector.
const BEARER = /^Bearer +(\S+)$/i;

function tokenOf(authorization: string | undefined): string {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined)
    throw new Failure('notAuthenticated', {
      message: 'send Authorization: Bearer <token of the collector>',
    });
  return token;
}

const rawReport = ({ headers, body }: FastifyRequest): RawReport => ({
  format: formatOf(headers['content-type']),
  chunks: bytesOf(
    body instanceof Readable ? body : Readable.from([]),
    isCompressed(headers['content-encoding']),
  ),
});
