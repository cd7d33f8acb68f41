import { createServer, type Server, type Socket } from 'node:net';
import { createCollector, createMemoryBacklog, type Collector } from '@helioport/collector';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMqttLink } from '../../packages/collector/src/mqtt/mqtt-link.ts';
import { packet, publishPacket } from '../mqtt/packets.ts';

const ODD_MS = 20_000;
const CONNECTIONS_AT_MOST = 20;
const GIVEN_UP = 100;
const [CONNECT, PUBLISH, SUBSCRIBE] = [1, 3, 8];
const GRANTED = [0, 0];
const OUTCOME = { status: 200, accepted: 1, duplicate: 0, refused: [] };
const TOPIC = 'helioport/v1/C1/';

/** What a broker does otherwise than it should. */
interface Oddity {
  /** Sent when a client connects; by default, that it may. */
  readonly connack?: Buffer;
  /** Sent when it subscribes; by default, that it may. Null: nothing. */
  readonly granted?: readonly number[] | null;
  /** Acknowledges a message with this, beside its id; nothing if there is none. */
  readonly ack?: ((id: string) => unknown) | undefined;
  readonly ackTopic?: string;
  /** Sent after the subscriptions. */
  readonly sent?: Buffer;
}

const acked = (ack: object): Oddity => ({ ack: (id) => ({ id, ...ack }) });
const HUGE = packet(0x30, Buffer.alloc(6_000_000, 0x61));

const ODDITIES: Readonly<Record<string, Oddity>> = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 127, 255].map((code) => [
      `CONNACK ${code}`,
      { connack: packet(0x20, Buffer.of(0, code)) },
    ]),
  ),
  'CONNACK with more bytes': {
    connack: packet(0x20, Buffer.of(0, 0, 3, 0x21, 0, 0)),
    granted: null,
  },
  'two CONNACKs': { connack: Buffer.from([0x20, 2, 0, 0, 0x20, 2, 0, 0]) },
  'no MQTT': { connack: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') },
  'a packet of another kind': { connack: packet(0xf0, Buffer.alloc(3)) },
  'no SUBACK': { granted: null },
  'refused subscriptions': { granted: [0x80, 0x80] },
  'too few subscriptions': { granted: [0] },
  'no ack': {},
  'an ack of another message': { ack: () => ({ ...OUTCOME, id: 'm-999' }) },
  'an ack of no message': acked({ ...OUTCOME, id: null }),
  'an ack for another collector': { ...acked(OUTCOME), ackTopic: 'helioport/v1/C2/ack' },
  'an ack as a command': { ...acked(OUTCOME), ackTopic: `${TOPIC}command` },
  'an ack without an outcome': acked({ status: 200 }),
  'an ack with an odd outcome': acked({ ...OUTCOME, refused: 'none' }),
  'an ack without a status': acked({ accepted: 1, duplicate: 0, refused: [] }),
  'an ack with a text as status': acked({ ...OUTCOME, status: '200' }),
  'an ack with 201': acked({ ...OUTCOME, status: 201 }),
  ...Object.fromEntries(
    [0, 301, 401, 403, 404, 405, 407, 429, 500, 503].map((status) => [
      `an ack with ${status}`,
      acked({ status, msg: 'no', retryAfterSeconds: 0 }),
    ]),
  ),
  'an ack of 400 without words': acked({ status: 400, msg: { text: 'no' } }),
  'an ack with an odd pause': acked({ status: 429, msg: '', retryAfterSeconds: -1e9 }),
  ...Object.fromEntries(
    [null, [], 5, 'ok', true].map((ack) => [
      `an ack of ${JSON.stringify(ack)}`,
      { ack: () => ack },
    ]),
  ),
  'a packet without end': { sent: HUGE },
  'commands that are none': {
    sent: publishPacket(4, `${TOPIC}command`, '{"commands":[null,{"id":[]}]}', { qos: 0 }),
  },
};

