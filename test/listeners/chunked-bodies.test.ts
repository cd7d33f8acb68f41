import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noSchema } from '../storage/schema-watch.ts';
import { bytesOf } from '../../packages/server/src/interfaces/edges/gateway/report-body.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { networkLimit } from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { createHttpServer } from '../../packages/server/src/interfaces/edges/http/server.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';

const KIB = 1024;
const config = { limit: { not: 'a test' } };

/** A body of chunks of so many bytes, each with an extension of so many more. */
const framed = (content: number, each: number, extension = 0): string =>
  `${each.toString(16)}${extension > 0 ? `;${'x'.repeat(extension)}` : ''}\r\n${' '.repeat(each)}\r\n`.repeat(
    content / each,
  );
const END = '0\r\n\r\n';

describe.each(['whole', 'streamed'] as const)('a body in chunks, read %s', (bodies) => {
  let server: FastifyInstance;
  let read = 0;
  const ended: IncomingMessage[] = [];
  beforeAll(async () => {
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
      bodies,
    });
    server.post('/read', { config }, async ({ body }) => {
      if (bodies === 'whole') return String((body as Buffer).length);
      read = 0;
      for await (const piece of bytesOf(body as never, false)) read += piece.length;
      return String(read);
    });
    server.server.on('request', (request: IncomingMessage) =>
      request.once('end', () => ended.push(request)),
    );
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  async function answerTo(path: string, body: string): Promise<string> {
    const { port } = server.server.address() as AddressInfo;
    // Sends on although the server has ended its side.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const answer = text(socket);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let at = 0; at < body.length && !socket.destroyed; at += 64 * KIB)
      if (!socket.write(body.slice(at, at + 64 * KIB)))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    socket.end();
    return answer;
  }

  test.each([
    ['of a byte', framed(512 * KIB, 1)],
    ['with long extensions', framed(4 * KIB, 1, 1_000)],
    ['of a few bytes', framed(960 * KIB, 8)],
  ])('that are nothing but framing (%s) is refused, and the connection ends', async (_, body) => {
    const answer = await answerTo('/read', body + END);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('the chunks of the body are too small: send more content in each');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test.each([
    ['of a byte, if the body is small', framed(8 * KIB, 1), 8 * KIB],
    ['of 32 bytes', framed(960 * KIB, 32), 960 * KIB],
    ['of a segment of a narrow network', framed(960 * KIB, 480), 960 * KIB],
    ['of 64 KiB', framed(960 * KIB, 64 * KIB), 960 * KIB],
  ])('%s is taken', async (_, body, bytes) => {
    expect(await answerTo('/read', body + END)).toMatch(
      new RegExp(`^HTTP/1\\.1 200 [^]*\r\n\r\n${bytes}$`),
    );
  });

  test('that nobody wants is dropped without being parsed', async () => {
    const before = ended.length;
    expect(await answerTo('/nowhere', framed(2_000 * KIB, 1) + END)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await answerTo('/read', framed(2_000 * KIB, 1) + END)).toMatch(/^HTTP\/1\.1 400 /);
    expect(ended).toHaveLength(before);
  });
});
