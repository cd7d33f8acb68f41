import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readSources } from '../../lint/sources.ts';
import { exchangeEndOf } from '../../packages/server/src/interfaces/edges/http/exchange-end.ts';
import { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { createPlaces } from '../../packages/server/src/platform/kernel/places.ts';

const SERVER = 'packages/server/src/';
const sources = [...readSources('packages/server/src/**/*.ts')].map(
  ([path, text]) => [path.slice(SERVER.length), text] as const,
);
const filesWith = (pattern: RegExp): string[] =>
  sources.flatMap(([path, text]) => (pattern.test(text) ? [path] : [])).toSorted();

const places = () => createPlaces({ each: 3, refusal: () => new Failure('tooManyRequests') });

test('of many that take a place at once, as many have one as there are, and each gets it back', async () => {
  const { during, until, taken } = places();
  const held = Promise.withResolvers<void>();
  const works = Array.from({ length: 12 }, (_, i) =>
    during('one', async () => {
      await held.promise;
      if (i === 0) throw new Error('on purpose');
    }),
  );
  expect(taken('one')).toBe(3);
  await during('other', async () => expect(taken('other')).toBe(1));
  held.resolve();
  const outcomes = await Promise.allSettled(works);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect([taken('one'), taken('other')]).toEqual([0, 0]);
  const ends = Array.from({ length: 3 }, () => new AbortController());
  for (const { signal } of ends) until('one', signal);
  expect(() => until('one', new AbortController().signal)).toThrow(Failure);
  // A visitor who has gone takes none, even where none is left.
  until('one', AbortSignal.abort());
  for (const end of ends) {
    end.abort();
    end.abort();
  }
  expect(taken('one')).toBe(0);
});

test('the end of an exchange is known whenever it is asked for', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => void responses.push(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 2 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(() => responses.length).toBe(2);
  const [left, answered] = responses as [ServerResponse, ServerResponse];
  const [asked, closed] = [exchangeEndOf(answered), once(left, 'close')];
  const leaving = sockets.find(({ localPort }) => localPort === left.socket!.remotePort)!;
  leaving.destroy();
  await closed;
  expect([exchangeEndOf(left).aborted, asked.aborted]).toEqual([true, false]);
  answered.end('done');
  await once(answered, 'close');
  expect([asked.aborted, exchangeEndOf(answered)]).toEqual([true, asked]);
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('all that have places to give are known, with the test of those who leave', () => {
  expect(filesWith(/\bcreatePlaces\(/)).toEqual(
    [
      // Reports and command calls of a collector, until they were taken in: test/commands/calls.test.ts.
      'fleet/collectors/limits/limit.ts',
      // Promises of a client to a broker of somebody else's, not places of callers.
      'outbound/sinks/mqtt.ts',
      // Connections: test/mqtt/limits.test.ts and tls.test.ts, test/listeners/connection-bounds.test.ts.
      'platform/kernel/addresses/strangers.ts',
      // Downloads: test/portal/exports.test.ts.
      'interfaces/edges/portal/exports.ts',
      // Browsers that listen: test/portal/live.test.ts.
      'interfaces/edges/portal/live/streams.ts',
      'platform/kernel/places.ts',
      // Tests that somebody has under way: test/accounts/sending.test.ts.
      'interfaces/operations/test-places.ts',
    ].toSorted(),
  );
  // Their tasks give the place back when they end, whether they succeed or not: test/kernel/bounded-queue.test.ts.
  expect(filesWith(/\bcreateBoundedQueue\(/)).toEqual([
    'fleet/collectors/report.ts',
    'interfaces/edges/mqtt/broker.ts',
    'interfaces/edges/portal/reports.ts',
    'interfaces/operations/account-turns.ts',
    'measurements/ingest/ingest.ts',
    'platform/egress/names.ts',
    'platform/kernel/bounded-queue.ts',
    'platform/kernel/passwords/password.ts',
  ]);
});

test('nobody waits for the end of a request with a listener of their own, which may come too late', () => {
  expect(filesWith(/\.(on|once)\('(close|aborted)'|\.socket\.destroyed|\.hijack\(/)).toEqual([
    // A terminal.
    'interfaces/cli/secret-input.ts',
    // What is still being sent is read on; this holds no place.
    'interfaces/edges/http/bodies/unread.ts',
    // Connections, from their first moment on.
    'interfaces/edges/http/closing.ts',
    'interfaces/edges/http/connection-bounds.ts',
    'interfaces/edges/http/exchange-end.ts',
    'interfaces/edges/listeners/mqtt.ts',
    // Clients of brokers of others, from before they connect.
    'interfaces/edges/mqtt/external.ts',
    // While a packet is being written to a connection that is open.
    'interfaces/edges/mqtt/wire.ts',
    // Ends with the signal of exchange-end.ts.
    'interfaces/edges/portal/live/endpoint.ts',
    'outbound/sinks/mqtt.ts',
    // As bodies/unread.ts; asks first whether the connection is closed.
    'platform/kernel/linger.ts',
  ]);
});
