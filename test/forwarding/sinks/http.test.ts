import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { openHttpSink } from '../../../packages/server/src/outbound/sinks/http.ts';
import type {
  HttpDestination,
  Sink,
  SinkDeps,
} from '../../../packages/server/src/outbound/sinks/sink.ts';
import { hasOpenssl, makeCertificate, type Certificate } from './certificates.ts';
import { makeEvent, makeEvents } from './events.ts';
import { openGate, type Gate } from './gate.ts';
import { createClock, delivered, describeSink, LOOPBACK, silent, unstopped } from './suite.ts';
import { openWebhookEndpoint, SECRET, type WebhookEndpoint } from './webhook-endpoint.ts';

describe.skipIf(!hasOpenssl)('the HTTP sink', () => {
  let certificate: Certificate;
  let endpoint: WebhookEndpoint;
  let gate: Gate;
  let destination: HttpDestination;
  const clock = createClock();
  const sinks: Sink[] = [];
  const open = async (
    changes: Partial<HttpDestination> = {},
    deps: Partial<SinkDeps> = {},
  ): Promise<Sink> => {
    const sink = await openHttpSink(
      { ...destination, ...changes },
      { egress: createEgress({ allow: LOOPBACK }), clock, logger: silent, ...deps },
    );
    sinks.push(sink);
    return sink;
  };

  beforeAll(async () => {
    certificate = makeCertificate();
    endpoint = await openWebhookEndpoint(certificate);
    gate = await openGate(endpoint.port);
    const url = `https://localhost:${gate.port}/hooks/solar?tenant=1`;
    destination = {
      transport: 'http',
      id: '1',
      url,
      secrets: [SECRET],
      batches: false,
      gzip: false,
      caCertificates: certificate.cert,
    };
  });
  afterEach(async () => {
    endpoint.answer = undefined;
    await Promise.all(sinks.splice(0).map((sink) => sink.close()));
  });
  afterAll(async () => {
    await gate.close();
    await endpoint.close();
    certificate.remove();
  });

  describeSink({
    peer: () => ({ gate, destination, received: () => endpoint.deliveries }),
    limitMs: 400,
  });

  test('posts one event as one message of Standard Webhooks, whose id stays and whose time is that of the attempt', async () => {
    const sink = await open();
    const event = makeEvent();
    const paths: (string | undefined)[] = [];
    endpoint.answer = (response, { url, method }) => {
      paths.push(`${method} ${url}`);
      response.writeHead(500).end();
    };
    await sink.send([event], unstopped);
    clock.advance(60_000);
    await sink.send([event], unstopped);
    const [first, second] = endpoint.deliveries.slice(-2);
    expect(paths).toEqual(['POST /hooks/solar?tenant=1', 'POST /hooks/solar?tenant=1']);
    expect([first!.id, second!.id]).toEqual([event.id, event.id]);
    expect(
      Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp']),
    ).toBeGreaterThanOrEqual(60);
    expect(second!.headers).toMatchObject({
      'content-type': 'application/json',
      host: `localhost:${gate.port}`,
      'user-agent': 'Helioport',
    });
    expect(second!.body).toBe(event.body);
  });

  test('signs with both secrets while they are rotated, and with the new one alone afterwards', async () => {
    const renewed = `whsec_${randomBytes(24).toString('base64')}`;
    const event = makeEvent();
    expect(await (await open({ secrets: [renewed, SECRET] })).send([event], unstopped)).toEqual(
      delivered,
    );
    const { body, headers } = endpoint.deliveries.at(-1)!;
    expect(new Webhook(renewed).verify(body, headers as Record<string, string>)).toMatchObject({
      id: event.id,
    });
    expect(
      (await (await open({ secrets: [renewed] })).send([event], unstopped)).kind,
      'the endpoint knows the old one',
    ).toBe('failed');
  });

  test('sends batches on request, as an array under an id that follows from its events', async () => {
    const sink = await open({ batches: true });
    expect(sink.atMost).toBe(100);
    const events = makeEvents(100, ['A', 'B']);
    expect(await sink.send(events, unstopped)).toEqual(delivered);
    expect(await sink.send(events, unstopped)).toEqual(delivered);
    expect(await sink.send(events.slice(0, 99), unstopped)).toEqual(delivered);
    const [first, again, other] = endpoint.deliveries.slice(-3);
    expect(JSON.parse(first!.body).map(({ id }: { id: string }) => id)).toEqual(
      events.map(({ id }) => id),
    );
    expect(first!.id).toMatch(/^batch_[0-9a-f]{32}$/);
    expect(again!.id).toBe(first!.id);
    expect(other!.id).not.toBe(first!.id);
    expect((await open()).atMost).toBe(1);
  });

  test('compresses on request; the signature is over what was compressed', async () => {
    const event = makeEvent();
    expect(await (await open({ gzip: true })).send([event], unstopped)).toEqual(delivered);
    expect(endpoint.deliveries.at(-1)).toMatchObject({
      id: event.id,
      body: event.body,
      headers: { 'content-encoding': 'gzip' },
    });
  });

  test.each([200, 201, 202, 204, 299])('takes %i for a delivery', async (status) => {
    endpoint.answer = (response) => response.writeHead(status).end();
    expect(await (await open()).send([makeEvent()], unstopped)).toEqual(delivered);
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    'takes %i for a failure and goes nowhere else',
    async (status) => {
      const before = gate.accepted;
      endpoint.answer = (response) =>
        response.writeHead(status, { location: `https://localhost:${gate.port}/elsewhere` }).end();
      const count = endpoint.deliveries.length;
      const outcome = await (await open()).send([makeEvent()], unstopped);
      expect(outcome).toEqual({
        kind: 'failed',
        reason: `the endpoint answered ${status}; redirects are not followed`,
      });
      expect([endpoint.deliveries.length, gate.accepted]).toEqual([count + 1, before + 1]);
    },
  );

  test('keeps the beginning of what the endpoint says about a failure', async () => {
    endpoint.answer = (response) =>
      response.writeHead(422).end(`no such\u0000\r\nplant ${'x'.repeat(5000)}`);
    const outcome = await (await open()).send([makeEvent()], unstopped);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'the endpoint answered 422',
      excerpt: expect.stringMatching(/^no such plant x{900,1010}$/),
    });
  });

  test.each([400, 401, 404, 413, 422, 500, 501])(
    'learns by %i that the endpoint is there',
    async (status) => {
      endpoint.answer = (response) => response.writeHead(status).end();
      expect(await (await open()).send([makeEvent()], unstopped)).toMatchObject({
        kind: 'failed',
        isRefusal: true,
      });
      endpoint.answer = (response) => response.writeHead(status, { 'retry-after': '5' }).end();
      expect(await (await open()).send([makeEvent()], unstopped)).not.toHaveProperty('isRefusal');
    },
  );

  test.each([408, 425, 429, 502, 503, 504])('does not take %i for a refusal', async (status) => {
    endpoint.answer = (response) => response.writeHead(status).end();
    expect(await (await open()).send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: `the endpoint answered ${status}`,
    });
  });

  test('learns by 410 that nothing more is wanted', async () => {
    endpoint.answer = (response) => response.writeHead(410).end('gone');
    expect(await (await open()).send([makeEvent()], unstopped)).toEqual({
      kind: 'gone',
      reason: 'the endpoint answered 410: it wants no more events',
    });
  });

  test.each([
    ['120', 120_000],
    ['99999999', 86_400_000],
    ['soon', undefined],
    ['-5', undefined],
  ])('reads Retry-After: %s', async (header, ms) => {
    endpoint.answer = (response) => response.writeHead(503, { 'retry-after': header }).end();
    expect(
      ((await (await open()).send([makeEvent()], unstopped)) as { retryAfterMs?: number })
        .retryAfterMs,
    ).toBe(ms);
  });

  test('reads Retry-After as a date, by its own clock', async () => {
    endpoint.answer = (response) =>
      response
        .writeHead(429, { 'retry-after': new Date(clock.now() + 90_000).toUTCString() })
        .end();
    const { retryAfterMs } = (await (await open()).send([makeEvent()], unstopped)) as {
      retryAfterMs: number;
    };
    expect(retryAfterMs).toBeGreaterThan(80_000);
    expect(retryAfterMs).toBeLessThanOrEqual(90_000);
  });

  /** Bytes without end, as fast as they are taken; counts what was written. */
  const flood = (chunk: Buffer, headers: Record<string, string> = {}): { written: number } => {
    const counter = { written: 0 };
    endpoint.answer = async (response) => {
      response.on('error', () => {}).writeHead(200, headers);
      while (!response.destroyed && counter.written < 1_000_000_000) {
        counter.written += chunk.length;
        if (!response.write(chunk))
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    };
    return counter;
  };

  test('reads little of an answer of a gigabyte, and nothing of one that unpacks to it', async () => {
    const sink = await open();
    for (const [chunk, headers] of [
      [Buffer.alloc(65_536, 'x'), {}],
      [gzipSync(Buffer.alloc(10_000_000)), { 'content-encoding': 'gzip' }],
    ] as const) {
      const counter = flood(chunk, headers);
      expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
      await vi.waitFor(() => expect(gate.open).toBe(0), 60_000);
      expect(counter.written).toBeLessThan(20_000_000);
    }
    endpoint.answer = (response) =>
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('unreadable'));
    expect(await sink.send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: 'the endpoint answered 500',
      isRefusal: true,
    });
  });

  test('counts what was answered before its time as delivered, even if the answer never ends', async () => {
    const sink = await open();
    endpoint.answer = (response) => void response.writeHead(200).write('and');
    expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
    await vi.waitFor(() => expect(gate.open).toBe(0), 60_000);
  });

  test('does not wait longer than its time for an answer', async () => {
    endpoint.answer = () => {};
    expect(await (await open({}, { limitMs: 400 })).send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: 'no answer within 0.4 s',
    });
    await vi.waitFor(() => expect(gate.open).toBe(0), 60_000);
  });

  test('refuses headers without end', async () => {
    endpoint.answer = (response) => response.writeHead(200, { 'x-many': 'y'.repeat(20_000) }).end();
    expect(await (await open()).send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: 'the connection failed (HPE_HEADER_OVERFLOW)',
      connectionError: 'HPE_HEADER_OVERFLOW',
    });
  });

  test('uses a connection again, and another one when the endpoint has closed it meanwhile', async () => {
    const sink = await open();
    const before = gate.accepted;
    for (const event of makeEvents(3))
      expect(await sink.send([event], unstopped)).toEqual(delivered);
    expect(gate.accepted).toBe(before + 1);
    const closeOnce = (): void => {
      endpoint.answer = (_, { socket }) => {
        endpoint.answer = undefined;
        socket.destroy();
      };
    };
    closeOnce();
    expect(await sink.send([makeEvent()], unstopped)).toEqual(delivered);
    expect(gate.accepted).toBe(before + 2);
    // A fresh connection that breaks is a failure like others.
    closeOnce();
    expect(await (await open()).send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: 'the connection failed (ECONNRESET)',
      connectionError: 'ECONNRESET',
    });
    expect(gate.accepted).toBe(before + 3);
  });
});
