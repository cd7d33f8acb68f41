import { PacketBytes } from './packet-bytes.ts';
import { readProperties, type Properties } from './properties.ts';
import { readConnect, type Connect, type Version } from './read-connect.ts';
import { isTopicFilter, isTopicName } from './topics.ts';
import { malformed, protocolError, Violation } from './violation.ts';

export interface Publish {
  readonly cmd: 'publish';
  readonly topic: string;
  readonly qos: number;
  readonly isRetained: boolean;
  /** 0 if QoS is 0. */
  readonly messageId: number;
  readonly properties: Properties;
  readonly payload: Buffer;
}

export interface Subscribe {
  readonly cmd: 'subscribe';
  readonly messageId: number;
  readonly properties: Properties;
  readonly filters: readonly string[];
}

export interface Unsubscribe {
  readonly cmd: 'unsubscribe';
  readonly messageId: number;
  readonly filters: readonly string[];
}

export interface Disconnect {
  readonly cmd: 'disconnect';
  readonly reasonCode: number;
  readonly properties: Properties;
}

/** A packet that a client may send to this broker. */
export type ReceivedPacket =
  | Connect
  | Publish
  | Subscribe
  | Unsubscribe
  | { readonly cmd: 'pingreq' }
  | Disconnect;

const TYPES: Readonly<Record<number, ReceivedPacket['cmd']>> = {
  1: 'connect',
  3: 'publish',
  8: 'subscribe',
  10: 'unsubscribe',
  12: 'pingreq',
  14: 'disconnect',
};

/** The lower four bits of the first byte of every other packet are 0 [MQTT-2.1.3-1]. */
const FLAGS: Readonly<Record<number, number>> = { 6: 2, 8: 2, 10: 2 };

const PUBLISH = 3;

export const isPublish = (frame: Buffer): boolean => frame[0]! >> 4 === PUBLISH;

/**
 * Reads a whole packet by the letter of MQTT 3.1.1 and 5. Throws Violation.
 * @param version that of the CONNECT; undefined before there was one
 * @param propertyBytes how long the properties of a PUBLISH may be
 */
export function readPacket(
  frame: Buffer,
  version: Version | undefined,
  propertyBytes: number,
): ReceivedPacket {
  const type = frame[0]! >> 4;
  const flags = frame[0]! & 0x0f;
  if (type === 0 || (type === 15 && version !== 5)) throw malformed('the type is reserved');
  if (type !== PUBLISH && flags !== (FLAGS[type] ?? 0)) throw malformed('reserved flags are set');
  const bytes = new PacketBytes(frame, bodyAt(frame, version));
  const cmd = TYPES[type];
  // The first packet is a CONNECT, and no other is [MQTT-3.1.0-1], [MQTT-3.1.0-2].
  if (!cmd || (cmd === 'connect') !== (version === undefined))
    throw protocolError('a client may not send this packet now');
  switch (cmd) {
    case 'connect':
      return readConnect(bytes);
    case 'publish':
      return readPublish(bytes, flags, version!, propertyBytes);
    case 'subscribe':
      return readSubscribe(bytes, version!);
    case 'unsubscribe':
      return readUnsubscribe(bytes, version!);
    case 'pingreq':
      bytes.end();
      return { cmd };
    case 'disconnect':
      return readDisconnect(bytes, version!);
  }
}

/** Where the packet continues behind its length. Only MQTT 5 asks for the shortest form of it. */
function bodyAt(frame: Buffer, version: Version | undefined): number {
  if (version === 5) new PacketBytes(frame, 1).integer();
  return frame.findIndex((byte, at) => at > 0 && byte < 0x80) + 1;
}

function readPublish(
  bytes: PacketBytes,
  flags: number,
  version: Version,
  propertyBytes: number,
): Publish {
  const qos = (flags >> 1) & 3;
  // [MQTT-3.3.1-4]
  if (qos === 3) throw malformed('there is no QoS 3');
  // [MQTT-3.3.1-2]
  if (qos === 0 && flags & 0x08) throw malformed('a message of QoS 0 is no duplicate');
  const topic = bytes.text();
  // [MQTT-3.3.2-2]
  if (topic !== '' && !isTopicName(topic)) throw malformed('a topic has a wildcard');
  const messageId = qos > 0 ? readMessageId(bytes) : 0;
  const properties = version === 5 ? readBounded(bytes, propertyBytes) : {};
  if (topic === '' && properties.topicAlias === undefined)
    throw protocolError('the topic is empty');
  const isRetained = (flags & 0x01) !== 0;
  return { cmd: 'publish', topic, qos, isRetained, messageId, properties, payload: bytes.rest() };
}

function readBounded(bytes: PacketBytes, atMost: number): Properties {
  if (bytes.peekInteger() > atMost) throw new Violation('tooLarge', 'the properties are too large');
  return readProperties(bytes, 'publish');
}

// [MQTT-2.2.1-3]
function readMessageId(bytes: PacketBytes): number {
  const messageId = bytes.twoBytes();
  if (messageId === 0) throw protocolError('the packet identifier is 0');
  return messageId;
}

function readFilter(bytes: PacketBytes): string {
  const filter = bytes.text();
  // [MQTT-4.7.1-1] to [MQTT-4.7.1-3], [MQTT-4.7.3-1]
  if (!isTopicFilter(filter)) throw malformed('this is not a topic filter');
  return filter;
}

function readSubscribe(bytes: PacketBytes, version: Version): Subscribe {
  const messageId = readMessageId(bytes);
  const properties = version === 5 ? readProperties(bytes, 'subscribe') : {};
  const filters: string[] = [];
  while (!bytes.isAtEnd) {
    const filter = readFilter(bytes);
    checkOptions(bytes.byte(), filter, version);
    filters.push(filter);
  }
  // [MQTT-3.8.3-2]
  if (filters.length === 0) throw protocolError('the subscription has no topic filter');
  return { cmd: 'subscribe', messageId, properties, filters };
}

function checkOptions(options: number, filter: string, version: Version): void {
  // [MQTT-3.8.3-5]; [MQTT-3-8.3-4] of 3.1.1
  if (options & (version === 5 ? 0xc0 : 0xfc)) throw malformed('reserved options are set');
  if ((options & 3) === 3) throw protocolError('there is no QoS 3');
  if (((options >> 4) & 3) === 3) throw protocolError('there is no such retain handling');
  // [MQTT-3.8.3-4]
  if (options & 0x04 && filter.startsWith('$share/'))
    throw protocolError('a shared subscription cannot be without local messages');
}

function readUnsubscribe(bytes: PacketBytes, version: Version): Unsubscribe {
  const messageId = readMessageId(bytes);
  if (version === 5) readProperties(bytes, 'unsubscribe');
  const filters: string[] = [];
  while (!bytes.isAtEnd) filters.push(readFilter(bytes));
  // [MQTT-3.10.3-2]
  if (filters.length === 0) throw protocolError('there is no topic filter');
  return { cmd: 'unsubscribe', messageId, filters };
}

/** The reasons that a client may give (MQTT 5, 3.14.2.1). */
const FAREWELLS = new Set([
  0x00, 0x04, 0x80, 0x81, 0x82, 0x83, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
]);

function readDisconnect(bytes: PacketBytes, version: Version): Disconnect {
  const reasonCode = version === 5 && !bytes.isAtEnd ? bytes.byte() : 0;
  const properties = version === 5 && !bytes.isAtEnd ? readProperties(bytes, 'disconnect') : {};
  bytes.end();
  if (!FAREWELLS.has(reasonCode)) throw malformed('a client cannot give this reason');
  return { cmd: 'disconnect', reasonCode, properties };
}
