import { generate, parser, type IConnectPacket, type Packet } from 'mqtt-packet';
import type { Socket } from 'node:net';
import { framesOf, Malformed } from './frames.ts';
import { reasons, returnCodes, type Reason } from './reasons.ts';

/** What a connection may cost. */
export interface WireLimits {
  /** Bytes of the first packet. */
  readonly greetingBytes: number;
  /** Time until the first packet is there. */
  readonly greetingMs: number;
  /** Bytes of every other packet. */
  readonly packetBytes: number;
  /** How long a peer may take to receive what is sent to it. */
  readonly drainMs: number;
}

/** One connection, packet by packet. */
export interface Wire {
  /** The first packet, which must be a CONNECT. Undefined if the peer is gone. Throws Malformed. */
  greeting(): Promise<IConnectPacket | undefined>;
  /** The next packet; undefined if the peer is gone or silent. Throws Malformed. */
  next(): Promise<Packet | undefined>;
  /** Resolves when the peer’s connection has taken the packet, or is gone: whoever does not read is not read from either. */
  send(packet: Packet): Promise<void>;
  /** Refuses the connection. */
  refuse(reason: keyof typeof returnCodes): void;
  /** Ends the connection; with MQTT 5, the peer is told why. */
  end(reason: Reason): void;
  /** Ends the connection once the packet that is being dealt with has been answered. */
  endSoon(reason: Reason): void;
  readonly isClosed: boolean;
}

/** A peer that sends nothing for this share of its keep alive is gone (MQTT 3.1.1, 3.1.2.10). */
const KEEP_ALIVE_SHARE = 1.5;

export function createWire(socket: Socket, limits: WireLimits): Wire {
  let isGreeted = false;
  let isWaiting = true;
  let ending: Reason | undefined;
  let version: 3 | 4 | 5 = 4;
  let silenceMs = 0;
  let read = reader();
  const frames = framesOf(socket as AsyncIterable<Buffer>, () => (isGreeted ? limits.packetBytes : limits.greetingBytes));
  // A connection that is reset ends like any other.
  socket.on('error', () => {});
  socket.on('timeout', () => self.end('keepAliveTimeout'));

  async function nextPacket(): Promise<Packet | undefined> {
    try {
      const { value } = await frames.next();
      return value && read(value);
    } catch (error) {
      if (error instanceof Malformed) throw error;
      return undefined;
    }
  }

  const write = (packet: Packet): boolean => socket.write(generate(packet, { protocolVersion: version }));

  const self: Wire = {
    async greeting() {
      const late = setTimeout(() => socket.destroy(), limits.greetingMs);
      try {
        const packet = await nextPacket();
        if (!packet) return undefined;
        if (packet.cmd !== 'connect') throw new Malformed();
        version = packet.protocolVersion ?? 4;
        read = reader(version);
        isGreeted = true;
        silenceMs = (packet.keepalive ?? 0) * 1000 * KEEP_ALIVE_SHARE;
        return packet;
      } finally {
        clearTimeout(late);
      }
    },
    async next() {
      if (ending) self.end(ending);
      // The peer is not silent while nobody reads what it sends.
      socket.setTimeout(silenceMs);
      isWaiting = true;
      const packet = await nextPacket();
      isWaiting = false;
      socket.setTimeout(0);
      return packet;
    },
    send(packet) {
      if (self.isClosed || write(packet)) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(() => socket.destroy(), limits.drainMs);
      const done = (): void => {
        clearTimeout(late);
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.once('drain', done).once('close', done);
      return promise;
    },
    refuse(reason) {
      if (self.isClosed) return;
      const code = version === 5 ? { reasonCode: reasons[reason] } : { returnCode: returnCodes[reason] };
      write({ cmd: 'connack', sessionPresent: false, ...code });
      socket.destroySoon();
    },
    end(reason) {
      if (self.isClosed) return;
      if (version === 5 && isGreeted) write({ cmd: 'disconnect', reasonCode: reasons[reason] });
      socket.destroySoon();
    },
    endSoon(reason) {
      ending = reason;
      if (isWaiting) self.end(reason);
    },
    get isClosed() {
      return socket.destroyed || socket.writableEnded;
    },
  };
  return self;
}

/** Reads whole packets. The function that it returns throws Malformed. */
function reader(protocolVersion?: 3 | 4 | 5): (frame: Buffer) => Packet {
  let packet: Packet | undefined;
  const parsing = parser(protocolVersion && { protocolVersion });
  parsing.on('packet', (parsed) => (packet = parsed));
  // Without a packet, there was an error.
  parsing.on('error', () => {});
  return (frame) => {
    packet = undefined;
    try {
      parsing.parse(frame);
    } catch {
      throw new Malformed();
    }
    if (!packet) throw new Malformed();
    return packet;
  };
}
