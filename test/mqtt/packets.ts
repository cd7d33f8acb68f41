/** MQTT packets as they go over the wire, well-formed or not: more than a client library would send. */

export type Version = 4 | 5;

const u16 = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff]);
const field = (content: string | Buffer): Buffer =>
  Buffer.concat([u16(Buffer.byteLength(content)), Buffer.from(content)]);
const noProperties = (version: Version): Buffer => Buffer.from(version === 5 ? [0] : []);

/** A packet with the right length. */
export function packet(firstByte: number, ...body: readonly Buffer[]): Buffer {
  const content = Buffer.concat(body);
  const length: number[] = [];
  let left = content.length;
  do {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>>= 7;
  } while (left > 0);
  return Buffer.concat([Buffer.from([firstByte, ...length]), content]);
}

export const connectPacket = (
  version: Version,
  clientId: string,
  username: string,
  password: string,
): Buffer =>
  packet(
    0x10,
    field('MQTT'),
    Buffer.from([version, 0xc2]),
    u16(60),
    noProperties(version),
    field(clientId),
    field(username),
    field(password),
  );

export const publishPacket = (
  version: Version,
  topic: string | Buffer,
  payload: string | Buffer,
  {
    qos = 1,
    messageId = 1,
    flags = 0,
    properties = noProperties(version),
  }: { qos?: number; messageId?: number; flags?: number; properties?: Buffer } = {},
): Buffer =>
  packet(
    0x30 | (qos << 1) | flags,
    field(topic),
    qos > 0 ? u16(messageId) : Buffer.alloc(0),
    properties,
    Buffer.from(payload),
  );

export const subscribePacket = (version: Version, filter: string | Buffer, qos = 1): Buffer =>
  packet(0x82, u16(7), noProperties(version), field(filter), Buffer.from([qos]));

export const unsubscribePacket = (version: Version, filter: string | Buffer): Buffer =>
  packet(0xa2, u16(8), noProperties(version), field(filter));
