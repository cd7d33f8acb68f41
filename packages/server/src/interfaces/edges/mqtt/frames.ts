/** The peer sent something that is not MQTT, or too large. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
  readonly isTooLarge: boolean;
  constructor(isTooLarge = false) {
    super(isTooLarge ? 'the packet is too large' : 'this is not MQTT');
    this.isTooLarge = isTooLarge;
  }
}

/** Maximum size of packets, bytes. */
export interface FrameLimits {
  readonly publishBytes: number;
  /** Every other packet, and the properties of a PUBLISH, which cost far more to parse than a payload of the same size. */
  readonly otherBytes: number;
}

/**
 * The packets of a connection, one at a time: nothing is read until the previous one has been processed. A packet that is too large is
 * refused by its header, before it is received. Throws Malformed.
 */
export async function* framesOf(
  chunks: AsyncIterable<Buffer>,
  limits: FrameLimits,
): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let held = 0;
  let needed = HEADER_AT_LEAST;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    held += chunk.length;
    if (held < needed) continue;
    let data = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    for (;;) {
      needed = lengthOf(data);
      if (needed > (isPublish(data) ? limits.publishBytes : limits.otherBytes))
        throw new Malformed(true);
      if (data.length < needed) break;
      yield data.subarray(0, needed);
      data = data.subarray(needed);
    }
    pieces = data.length > 0 ? [data] : [];
    held = data.length;
  }
}

const HEADER_AT_LEAST = 2;
const LENGTH_BYTES_AT_MOST = 4;

const PUBLISH = 3;

export const isPublish = (frame: Buffer): boolean => frame[0]! >> 4 === PUBLISH;

/** Length of the first packet including its header, or the number of bytes needed to determine it. */
function lengthOf(data: Buffer): number {
  const length = variableInteger(data, 1);
  return length ? 1 + length.bytes + length.value : Math.max(data.length + 1, HEADER_AT_LEAST);
}

/** A variable byte integer and its own length (MQTT 5, 1.5.5); undefined if the data ends before it does. Throws Malformed. */
function variableInteger(data: Buffer, at: number): { value: number; bytes: number } | undefined {
  let value = 0;
  for (let i = 0; i < LENGTH_BYTES_AT_MOST; i++) {
    const byte = data[at + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 0x80 ** i;
    if (byte < 0x80) return { value, bytes: i + 1 };
  }
  throw new Malformed();
}

/** Length of the properties of a PUBLISH of MQTT 5. Throws Malformed if it has none. */
export function propertyBytes(frame: Buffer): number {
  const topicAt = 1 + variableInteger(frame, 1)!.bytes;
  if (topicAt + 2 > frame.length) throw new Malformed();
  const qos = (frame[0]! >> 1) & 3;
  const properties = variableInteger(
    frame,
    topicAt + 2 + frame.readUInt16BE(topicAt) + (qos > 0 ? 2 : 0),
  );
  if (!properties) throw new Malformed();
  return properties.value;
}
