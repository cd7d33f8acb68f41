import { collectorTopic } from '@helioport/contract';
import { connect } from 'node:net';
import {
  connectPacket,
  packet,
  publishPacket,
  subscribePacket,
  unsubscribePacket,
  type Version,
} from '../../mqtt/packets.ts';
import type { Chance } from './chance.ts';

/** A collector whose token the hostile client has. */
export interface Captured {
  readonly collectorId: string;
  readonly tokenId: string;
  readonly token: string;
  readonly sn: string;
}

/** One packet that nobody should send; now and then a proper one. */
export function hostilePacket(
  chance: Chance,
  version: Version,
  own: Captured,
  victim: Captured,
): Buffer {
  const proper = properPacket(chance, version, own, victim);
  switch (chance.below(6)) {
    case 0:
      return proper;
    case 1:
      return changed(chance, proper);
    case 2:
      return proper.subarray(0, chance.below(proper.length));
    case 3:
      return packet(chance.below(256), chance.bytes(chance.below(200)));
    case 4:
      // A length that never comes, or that none may have.
      return Buffer.from([
        0x30,
        ...chance.pick([
          [0xff, 0xff, 0xff, 0x7f],
          [0xff, 0xff, 0xff, 0xff, 0x7f],
          [0x80, 0x80, 0x01],
          [0],
        ]),
        ...chance.bytes(20),
      ]);
    default:
      return chance.bytes(1 + chance.below(300));
  }
}

function properPacket(chance: Chance, version: Version, own: Captured, victim: Captured): Buffer {
  const of = chance.oneIn(3) ? victim : own;
  const message = chance.pick(['report', 'backlog', 'result', 'ack', 'command'] as const);
  const topic = chance.pick([
    collectorTopic(of.collectorId, message),
    collectorTopic(of.collectorId, message),
    `helioport/v1/+/${message}`,
    '#',
    '',
    '$SYS/x',
    '$helioport/lost',
    'helioport/v1//report',
    chance.bytes(30),
    Buffer.from('topic\0with\uffff'),
  ]);
  const messageId = chance.below(65_536);
  switch (chance.below(8)) {
    case 0:
      return subscribePacket(version, topic, chance.below(256));
    case 1:
      return unsubscribePacket(version, topic);
    case 2:
      // PUBACK, PUBREC, PUBREL, PUBCOMP of what was never sent.
      return packet(
        chance.pick([0x40, 0x50, 0x62, 0x70]),
        Buffer.from([messageId >> 8, messageId & 0xff]),
      );
    case 3:
      // PINGREQ, DISCONNECT, AUTH, and what only servers send.
      return packet(
        chance.pick([0xc0, 0xe0, 0xf0, 0x20, 0x90, 0xb0, 0xd0, 0x00]),
        chance.bytes(chance.below(4)),
      );
    case 4:
      return connectPacket(version, of.collectorId, of.tokenId, own.token);
    default: {
      const properties =
        version === 5 && chance.oneIn(3)
          ? { properties: Buffer.from([3, 0x23, 0, chance.below(3)]) }
          : {};
      return publishPacket(version, topic, payload(chance, victim), {
        qos: chance.below(4),
        flags: chance.pick([0, 1, 8, 9]),
        messageId,
        ...properties,
      });
    }
  }
}

const payload = (chance: Chance, { sn }: Captured): string | Buffer =>
  chance.pick<() => string | Buffer>([
    () => chance.bytes(chance.below(500)),
    () =>
      JSON.stringify({
        id: 'forged',
        readings: [{ sn, at: 1_750_000_000_000 + chance.below(1e9), values: { acPowerW: 666 } }],
      }),
    () => '{"offline":true}',
    () => `{"id":"${'['.repeat(chance.below(2_000))}`,
    () => '['.repeat(chance.below(20_000)),
    () => JSON.stringify({ results: [{ id: '1793963100000000001.1', ok: true, value: 1 }] }),
    () => JSON.stringify({ id: '\0', readings: 1, __proto__: { a: 1 } }),
  ])();

function changed(chance: Chance, wire: Buffer): Buffer {
  const copy = Buffer.from(wire);
  for (let i = 0; i <= chance.below(4); i++)
    if (copy.length > 0) copy[chance.below(copy.length)] = chance.below(256);
  return copy;
}

/** How long the broker may leave a connection open on which nothing more will come. */
const PATIENCE_MS = 15;

/** One connection: a greeting, mostly a proper one, and some hostile packets. Returns how many were sent. */
export async function assail(
  port: number,
  chance: Chance,
  own: Captured,
  victim: Captured,
): Promise<number> {
  const version = chance.pick([4, 5] as const);
  const packets = Array.from({ length: 1 + chance.below(16) }, () =>
    hostilePacket(chance, version, own, victim),
  );
  const greeting = chance.oneIn(5)
    ? changed(chance, connectPacket(version, own.collectorId, own.tokenId, own.token))
    : undefined;
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}).resume();
  socket.write(greeting ?? connectPacket(version, own.collectorId, own.tokenId, own.token));
  for (const one of packets) socket.write(one);
  if (chance.oneIn(4)) socket.end();
  const over = setTimeout(() => socket.destroy(), PATIENCE_MS);
  await closed;
  clearTimeout(over);
  return packets.length + 1;
}
