import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { networkLimit } from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { createHttpServer } from '../../packages/server/src/interfaces/edges/http/server.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { noSchema } from '../storage/schema-watch.ts';

let server: FastifyInstance;
let steps: string[];

beforeEach(async () => {
  steps = [];
  const observability = createObservability({
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  server = createHttpServer({
    listener: 'test',
    observability,
    front: null,
    isReady: async () => true,
    isUnavailable: () => false,
    schema: noSchema,
    publicUrl: 'http://localhost',
    networkLimit: networkLimit({ buckets: ownBuckets(systemClock) }, null),
  });
  server.get('/:name', { config: { limit: { not: 'a test' } } }, async ({ params }) => {
    const { name } = params as { name: string };
    for (let step = 1; step <= 3; step++) {
      steps.push(`${name}${step}`);
      await Promise.resolve();
    }
    if (name === 'b') throw new Error('on purpose');
    return `taken: ${name}`;
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => server.close());

/** A connection that the server knows: it has answered on it before. */
async function open(): Promise<Socket> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /before HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Sends requests at once, each on a connection of its own. */
async function answersTo(names: readonly string[]): Promise<string[]> {
  const sockets = await Promise.all(names.map(open));
  steps = [];
  for (const [i, socket] of sockets.entries())
    socket.write(`GET /${names[i]} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return Promise.all(sockets.map(text));
}

test('requests that arrive together go through their steps together', async () => {
  const answers = await answersTo(['a', 'c', 'd']);
  for (const [i, name] of ['a', 'c', 'd'].entries()) expect(answers[i]).toContain(`taken: ${name}`);
  expect(steps.map((step) => step[1])).toEqual(['1', '1', '1', '2', '2', '2', '3', '3', '3']);
});

test('one that comes alone, or after others, is answered too', async () => {
  for (const name of ['a', 'c', 'd'])
    expect(await answersTo([name])).toEqual([expect.stringContaining(`taken: ${name}`)]);
});

test('one that fails keeps nobody from going on', async () => {
  const [a, b, c] = await answersTo(['a', 'b', 'c']);
  expect(a).toContain('taken: a');
  expect(b).toContain('HTTP/1.1 500');
  expect(c).toContain('taken: c');
});
