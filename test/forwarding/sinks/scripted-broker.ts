import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { packet } from '../../mqtt/packets.ts';

interface Publication {
  readonly topic: string;
  readonly payload: string;
  /** Acknowledges it with a reason code of MQTT 5, and in how many words. */
  acknowledge(reason?: number, words?: string): void;
}

/** A broker of MQTT 5 that does what a test says, right or wrong. */
export interface ScriptedBroker {
  readonly port: number;
  readonly publications: Publication[];
  /** Called for each publication; acknowledges it unless a test says otherwise. */
  onPublication(publication: Publication, socket: Socket): void;
  /** What follows the answer to CONNECT. */
  onConnected(socket: Socket): void;
  close(): void;
}

const PUBLISH = 3;
const RECEIVE_MAXIMUM = 0x21;

/** @param inFlight publications that the broker takes before it has acknowledged the first */
export async function openScriptedBroker(inFlight = 65_535): Promise<ScriptedBroker> {
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket.on('error', () => {}));
    for await (const { type, body } of packetsOf(socket)) {
      if (type === 1) {
        socket.write(
          packet(0x20, Buffer.from([0, 0, 3, RECEIVE_MAXIMUM, inFlight >> 8, inFlight & 0xff])),
        );
        broker.onConnected(socket);
      }
      if (type === PUBLISH) receive(socket, body);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function receive(socket: Socket, body: Buffer): void {
    const end = 2 + body.readUInt16BE(0);
    const messageId = body.subarray(end, end + 2);
    // The sink sends fewer than 16 kB of properties: their length has one or two bytes.
    const long = body[end + 2]! > 127;
    const propertyBytes = long ? (body[end + 2]! & 127) + body[end + 3]! * 128 : body[end + 2]!;
    const publication = {
      topic: body.subarray(2, end).toString('utf8'),
      payload: body.subarray(end + (long ? 4 : 3) + propertyBytes).toString('utf8'),
      acknowledge: (reason = 0, words = '') =>
        void socket.write(packet(0x40, messageId, Buffer.from([reason]), reasonString(words))),
    };
    broker.publications.push(publication);
    broker.onPublication(publication, socket);
  }

  const broker: ScriptedBroker = {
    port: (server.address() as AddressInfo).port,
    publications: [],
    onPublication: (publication) => publication.acknowledge(),
    onConnected() {},
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return broker;
}

/** The properties of a packet with a Reason String of fewer than 16,000 letters, or none. */
function reasonString(words: string): Buffer {
  if (words === '') return Buffer.from([0]);
  const length = words.length + 3;
  return Buffer.concat([
    Buffer.from([(length & 127) | 128, length >> 7, 0x1f, words.length >> 8, words.length & 0xff]),
    Buffer.from(words),
  ]);
}

async function* packetsOf(socket: Socket): AsyncGenerator<{ type: number; body: Buffer }> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (let found = firstOf(rest); found; found = firstOf(rest)) {
        yield { type: rest[0]! >> 4, body: rest.subarray(found.start, found.end) };
        rest = rest.subarray(found.end);
      }
    }
  } catch {
    // The other side broke off.
  }
}

/** Where the body of the first whole packet is. MQTT 5.0 2.1.4 */
function firstOf(bytes: Buffer): { start: number; end: number } | undefined {
  let length = 0;
  for (let i = 1; i < bytes.length && i < 5; i++) {
    length += (bytes[i]! & 127) * 128 ** (i - 1);
    if (bytes[i]! < 128)
      return i + 1 + length <= bytes.length ? { start: i + 1, end: i + 1 + length } : undefined;
  }
  return undefined;
}
