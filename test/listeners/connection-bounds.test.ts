import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CONNECTION_LIMITS } from '../../packages/server/src/interfaces/edges/http/connection-limits.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { networkLimit } from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { createHttpServer } from '../../packages/server/src/interfaces/edges/http/server.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { noSchema } from '../storage/schema-watch.ts';

const SENT = 1_500;
const manyGets = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(SENT);

describe('on each listener', () => {
  let database: TestDatabase;
  let app: RunningApp;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp(database);
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  test.each(['user-api', 'oauth', 'portal', 'gateway', 'ops'] as const)(
    '%s: requests sent back to back are taken in up to a number, answered, and the connection ends',
    async (listener) => {
      const { hostname, port } = new URL(app.addresses[listener]!);
      const socket = connect(Number(port), hostname);
      socket.write(manyGets('/healthz'));
      const answered = (await text(socket)).match(/HTTP\/1\.1 200/g)!.length;
      expect(answered).toBeGreaterThanOrEqual(CONNECTION_LIMITS.unansweredAtMost);
      // They may arrive in several pieces.
      expect(answered).toBeLessThan(SENT / 4);
      expect((await fetch(new URL('/healthz', app.addresses[listener]))).status).toBe(200);
    },
  );
});

describe('a listener', () => {
  let server: FastifyInstance;
  const open: Socket[] = [];
  let taken = 0;
  let release = Promise.withResolvers<void>();

  async function start(
    connectionLimits: Partial<typeof CONNECTION_LIMITS>,
    trustedProxies: string[] = [],
  ): Promise<void> {
    taken = 0;
    release = Promise.withResolvers();
    server = createHttpServer({
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
      trustedProxies,
      connectionLimits,
    });
    const config = { limit: { not: 'a test' } };
    server.get('/large', { config }, async () => {
      taken++;
      return Buffer.alloc(16 * 1024 * 1024);
    });
    server.get('/late', { config }, async () => {
      taken++;
      await release.promise;
      return 'at last';
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  }
  const dial = async (): Promise<Socket> => {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').pause();
    open.push(socket.on('error', () => {}));
    await once(socket, 'connect');
    return socket;
  };
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.server.getConnections((_, count) => resolve(count)));
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    release.resolve();
    await server.close();
  });

  test('holds no more requests of peers that never read than that many for each connection', async () => {
    await start({});
    const sockets = await Promise.all(Array.from({ length: 12 }, dial));
    for (const socket of sockets) for (let i = 0; i < 4; i++) socket.write(manyGets('/late'));
    const most = sockets.length * CONNECTION_LIMITS.unansweredAtMost;
    await expect.poll(() => taken, { timeout: 60_000 }).toBe(most);
    release.resolve();
    // All of them end, and none has had more taken in.
    await expect.poll(connections, { timeout: 60_000 }).toBe(0);
    expect(taken).toBe(most);
  });

  test('answers requests that are sent together, as long as they are few', async () => {
    await start({});
    const socket = await dial();
    const few = CONNECTION_LIMITS.unansweredAtMost;
    for (let round = 1; round <= 3; round++) {
      release = Promise.withResolvers();
      socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(few));
      await expect.poll(() => taken).toBe(round * few);
      release.resolve();
      let answers = '';
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        answers += String(chunk);
        if (answers.split('at last').length > few) break;
      }
    }
    expect(await connections()).toBe(1);
  });

  test('ends connections whose answers nobody reads, and waits for answers that are being made', async () => {
    await start({ unreadTimeout: 2_000 });
    const waiting = await dial();
    waiting.write('GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const silent = once(server.server, 'timeout');
    await expect.poll(() => taken).toBe(1);
    // At once, since idle connections are ended too.
    for (let i = 0; i < 12; i++) (await dial()).write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => taken).toBe(13);
    await silent;
    await expect.poll(connections, { timeout: 60_000 }).toBe(1);
    release.resolve();
    expect(await text(waiting)).toContain('at last');
  });

  test('holds so many connections of one network, except of proxies that are trusted', async () => {
    await start({ connectionsOfNetwork: 5 });
    await Promise.all(Array.from({ length: 12 }, dial));
    await expect.poll(connections).toBe(5);
    open.pop()!.destroy();
    for (const socket of open.splice(0)) socket.destroy();
    await expect.poll(connections).toBe(0);
    const again = await dial();
    again.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => taken).toBe(1);
    release.resolve();
    // A proxy is named by its address or its network.
    for (const proxies of [['127.0.0.0/8'], ['::1', '127.0.0.1']]) {
      for (const socket of open.splice(0)) socket.destroy();
      await server.close();
      await start({ connectionsOfNetwork: 5 }, proxies);
      await Promise.all(Array.from({ length: 12 }, dial));
      await expect.poll(connections).toBe(12);
    }
  });
});