/** What is no ack of a message of ours. */
const NEVER_ACKED =
  /no ack|another|no message|as a command|without a status|text as status|ack of (null|\[|5|"|true)|commands/;

let oddity: Oddity;
let now: number;
let connections: number;
let stored: number[];
let server: Server;
let collector: Collector | undefined;
const sockets = new Set<Socket>();
const isOver = (): boolean => now >= ODD_MS || connections > GIVEN_UP;

/** One whole packet at the beginning of the bytes; undefined if it is not all there. */
function firstPacket(bytes: Buffer): { type: number; body: Buffer; size: number } | undefined {
  let [length, shift, at] = [0, 0, 1];
  for (; at < bytes.length; at++, shift += 7) {
    length |= (bytes[at]! & 0x7f) << shift;
    if (bytes[at]! < 0x80) break;
  }
  const size = at + 1 + length;
  return bytes.length < size
    ? undefined
    : { type: bytes[0]! >> 4, body: bytes.subarray(at + 1, size), size };
}

function answer(socket: Socket, { type, body }: { type: number; body: Buffer }): void {
  const how: Oddity = isOver() ? acked(OUTCOME) : oddity;
  if (type === CONNECT) {
    if (!isOver()) connections += 1;
    socket.write(how.connack ?? packet(0x20, Buffer.of(0, 0)));
  } else if (type === SUBSCRIBE) {
    const { granted = GRANTED, sent } = how;
    if (granted) socket.write(packet(0x90, body.subarray(0, 2), Buffer.from(granted)));
    if (sent) socket.write(sent);
  } else if (type === PUBLISH) {
    const topicEnd = 2 + body.readUInt16BE(0);
    socket.write(packet(0x40, body.subarray(topicEnd, topicEnd + 2)));
    const message = JSON.parse(body.subarray(topicEnd + 2).toString('utf8')) as {
      id: string;
      readings: { at: number }[];
    };
    if (isOver()) stored.push(...message.readings.map(({ at }) => at));
    if (how.ack) {
      const ack = JSON.stringify(how.ack(message.id));
      socket.write(publishPacket(4, how.ackTopic ?? `${TOPIC}ack`, ack, { qos: 0 }));
    }
  }
}

beforeEach(async () => {
  [now, connections, stored, collector] = [0, 0, [], undefined];
  server = createServer({ noDelay: true }, (socket) => {
    let bytes: Buffer = Buffer.alloc(0);
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let one = firstPacket(bytes); one; one = firstPacket(bytes)) {
        bytes = bytes.subarray(one.size);
        answer(socket, one);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await collector?.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test.each(Object.entries(ODDITIES))('a broker with %s has nothing forgotten', async (name, how) => {
  oddity = how;
  let calls = 0;
  // Only where nothing comes does the time decide.
  const isSilent = NEVER_ACKED.test(name);
  const backlog = createMemoryBacklog();
  const link = createMqttLink({
    url: `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`,
    collectorId: 'C1',
    tokenId: 'T1',
    token: 'secret',
    clock: { now: () => now },
    connectLimitMs: how.granted === null ? 100 : 5_000,
    ackLimitMs: isSilent ? 100 : 5_000,
  });
  collector = createCollector({
    link: { ...link, report: (...report) => ((calls += isOver() ? 0 : 1), link.report(...report)) },
    backlog,
    clock: { now: () => now },
    uptime: () => now,
    async pause(ms, signal) {
      signal?.throwIfAborted();
      expect(ms).toBeGreaterThan(0);
      now += ms;
    },
  });
  for (const at of [1, 2, 3])
    collector.report({ readings: [{ sn: 'A', at, values: { acPowerW: 1 } }] }, 'backlog');
  await collector.whenDelivered();
  // What is acknowledged too late is sent again, which does no harm.
  expect([...new Set(stored)]).toEqual([1, 2, 3]);
  expect(backlog.waiting).toBe(0);
  expect(connections).toBeGreaterThan(0);
  expect(Math.max(calls, connections)).toBeLessThanOrEqual(CONNECTIONS_AT_MOST);
});
