import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../../platform/kernel/failure.ts';
import { randomHex } from '../../../platform/kernel/secrets.ts';
import { boundFraming } from './bodies/chunked.ts';
import { endUnusedConnections } from './closing.ts';
import { boundConnections } from './connection-bounds.ts';
import { CONNECTION_LIMITS } from './connection-limits.ts';
import { envelopeRenderer, failureHandler, refuseOutdated, type RenderFailure } from './errors.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { frontAnswer, type Front } from './front.ts';
import { observedHandler, type Observability } from './observability.ts';
import { admitExpectations, checkHead } from './request-head.ts';
import { limitRoutes, type NetworkLimit } from './route-limit.ts';
import { batchTurns } from './batch-turns.ts';
import { closeAfterLargeBodies, lingerOverBodies } from './bodies/unread.ts';
import { refuseUnreadable } from './bodies/unreadable.ts';

export interface HttpServerOptions {
  /** Name in logs and metrics. */
  listener: string;
  observability: Observability;
  /** The listener's description of itself, shown at `/`; null = it has a page of its own there. */
  front: Front | null;
  /** Whether requests would be served now; asks the database. */
  isReady: () => Promise<boolean>;
  /** Whether the database has been left to a newer version: nothing but health is answered then. */
  schema: Outdated;
  /** Its address for others. If it is https, browsers are told to keep to that. */
  publicUrl: string;
  /** Whether an error means that the database is unavailable: 503 instead of 500. */
  isUnavailable: (error: unknown) => boolean;
  /** How strangers are limited. */
  networkLimit: NetworkLimit;
  /** CIDRs of the proxies whose forwarded headers are trusted. */
  trustedProxies?: readonly string[];
  /** `streamed`: bodies are read in chunks as they arrive, without a limit; `whole`: as one Buffer of at most 1 MiB. */
  bodies?: 'streamed' | 'whole';
  renderFailure?: RenderFailure;
  /** Limits that differ from the usual ones. */
  connectionLimits?: Partial<typeof CONNECTION_LIMITS>;
  /** Rewrites the request target before it is routed. */
  rewriteUrl?: (url: string) => string;
}

/** Bodies have at most 1 MiB (interface W16). */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Creates a listener with request ids, /healthz and /readyz, bodies of all types as Buffers, refusals rendered in one place, and metrics. The
 * composition root starts and closes it; closing lets running requests end.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const {
    listener,
    observability,
    front,
    isReady,
    isUnavailable,
    trustedProxies = [],
    renderFailure = envelopeRenderer(),
  } = options;
  const bounds = { ...CONNECTION_LIMITS, ...options.connectionLimits };
  const { keepAliveTimeout, requestTimeout, ...limits } = bounds;
  const onFailure = failureHandler({ listener, observability, isUnavailable, renderFailure });
  const server: FastifyInstance = fastify({
    logger: false,
    genReqId: requestIds(),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout,
    requestTimeout,
    // A missing Host is refused below, in the listener's own form.
    http: { ...limits, requireHostHeader: false },
    // Bodies that are streamed are reports of collectors.
    clientErrorHandler: refuseUnreadable(options.bodies === 'streamed' ? 408 : 400),
    frameworkErrors: onFailure,
    ...(options.rewriteUrl && {
      rewriteUrl: ({ url = '/' }: IncomingMessage) => options.rewriteUrl!(url),
    }),
  });

  server.decorateReply<string>('operationId', '');
  server.decorateReply<string>('outcome', '');
  server.removeAllContentTypeParsers();
  if (options.bodies === 'streamed')
    server.addContentTypeParser('*', (_request, stream, done) => done(null, stream));
  // Bodies are kept as the bytes sent, since digests and signatures cover those.
  else
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
  server.setErrorHandler(onFailure);
  if (options.publicUrl.startsWith('https:')) keepToTls(server);
  refuseOutdated(server, options.schema);
  refuseUnknownPaths(server);
  limitRoutes(server, options.networkLimit);
  boundConnections(server.server, bounds, trustedProxies);
  boundFraming(server);
  endUnusedConnections(server);
  lingerOverBodies(server.server);
  closeAfterLargeBodies(server);
  admitExpectations(server.server);
  batchTurns(server);
  const { begun } = observability;
  if (begun) server.addHook('onRequest', (request, _reply, done) => begun(request, done));
  server.addHook('onResponse', (request, reply, done) => {
    const { operationId: operation, outcome } = observedHandler(reply);
    const { statusCode: status } = reply;
    observability.answered(
      {
        listener,
        operation,
        code: outcome === '' ? String(status) : outcome,
        status,
        seconds: reply.elapsedTime / 1000,
      },
      request,
    );
    done();
  });
  if (front) {
    server.get(
      '/',
      { config: { limit: { not: 'a small page from memory' } } },
      async ({ headers }, reply) => {
        const answer = await frontAnswer(front, headers.accept);
        return reply.headers(answer.headers).send(answer.body);
      },
    );
  }
  const ofOperators = {
    config: { limit: { not: 'for load balancers, which must get an answer' } },
  };
  server.get('/healthz', ofOperators, async (_request, reply) => plain(reply, 200, 'ok'));
  server.get('/readyz', ofOperators, async (_request, reply) =>
    (await isReady()) ? plain(reply, 200, 'ready') : plain(reply, 503, 'not ready'),
  );
  return server;
}

/** RFC 6797 */
const keepToTls = (server: FastifyInstance): void =>
  void server.addHook('onRequest', (_request, reply, done) => {
    reply.header('Strict-Transport-Security', 'max-age=31536000');
    done();
  });

const plain = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply
    .code(status)
    .header('Content-Type', 'text/plain; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(`${text}\n`);

// The random part makes ids unique across restarts and instances; the counter keeps them short.
function requestIds(): () => string {
  const prefix = randomHex(6);
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** Answers 404, or 405 with Allow where the path exists for other methods. */
function refuseUnknownPaths(server: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    // The root has a page but no operation: a POST there lacks an operation's name, so it gets 404, not 405.
    if (url === '/') return;
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  const refuse = (request: FastifyRequest): never => {
    const known = methods.get(request.raw.url!.split('?', 1)[0]!);
    if (!known) throw new Failure('notFound');
    const allow = [...known].toSorted().join(', ');
    throw new Failure('methodNotAllowed', { data: { allow }, message: `only ${allow} is allowed` });
  };
  // Refused before the body is read: an unknown path is 404 however large the body.
  server.addHook('onRequest', (request, _reply, done) => {
    checkHead(request.raw);
    if (request.is404) refuse(request);
    done();
  });
  server.setNotFoundHandler(refuse);
}
