import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { collectorTopic } from '@helioport/contract';
import { connectAsync } from 'mqtt';
import { bombs } from '../mqtt/bombs.ts';
import {
  connectPacket,
  packet,
  publishPacket,
  subscribePacket,
  type Version,
} from '../mqtt/packets.ts';
import type { Captured } from './hostile/mqtt.ts';

/** What `bombard-mqtt` is given. */
export interface MqttBombardment {
  readonly url: string;
  /** A collector for each hostile thing that needs a token of its own. */
  readonly captured: readonly Captured[];
  readonly seconds: number;
}

/** How many of each kind do their worst at a time. */
export const assailants = {
  bomb: 3,
  ping: 2,
  subscribe: 2,
  trespass: 2,
  reconnect: 2,
  guess: 4,
} as const;
type Kind = keyof typeof assailants;

/** How often each hostile thing was done, by kind and outcome. */
export type Tally = Record<string, number>;

/** Hostile collectors in a thread of their own, so that they do not delay the measurements. Posts `begun`, and a `Tally` in the end. */
const { url, captured, seconds } = workerData as MqttBombardment;
const until = Date.now() + seconds * 1000;
const { hostname, port } = new URL(url);
const tally: Tally = {};
const count = (what: string): void => void (tally[what] = (tally[what] ?? 0) + 1);
const isOver = (): boolean => Date.now() >= until;

/** A connection after its greeting; undefined if it was refused. */
async function greeted(
  { collectorId, tokenId }: Captured,
  token: string,
  version: Version,
): Promise<Socket | undefined> {
  const socket = connectSocket(Number(port), hostname).on('error', () => {});
  socket.write(connectPacket(version, collectorId, tokenId, token));
  const closed = once(socket, 'close');
  const answer = await Promise.race([once(socket, 'data'), closed]);
  const [connack] = answer as [Buffer | boolean];
  if (typeof connack !== 'boolean' && connack[3] === 0) return socket.resume();
  socket.destroy();
  return undefined;
}

/** Writes the same packets for as long as the other side reads them, and connects again when it no longer does. */
async function pour(kind: Kind, own: Captured, version: Version, packets: Buffer): Promise<void> {
  while (!isOver()) {
    const socket = await greeted(own, own.token, version);
    count(`${kind}: ${socket ? 'connected' : 'refused'}`);
    if (!socket) continue;
    const closed = once(socket, 'close');
    const over = setTimeout(() => socket.destroy(), until - Date.now());
    while (!socket.destroyed)
      if (!socket.write(packets))
        await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    clearTimeout(over);
  }
}

const worst: Readonly<Record<Kind, (own: Captured) => Promise<void>>> = {
  async bomb(own) {
    const client = await connectAsync(url, {
      protocolVersion: 4,
      clientId: own.collectorId,
      username: own.tokenId,
      password: own.token,
    });
    const ack = collectorTopic(own.collectorId, 'ack');
    await client.subscribeAsync(ack);
    client.on('message', (_, payload) =>
      count(`bomb: ${(JSON.parse(payload.toString()) as { status: number }).status}`),
    );
    const shapes = bombs(own.sn, Date.now());
    for (let i = 0; !isOver(); i++) {
      const { message, payload } = shapes[i % shapes.length]!;
      const answered = new Promise((resolve) => client.once('message', resolve));
      client.publish(collectorTopic(own.collectorId, message), payload, { qos: 1 });
      await Promise.race([
        answered,
        new Promise((resolve) => setTimeout(resolve, until - Date.now())),
      ]);
    }
    client.end(true);
  },
  ping: (own) => pour('ping', own, 4, Buffer.concat(Array(5_000).fill(packet(0xc0)))),
  subscribe: (own) =>
    pour(
      'subscribe',
      own,
      4,
      Buffer.concat(
        Array(500).fill(subscribePacket(4, collectorTopic(own.collectorId, 'command'))),
      ),
    ),
  trespass: (own) =>
    pour(
      'trespass',
      own,
      5,
      publishPacket(5, 'helioport/v1/1300000000000000001/report', 'x'.repeat(1_000_000)),
    ),
  async reconnect(own) {
    while (!isOver()) {
      const socket = await greeted(own, own.token, 4);
      count(`reconnect: ${socket ? 'connected' : 'refused'}`);
      socket?.destroy();
    }
  },
  async guess(own) {
    while (!isOver())
      count(`guess: ${(await greeted(own, 'guessed', 5)) ? 'connected' : 'refused'}`);
  },
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, not of a window
parentPort!.postMessage('begun');
const all = Object.entries(assailants).flatMap(([kind, amount]) =>
  Array.from({ length: amount }, () => kind as Kind),
);
await Promise.all(all.map((kind, i) => worst[kind](captured[i]!)));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, not of a window
parentPort!.postMessage(tally);
