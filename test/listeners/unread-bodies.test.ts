import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';

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

const MIB = 1024 * 1024;
type Port = 'userApi' | 'oauth' | 'portal' | 'gateway' | 'ops';

interface Outcome {
  readonly status: number | undefined;
  readonly answers: number;
  readonly sentAll: boolean;
  readonly fault: string | undefined;
}

/** A client that reads nothing before it has sent everything, as most do. */
async function send(
  address: string,
  path: string,
  {
    bytes,
    headers = [],
    chunked = false,
  }: { bytes: number; headers?: string[]; chunked?: boolean },
): Promise<Outcome> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).pause();
  let fault: string | undefined;
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (fault = code));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  socket.write([`POST ${path} HTTP/1.1`, 'Host: a', length, ...headers, '', ''].join('\r\n'));
  const piece = Buffer.alloc(64 * 1024, 0x20);
  const framed = chunked
    ? Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
    : piece;
  let left = bytes;
  for (; left > 0 && !socket.destroyed; left -= piece.length)
    if (!socket.write(left < piece.length ? piece.subarray(0, left) : framed))
      await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
  if (chunked && !socket.destroyed) socket.write('0\r\n\r\n');
  const sentAll = left <= 0 && !socket.destroyed;
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
    if (/\r\nconnection: keep-alive\r\n/i.test(answer)) socket.end();
  });
  socket.resume();
  await closed;
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { status: statuses[0], answers: statuses.length, sentAll, fault };
}

const PATHS: readonly (readonly [Port, string, string, number])[] = [
  ['userApi', '/v1/api/userStationList', 'application/json', 413],
  ['userApi', '/v1/api/nothing', 'application/json', 404],
  ['userApi', '/v1/api/userStationList', 'text/plain', 415],
  ['oauth', '/oauth/token', 'application/x-www-form-urlencoded', 413],
  ['portal', '/portal/api/nothing', 'application/json', 404],
  ['gateway', '/v1/readings', 'application/json', 401],
  ['gateway', '/nothing', 'application/json', 404],
  ['ops', '/metrics', 'application/json', 405],
];
const address = (port: Port): string => app.addresses[port === 'userApi' ? 'user-api' : port]!;

describe.each([
  ['of a length that is stated', false],
  ['in chunks', true],
])(
  'a client that sends too large a body %s, and reads only then, gets its answer',
  (_, chunked) => {
    test.each(PATHS)('from %s %s (%s): %i', async (port, path, type, status) => {
      for (const [bytes, connection] of [
        [MIB + 1, 'close'],
        [5 * MIB, 'close'],
        [5 * MIB, 'keep-alive'],
        [20 * MIB, 'keep-alive'],
      ] as const) {
        const outcome = await send(address(port), path, {
          bytes: chunked ? Math.ceil(bytes / 65_536) * 65_536 : bytes,
          headers: [`Content-Type: ${type}`, `Connection: ${connection}`],
          chunked,
        });
        expect(outcome, `${bytes} ${connection}`).toMatchObject({
          status,
          answers: 1,
          sentAll: true,
          fault: undefined,
        });
      }
    });
  },
);

test('a body without an end is not read for ever', async () => {
  const since = performance.now();
  const outcome = await send(address('userApi'), '/v1/api/userStationList', {
    bytes: 4_000 * MIB,
    headers: ['Content-Type: application/json'],
  });
  expect(outcome.sentAll).toBe(false);
  // It is ended for its size, long before the time is up.
  expect(performance.now() - since).toBeLessThan(10_000);
});

test('a head that is too large is answered as well', async () => {
  const { hostname, port } = new URL(address('userApi'));
  const socket = connect(Number(port), hostname).pause();
  const faults: unknown[] = [];
  socket.on('error', (error) => faults.push(error));
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(3 * MIB)}`);
  await once(socket, 'drain');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).resume();
  await once(socket, 'close');
  expect([answer.slice(0, 12), faults]).toEqual(['HTTP/1.1 400', []]);
});
