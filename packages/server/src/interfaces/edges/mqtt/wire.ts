import { generate, type Packet } from 'mqtt-packet';
import type { Socket } from 'node:net';
import { endLingering } from '../../../platform/kernel/linger.ts';
import { framesOf, type FrameLimits } from './frames.ts';
import { versionOf, type Connect, type Version } from './read-connect.ts';
import { readPacket, type Received } from './read-packet.ts';
import { reasons, returnCodes, type Reason } from './reasons.ts';
import { Violation } from './violation.ts';

/** The limits of a connection. */
export interface WireLimits extends FrameLimits {
  /** Time within which the first packet must arrive. */
  readonly greetingMs: number;
  /** Time within which a peer must receive what is sent to it. */
  readonly drainMs: number;
}

/** One connection, packet by packet. */
export interface Wire {
  /** The first packet, which must be a CONNECT. Undefined if the connection has ended, or was refused because it was none. */
  greeting(): Promise<Connect | undefined>;
  /** The next packet; undefined if the connection has ended. Throws Violation. */
  next(): Promise<Received | undefined>;
  /**
   * Resolves when the packet has been written or the connection has ended, so that nothing is read from a peer that does not read. One that is larger than
   * the peer allows is dropped [MQTT-3.1.2-24].
   */
  send(packet: Packet): Promise<void>;
  /** Refuses the connection. */
  refuse(reason: Reason): void;
  /** Ends the connection; with MQTT 5, the peer learns why. */
  end(reason: Reason): void;
  /** Ends the connection if it has not ended, and resolves when it is closed: what the peer still sends is read for a while, so that it learns why. */
  over(): Promise<void>;
  /** Ends the connection once the current packet has been answered. */
  endSoon(reason: Reason): void;
  readonly isClosed: boolean;
}

/** A peer that sends nothing for this multiple of its keep alive is considered gone (MQTT 3.1.1, 3.1.2.10). */
const KEEP_ALIVE_SHARE = 1.5;

/** What a peer may still send when its connection ends. */
const LINGER = { bytes: 32 * 1024 * 1024, ms: 2_000 };

export function createWire(socket: Socket, limits: WireLimits): Wire {
  let isGreeted = false;
  let isAccepted = false;
  let isWaiting = true;
  let ending: Reason | undefined;
  let version: Version | undefined;
  let silenceMs = 0;
  let sendableBytes = Infinity;
  let closed: Promise<void> | undefined;
  let head: Buffer = Buffer.alloc(0);
  const frames = framesOf(
    // What ends the reading must not end the connection: the peer is to learn why.
    socket.iterator({ destroyOnReturn: false }),
    {
      // Before the greeting, no packet may be large.
      get publishBytes() {
        return isGreeted ? limits.publishBytes : limits.otherBytes;
      },
      otherBytes: limits.otherBytes,
    },
    (data) => void (head = data),
  );
  // A connection that is reset ends like any other.
  socket.on('error', () => {});
  socket.on('timeout', () => self.end('keepAliveTimeout'));

  async function nextPacket(): Promise<Received | undefined> {
    try {
      const { value } = await frames.next();
      // What arrives after the end is not for us.
      if (!value || self.isClosed) return undefined;
      return readPacket(value, version, limits.otherBytes);
    } catch (error) {
      if (error instanceof Violation && !self.isClosed) throw error;
      return undefined;
    }
  }

  function write(packet: Packet): boolean {
    const bytes = generate(packet, { protocolVersion: version ?? 4 });
    return bytes.length > sendableBytes || socket.write(bytes);
  }

  /** Nothing is sent any more; the rest is for `over`. */
  function endWriting(): void {
    socket.setTimeout(0);
    void self.over();
  }

  const self: Wire = {
    async greeting() {
      const late = setTimeout(() => socket.destroy(), limits.greetingMs);
      try {
        const packet = await nextPacket();
        if (packet?.cmd !== 'connect') return undefined;
        version = packet.version;
        isGreeted = true;
        silenceMs = packet.keepAliveSeconds * 1000 * KEEP_ALIVE_SHARE;
        sendableBytes = packet.properties.maximumPacketSize ?? Infinity;
        return packet;
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        version = versionOf(head);
        self.refuse(error.reason);
        return undefined;
      } finally {
        clearTimeout(late);
      }
    },
    async next() {
      if (ending) self.end(ending);
      // The time during which nothing is read does not count as silence.
      if (!self.isClosed) socket.setTimeout(silenceMs);
      isWaiting = true;
      const packet = await nextPacket();
      isWaiting = false;
      socket.setTimeout(0);
      return packet;
    },
    send(packet) {
      if (packet.cmd === 'connack') isAccepted = true;
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
      const returnCode = returnCodes[reason];
      if (version === 5)
        write({ cmd: 'connack', sessionPresent: false, reasonCode: reasons[reason] });
      else if (returnCode !== undefined)
        write({ cmd: 'connack', sessionPresent: false, returnCode });
      endWriting();
    },
    end(reason) {
      if (self.isClosed) return;
      // Before the CONNACK there is no DISCONNECT [MQTT-3.14.0-1].
      if (isGreeted && !isAccepted) return self.refuse('unavailable');
      if (version === 5) write({ cmd: 'disconnect', reasonCode: reasons[reason] });
      endWriting();
    },
    endSoon(reason) {
      ending = reason;
      if (isWaiting) self.end(reason);
    },
    over: () => (closed ??= endLingering(socket, LINGER)),
    get isClosed() {
      return socket.destroyed || socket.writableEnded;
    },
  };
  return self;
}
