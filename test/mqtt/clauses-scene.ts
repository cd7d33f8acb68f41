import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Home } from '../commands/scene.ts';
import { packet, type Version } from './packets.ts';

export const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
export const text = (content: string | Buffer): Buffer =>
  Buffer.concat([u16(Buffer.byteLength(content)), Buffer.from(content)]);
export const bytes = (...values: number[]): Buffer => Buffer.from(values);
/** Properties with their length in front; fewer than 128 bytes. */
export const properties = (...all: Buffer[]): Buffer => {
  const content = Buffer.concat(all);
  return Buffer.concat([bytes(content.length), content]);
};
export const none = (version: Version): Buffer => (version === 5 ? bytes(0) : bytes());

/** What a CONNECT may be made to be. */
export interface Greeting {
  readonly version: Version;
  readonly firstByte?: number;
  readonly name?: string;
  readonly level?: number;
  readonly flags?: number;
  readonly keepAlive?: number;
  readonly properties?: Buffer;
  readonly clientId?: string | Buffer;
  /** Properties, topic and payload. */
  readonly will?: Buffer;
  readonly username?: string | Buffer;
  readonly password?: Buffer;
  readonly more?: Buffer;
}

export const USER_AND_PASSWORD = 0xc0;
export const CLEAN = 0x02;

export function greet(home: Home, greeting: Greeting): Buffer {
  const { version, level = version, flags = USER_AND_PASSWORD | CLEAN, will } = greeting;
  return packet(
    greeting.firstByte ?? 0x10,
    text(greeting.name ?? 'MQTT'),
    bytes(level, flags),
    u16(greeting.keepAlive ?? 60),
    greeting.properties ?? none(version),
    text(greeting.clientId ?? home.collectorId),
    will ?? bytes(),
    flags & 0x80 ? text(greeting.username ?? home.tokenId) : bytes(),
    flags & 0x40 ? (greeting.password ?? text(home.token)) : bytes(),
    greeting.more ?? bytes(),
  );
}

/** A connection, and everything that arrived on it. */
export interface Talk {
  readonly socket: Socket;
  /** As packets, each without its length. */
  heard(): number[][];
  readonly closed: Promise<void>;
}

export async function talkTo(port: number): Promise<Talk> {
  let arrived = Buffer.alloc(0);
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  socket.on('data', (chunk: Buffer) => (arrived = Buffer.concat([arrived, chunk])));
  const closed = once(socket, 'close').then(() => {});
  await once(socket, 'connect');
  return {
    socket,
    closed,
    heard() {
      const all: number[][] = [];
      for (let at = 0; at < arrived.length;) {
        const isLong = arrived[at + 1]! >= 0x80;
        const from = at + (isLong ? 3 : 2);
        const length = (arrived[at + 1]! & 0x7f) + (isLong ? arrived[at + 2]! << 7 : 0);
        all.push([arrived[at]!, ...arrived.subarray(from, from + length)]);
        at = from + length;
      }
      return all;
    },
  };
}
