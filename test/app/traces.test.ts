import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { openTraces } from '../../packages/server/src/platform/kernel/traces/tracing.ts';
import type { DeliveryOutcome } from '../../packages/server/src/outbound/sinks/sink.ts';
import { tracedSink } from '../../packages/server/src/outbound/sinks/traced-sink.ts';
import { createInstallation, type Installation } from '../support/command.ts';
import { serve } from '../support/server-process.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

let home: Installation;
let collector: Server;
let url: string;
const received: Span[] = [];
beforeEach(async () => {
  received.length = 0;
  home = createInstallation();
  collector = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        for (const { scopeSpans } of JSON.parse(body).resourceSpans)
          for (const { spans } of scopeSpans) received.push(...spans);
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
});
afterEach(() => {
  collector.close();
  home.remove();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** Asks a server for two things, with and without a trace, and stops it. */
async function askServer(settings: Record<string, string>): Promise<void> {
  const server = serve(home.folder, settings);
  const { 'user-api': api } = await server.started;
  await fetch(`${api}/v1/api/userStationList?code=unspoken`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${PARENT}-01`,
    },
    body: '{}',
  });
  await fetch(`${api}/v1/api/inverterList`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==',
      date: new Date().toUTCString(),
      authorization: `API 1300000000000000001:${Buffer.alloc(20).toString('base64')}`,
      traceparent: `00-${TRACE}-${PARENT}-01`,
    },
    body: '{}',
  });
  await fetch(`${api}/nothing`, { headers: { traceparent: 'nonsense' } });
  await fetch(`${api}/nothing`, { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  server.kill('SIGTERM');
  await server.ended;
}

test('requests are traced where the settings say, in the trace of their caller, without what is secret', async () => {
  await askServer({ HELIOPORT_TRACES_URL: url, HELIOPORT_TRUSTED_PROXIES: '127.0.0.1' });
  const own = received.find(({ name }) => name === 'userStationList')!;
  expect(own).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(BigInt(own.endTimeUnixNano)).toBeGreaterThan(BigInt(own.startTimeUnixNano));
  const attributes = Object.fromEntries(
    own.attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]),
  );
  expect(attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 400,
    'url.path': '/v1/api/userStationList',
    'helioport.listener': 'user-api',
    'helioport.code': '400',
  });
  expect(JSON.stringify(received)).not.toContain('unspoken');
  // What the database was asked for is within the request, with places instead of values.
  const asking = received.find(({ name }) => name === 'inverterList')!;
  const statements = received.filter(({ parentSpanId }) => parentSpanId === asking.spanId);
  expect(statements.map(({ name }) => name)).toContain('select');
  expect(JSON.stringify(statements)).toContain('keyPair');
  expect(JSON.stringify(statements)).not.toContain('1300000000000000001');
  for (const { traceId, startTimeUnixNano, endTimeUnixNano } of statements) {
    expect(traceId).toBe(TRACE);
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  // A broken traceparent begins a trace of its own, and callers who are not traced are left out.
  const others = received.filter(({ name }) => name === 'GET user-api');
  expect(others.length).toBe(1);
  expect(others[0]!.traceId).not.toBe(TRACE);
});

test('nothing is traced unless the settings say so, and a collector that is away disturbs nobody', async () => {
  await askServer({});
  expect(received).toEqual([]);
  collector.close();
  await askServer({ HELIOPORT_TRACES_URL: url });
});

test('the packages that trace are loaded only where something is traced', async () => {
  const { readSources } = await import('../../lint/sources.ts');
  const importing = [...readSources('packages/server/src/**/*.ts')]
    .filter(([, text]) =>
      /from '@opentelemetry|import \{[^}]*\} from '[^']*\/tracing\.ts'/.test(text),
    )
    .map(([path]) => path);
  expect(importing).toEqual(['packages/server/src/platform/kernel/traces/tracing.ts']);
});

test('what strangers say of their traces is continued, and decides nothing', async () => {
  const chances: number[] = [];
  const traces = openTraces({
    url,
    percent: 10,
    version: '1',
    clock: systemClock,
    random: () => chances.shift()!,
  });
  const ask = (flag: '00' | '01', isTrusted: boolean, chance: number): void => {
    chances.push(chance);
    // Its trace id is of those that a ratio of the ids would choose.
    const headers = { traceparent: `00-${TRACE.slice(0, 16)}0000000000000001-${PARENT}-${flag}` };
    const name = `${flag} ${isTrusted} ${chance}`;
    const rest = { attributes: {}, isFault: false, isTrusted, statements: [] };
    traces.request({ name, headers, seconds: 1, ...rest });
    chances.length = 0;
  };
  for (const flag of ['00', '01'] as const)
    for (const isTrusted of [true, false])
      for (const chance of [0.05, 0.5]) ask(flag, isTrusted, chance);
  await traces.stop();
  expect(received.map(({ name }) => name).toSorted()).toEqual([
    '00 false 0.05',
    '01 false 0.05',
    '01 true 0.05',
    '01 true 0.5',
  ]);
  expect(new Set(received.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([PARENT]));
});

test('deliveries are traced with what became of them', async () => {
  const traces = openTraces({ url, percent: 100, version: '1', clock: systemClock });
  const outcomes: DeliveryOutcome[] = [
    { kind: 'delivered' },
    { kind: 'failed', reason: 'the answer was 503' },
  ];
  const sink = tracedSink(
    { atMost: 2, send: async () => outcomes.shift()!, close: async () => {} },
    { id: '7', transport: 'http' },
    traces,
    systemClock,
  );
  const events = [{}, {}] as never;
  expect(await sink.send(events, new AbortController().signal)).toEqual({ kind: 'delivered' });
  await sink.send(events, new AbortController().signal);
  await traces.stop();
  expect(received.map(({ name, status }) => [name, status])).toEqual([
    ['deliver http', expect.not.objectContaining({ code: 2 })],
    ['deliver http', { code: 2, message: 'the answer was 503' }],
  ]);
  for (const { attributes } of received)
    expect(JSON.stringify(attributes)).toMatch(/message_count.*2.*helioport.destination.*7/);
});
