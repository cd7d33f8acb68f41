import { errors } from '@helioport/contract';
import { frontAnswer, type Front, type Link } from '../http/front.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Failure } from '../../../platform/kernel/failure.ts';
import { boundConnections } from '../http/connection-bounds.ts';
import { CONNECTION_LIMITS } from '../http/connection-limits.ts';
import { admitExpectations, checkHead } from '../http/request-head.ts';
import { isLargeUnread, lingerOverBodies } from '../http/bodies/unread.ts';
import { refuseUnreadable } from '../http/bodies/unreadable.ts';

export interface OpsDeps {
  /** Whether requests would be served now. */
  isReady(): Promise<boolean>;
  /** What is wrong although requests are served, one sentence for each thing: shown by /readyz. */
  ailments(): Promise<readonly string[]>;
  /** The other listeners that `/` links to. */
  readonly elsewhere?: readonly Link[];
  /** The text of all metrics and its media type. */
  metrics: { readonly contentType: string; metrics(): Promise<string> };
}

interface OpsListener {
  readonly server: Server;
  listen(options: { host: string; port: number }): Promise<void>;
  close(): Promise<void>;
}

/** The listener for health and metrics. It uses plain node:http, which costs less memory: four paths without a body need no framework. */
export function createOps(deps: OpsDeps): OpsListener {
  const server = createServer(
    { ...CONNECTION_LIMITS, requireHostHeader: false },
    (request, response) => {
      answer(request, deps).then(
        (result) => send(response, result),
        (error: unknown) =>
          send(
            response,
            error instanceof Failure
              ? plain(errors[error.code].status, error.message)
              : plain(500, 'internal error'),
          ),
      );
    },
  );
  server.on('clientError', refuseUnreadable(400));
  boundConnections(server);
  admitExpectations(server);
  lingerOverBodies(server);
  return {
    server,
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server
          .once('error', reject)
          .listen(port, host, () => resolve(void server.off('error', reject)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const front = (elsewhere: readonly Link[]): Front => ({
  title: 'Helioport, health and metrics',
  text: 'For load balancers and monitoring.',
  links: [
    { href: 'healthz', text: 'Whether this process is alive' },
    { href: 'readyz', text: 'Whether it is ready to serve requests' },
    { href: 'metrics', text: 'Metrics' },
    ...elsewhere,
  ],
});

async function answer(
  request: IncomingMessage,
  { isReady, ailments, metrics, elsewhere = [] }: OpsDeps,
): Promise<Answer> {
  checkHead(request);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'only GET is allowed');
  switch (request.url?.split('?')[0]) {
    case '/':
      return { status: 200, ...(await frontAnswer(front(elsewhere), request.headers.accept)) };
    case '/healthz':
      return plain(200, 'ok');
    case '/readyz':
      return (await isReady())
        ? plain(200, ['ready', ...(await ailments())].join('\n'))
        : plain(503, ['not ready', ...(await ailments())].join('\n'));
    case '/metrics':
      return {
        status: 200,
        headers: { 'Content-Type': metrics.contentType, ...UNKEPT },
        body: await metrics.metrics(),
      };
    default:
      return plain(404, 'not found: try /healthz, /readyz or /metrics');
  }
}

const UNKEPT = { 'Cache-Control': 'no-store' };

const plain = (status: number, text: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', ...UNKEPT },
  body: `${text}\n`,
});

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (isLargeUnread(response.req)) response.setHeader('Connection', 'close');
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
