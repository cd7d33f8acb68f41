import { generate, parser, type IConnectPacket, type Packet } from 'mqtt-packet';
import type { Socket } from 'node:net';
import { framesOf, isPublish, Malformed, propertyBytes, type FrameLimits } from './frames.ts';
import { reasons, returnCodes, type Reason } from './reasons.ts';

/** The limits of a connection. */
export interface WireLimits extends FrameLimits {
  /** Time within which the first packet must arrive. */
  readonly greetingMs: number;
  /** Time within which a peer must receive what is sent to it. */
  readonly drainMs: number;
}

/** One connection, packet by packet. */
export interface Wire {
  /** The first packet, which must be a CONNECT. Undefined if the connection has ended. Throws Malformed. */
  greeting(): Promise<IConnectPacket | undefined>;
  /** The next packet; undefined if the connection has ended. Throws Malformed. */
  next(): Promise<Packet | undefined>;
  /** Resolves when the packet has been written or the connection has ended, so that nothing is read from a peer that does not read. */
  send(packet: Packet): Promise<void>;
  /** Refuses the connection. */
  refuse(reason: keyof typeof returnCodes): void;
  /** Ends the connection; with MQTT 5, the peer is told why. */
  end(reason: Reason): void;
  /** Ends the connection once the current packet has been answered. */
  endSoon(reason: Reason): void;
  readonly isClosed: boolean;
}

/** A peer that sends nothing for this multiple of its keep alive is considered gone (MQTT 3.1.1, 3.1.2.10). */
const KEEP_ALIVE_SHARE = 1.5;

export function createWire(socket: Socket, limits: WireLimits): Wire {
  let isGreeted = false;
  let isWaiting = true;
  let ending: Reason | undefined;
  let version: 3 | 4 | 5 = 4;
  let silenceMs = 0;
  let read = reader();
  const frames = framesOf(socket as AsyncIterable<Buffer>, {
    // Before the greeting, no packet may be large.
    get publishBytes() {
      return isGreeted ? limits.publishBytes : limits.otherBytes;
    },
    otherBytes: limits.otherBytes,
  });
  // A connection that is reset ends like any other.
  socket.on('error', () => {});
  socket.on('timeout', () => self.end('keepAliveTimeout'));

  async function nextPacket(): Promise<Packet | undefined> {
    try {
      const { value } = await frames.next();
      if (value && version === 5 && isPublish(value) && propertyBytes(value) > limits.otherBytes)
        throw new Malformed(true);
      return value && read(value);
    } catch (error) {
      if (error instanceof Malformed) throw error;
      return undefined;
    }
  }

  const write = (packet: Packet): boolean =>
    socket.write(generate(packet, { protocolVersion: version }));

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
      // The time during which nothing is read does not count as silence.
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
      const code =
        version === 5 ? { reasonCode: reasons[reason] } : { returnCode: returnCodes[reason] };
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
  // An error is recognized by the missing packet.
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
