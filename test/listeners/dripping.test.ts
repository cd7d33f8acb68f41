import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noSchema } from '../storage/schema-watch.ts';
import { bytesOf } from '../../packages/server/src/interfaces/edges/gateway/report-body.ts';
import { CONNECTION_LIMITS } from '../../packages/server/src/interfaces/edges/http/connection-limits.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { networkLimit } from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { createHttpServer } from '../../packages/server/src/interfaces/edges/http/server.ts';
import { LINGER } from '../../packages/server/src/interfaces/edges/http/bodies/unread.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';

// Shortened, each as a whole; bytes arrive far more often than any of them ends.
const usual = { limits: { ...CONNECTION_LIMITS }, lingerMs: LINGER.ms };
const SHORT = { requestTimeout: 1_200, headersTimeout: 600, connectionsCheckingInterval: 100 };
const LINGER_MS = 600;
const DRIP_MS = 40;

let database: TestDatabase;
let app: RunningApp;
beforeAll(async () => {
  Object.assign(CONNECTION_LIMITS, SHORT);
  Object.assign(LINGER, { ms: LINGER_MS });
  database = await createSqliteDatabase();
  app = await startApp(database);
});
afterAll(async () => {
  Object.assign(CONNECTION_LIMITS, usual.limits);
  Object.assign(LINGER, { ms: usual.lingerMs });
  await app.stop();
  await database.drop();
});

/** Sends a beginning, then a byte at a time for as long as the connection takes any, even after its other side has ended. */
async function drip(
  port: number,
  beginning: string,
  more: string,
): Promise<{ answer: string; tookMs: number; dripped: number }> {
  const from = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  const answer = text(socket).catch(() => '');
  socket.write(beginning);
  let dripped = 0;
  const dripping = setInterval(() => socket.write(more[dripped++ % more.length]!), DRIP_MS);
  await closed;
  clearInterval(dripping);
  return { answer: await answer, tookMs: performance.now() - from, dripped };
}

const LISTENERS = ['user-api', 'oauth', 'portal', 'gateway', 'ops'] as const;
const path = (listener: (typeof LISTENERS)[number]): string =>
  listener === 'gateway' ? '/v1/readings' : '/healthz';
const post = (listener: (typeof LISTENERS)[number], field: string): string =>
  `POST ${path(listener)} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${field}`;

const WAYS = [
  ['the line of the request', () => 'GET /', 'x', SHORT.headersTimeout],
  [
    'the headers',
    (listener) => `GET ${path(listener)} HTTP/1.1\r\nHost: a\r\n`,
    'X: y\r\n',
    SHORT.headersTimeout,
  ],
  [
    'a body of a stated length',
    (listener) => post(listener, 'Content-Length: 100000\r\n\r\n'),
    ' ',
    SHORT.requestTimeout,
  ],
  [
    'a body in chunks',
    (listener) => post(listener, 'Transfer-Encoding: chunked\r\n\r\n'),
    '1\r\n \r\n',
    SHORT.requestTimeout,
  ],
] as const satisfies readonly (readonly [
  string,
  (listener: (typeof LISTENERS)[number]) => string,
  string,
  number,
])[];

test.each(WAYS)(
  '%s that drips is ended within the whole time at every listener',
  async (_, begin, more, limitMs) => {
    const outcomes = await Promise.all(
      LISTENERS.map((listener) =>
        drip(Number(new URL(app.addresses[listener]!).port), begin(listener), more),
      ),
    );
    for (const [i, { answer, tookMs, dripped }] of outcomes.entries()) {
      // One answer: a refusal of what had arrived by then, or that the time is over.
      expect([LISTENERS[i], answer]).toEqual([
        LISTENERS[i],
        expect.stringMatching(/^HTTP\/1\.1 4\d\d [^]*$/),
      ]);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      expect(dripped).toBeGreaterThan(5);
      // Beside the limit: how often it is looked, what is read after the end, and a busy machine.
      expect(tookMs).toBeLessThan(limitMs + LINGER_MS + 60_000);
    }
  },
);

test.each(['whole', 'streamed'] as const)(
  'a body that is read %s while it drips is ended within the whole time, and its reader learns it',
  async (bodies) => {
    const server = createHttpServer({
      listener: 'test',
      front: null,
      observability: createObservability({
        logger: pino({ level: 'silent' }),
        registry: new Registry(),
      }),
      isReady: async () => true,
      isUnavailable: () => false,
      schema: noSchema,
      publicUrl: 'http://localhost',
      networkLimit: networkLimit({ buckets: ownBuckets(systemClock) }, null),
      bodies,
    });
    const outcomes: unknown[] = [];
    server.post('/read', { config: { limit: { not: 'a test' } } }, async ({ body }) => {
      try {
        for await (const piece of bytesOf(body as never, false)) void piece;
        outcomes.push('read');
      } catch (error) {
        outcomes.push((error as Error).message);
      }
      return '';
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const head = 'POST /read HTTP/1.1\r\nHost: a\r\n';
    const dripped = await Promise.all([
      drip(port, `${head}Content-Length: 100000\r\n\r\n`, ' '),
      drip(port, `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
    ]);
    await server.close();
    for (const { answer, tookMs } of dripped) {
      // A report that comes too late is no report that may be deleted.
      expect(answer).toMatch(bodies === 'streamed' ? /^HTTP\/1.1 408 / : /^HTTP\/1.1 400 /);
      expect(answer).toContain('the request did not arrive in time');
      expect(tookMs).toBeGreaterThanOrEqual(SHORT.requestTimeout);
      expect(tookMs).toBeLessThan(SHORT.requestTimeout + LINGER_MS + 60_000);
    }
    expect(outcomes).toEqual(bodies === 'streamed' ? Array(2).fill('the body is cut off') : []);
  },
);
