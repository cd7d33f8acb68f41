import {
  collectStatements,
  type TracedStatement,
} from '../../../platform/kernel/traces/traced-work.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { declareCounter, declareHistogram } from './metrics/declared.ts';
import { systemClock } from '../../../platform/kernel/clock.ts';
import { isAllowed } from '../../../platform/kernel/addresses/networks.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { TracedRequest, Traces } from '../../../platform/kernel/traces/tracing.ts';

/** The outcome of a request. It never contains headers, bodies or query strings, since these contain secrets. */
export interface Answered {
  readonly listener: string;
  /** An operation's id, or '' for everything else. */
  readonly operation: string;
  /** `code` of the envelope, or the HTTP status where there is none. */
  readonly code: string;
  readonly status: number;
  readonly seconds: number;
}

/** Logs and metrics of all listeners. */
export interface Observability {
  readonly logger: Logger;
  /** Has what a request asks of the database traced with it; undefined where nothing is traced. */
  readonly begun: ((request: FastifyRequest, goOn: () => void) => void) | undefined;
  answered(answered: Answered, request: FastifyRequest): void;
  /** Reports a 5xx answer and what caused it. */
  failed(
    error: unknown,
    facts: { requestId: string; listener: string; operation: string; detail?: string | undefined },
  ): void;
}

/** Create only one per process: the metrics are registered on `registry`. */
export function createObservability({
  logger,
  registry,
  isOutage = () => false,
  traces,
  trustedProxies = [],
  now = systemClock.now,
}: {
  logger: Logger;
  registry: Registry;
  /** Whether an error says that a store is away: its stack, the same for everything that fails meanwhile, would fill the log. */
  isOutage?: (error: unknown) => boolean;
  /** Where requests are traced, if they are. */
  traces?: Traces | undefined;
  /** CIDRs of the proxies that may decide what is traced. */
  trustedProxies?: readonly string[];
  now?: () => number;
}): Observability {
  const requests = declareCounter(registry, 'helioport_requests_total');
  const durations = declareHistogram(registry, 'helioport_request_duration_seconds');
  // prom-client hashes the labels on each call; since there are few combinations, the metric for each is kept.
  const counters = keep(({ listener, operation, code }: Answered) =>
    requests.labels(listener, operation, code),
  );
  const histograms = keep(({ listener, operation }: Answered) =>
    durations.labels(listener, operation),
  );

  const outages = createOutages(now);
  const statementsOf = new WeakMap<FastifyRequest, TracedStatement[]>();

  return {
    logger,
    begun: traces
      ? (request, goOn) => {
          const statements: TracedStatement[] = [];
          statementsOf.set(request, statements);
          collectStatements(statements, goOn);
        }
      : undefined,
    answered(answered, request) {
      counters(answered.listener + answered.operation + ' ' + answered.code, answered).inc();
      histograms(answered.listener + answered.operation, answered).observe(answered.seconds);
      if (traces)
        traces.request({
          ...tracedRequest(answered, request, trustedProxies),
          statements: statementsOf.get(request) ?? [],
        });
      if (!logger.isLevelEnabled('debug')) return;
      const { operation, code, status, seconds, listener } = answered;
      logger.debug(
        {
          requestId: request.id,
          listener,
          method: request.method,
          path: pathOf(request.raw.url),
          operation,
          status,
          code,
          ms: seconds * 1000,
        },
        'answered',
      );
    },
    failed(error, facts) {
      const unsaid = isOutage(error) ? outages.unsaid(causeOf(error)) : 0;
      if (unsaid === undefined) return;
      const before = unsaid > 0 ? { unsaid } : {};
      logger.warn({ ...facts, error: describe(error, isOutage), ...before }, 'request failed');
    },
  };
}

/** An outage makes every request fail alike: one line a minute tells of each cause. */
const OUTAGE_EVERY_MS = 60_000;
const CAUSES_AT_MOST = 20;

function createOutages(now: () => number) {
  const said = new Map<string, { at: number; unsaid: number }>();
  return {
    /** How often a cause was not told of since it was last; undefined if it is not to be told of again yet. */
    unsaid(cause: string): number | undefined {
      const last = said.get(cause);
      if (last && Math.abs(now() - last.at) < OUTAGE_EVERY_MS) {
        last.unsaid += 1;
        return undefined;
      }
      if (said.size >= CAUSES_AT_MOST) said.clear();
      said.set(cause, { at: now(), unsaid: 0 });
      return last?.unsaid ?? 0;
    },
  };
}

const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

const tracedRequest = (
  { listener, operation, code, status, seconds }: Answered,
  { method, headers, raw, socket }: FastifyRequest,
  trustedProxies: readonly string[],
): Omit<TracedRequest, 'statements'> => ({
  isTrusted: isAllowed(trustedProxies, socket.remoteAddress ?? ''),
  name: operation === '' ? `${method} ${listener}` : operation,
  headers,
  seconds,
  isFault: status >= 500,
  attributes: {
    'http.request.method': method,
    'http.response.status_code': status,
    'url.path': pathOf(raw.url),
    'helioport.listener': listener,
    'helioport.code': code,
  },
});

function keep<Series>(
  make: (answered: Answered) => Series,
): (key: string, answered: Answered) => Series {
  const kept = new Map<string, Series>();
  return (key, answered) => {
    let series = kept.get(key);
    if (!series) kept.set(key, (series = make(answered)));
    return series;
  };
}

const PATH_LOGGED = 200;

/** A path without its query, which may hold codes and tokens. */
export const pathOf = (url = ''): string => url.split(/[?#]/, 1)[0]!.slice(0, PATH_LOGGED);

// Logs only properties that never contain values of rows or bodies. Drivers put those into other properties of an error.
function describe(error: unknown, isOutage: (error: unknown) => boolean, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(!isOutage(error) && { stack: error.stack }),
    ...(error.cause !== undefined &&
      depth < 3 && { cause: describe(error.cause, isOutage, depth + 1) }),
  };
}

/** Properties of a reply for the log and the metrics; decorated in server.ts. */
export interface ObservedRequest {
  operationId: string;
  /** `code` of the envelope. */
  outcome: string;
}

export const observedHandler = (reply: FastifyReply): ObservedRequest =>
  reply as unknown as ObservedRequest;
