import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { networkLimit } from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { createHttpServer } from '../../packages/server/src/interfaces/edges/http/server.ts';
import { exchange } from '../user-api/fixture.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { noSchema } from '../storage/schema-watch.ts';

const LIMIT_MS = 1000;

function createServer() {
  return createHttpServer({
    listener: 'test',
    front: { title: 'test', text: '', links: [] },
    observability: createObservability({
      logger: pino({ level: 'silent' }),
      registry: new Registry(),
    }),
    isReady: async () => true,
    isUnavailable: () => false,
    schema: noSchema,
    publicUrl: 'http://localhost',
    networkLimit: networkLimit({ buckets: ownBuckets(systemClock) }, null),
    connectionLimits: { headersTimeout: LIMIT_MS, requestTimeout: LIMIT_MS },
  });
}

test.each([
  ['the headers of a request', 'POST /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ['the body of a request', 'POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{'],
])(
  '%s that does not arrive in time is refused soon after its limit, not at twice the limit',
  async (_name, wire) => {
    const server = createServer();
    server.post('/slow', { config: { limit: { not: 'a test' } } }, async () => '');
    await server.listen({ port: 0, host: '127.0.0.1' });
    const from = performance.now();
    const answer = await exchange(
      (server.server.address() as AddressInfo).port,
      wire.replace('/healthz', '/slow'),
    );
    const tookMs = performance.now() - from;
    await server.close();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('did not arrive in time');
    expect(tookMs).toBeGreaterThanOrEqual(LIMIT_MS);
    // The limit, a look each second, and a busy machine; Node's own interval would make it 31 s.
    expect(tookMs).toBeLessThan(LIMIT_MS + 5000);
  },
);

test('a connection that a browser has opened in advance is closed without an answer, which it would take for that to its next request', async () => {
  const server = createServer();
  await server.listen({ port: 0, host: '127.0.0.1' });
  const answer = await exchange((server.server.address() as AddressInfo).port, '');
  await server.close();
  expect(answer).toBe('');
});
