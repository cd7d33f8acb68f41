/** What arrives is not MQTT, or more than is accepted. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
  readonly isTooLarge: boolean;
  constructor(isTooLarge = false) {
    super(isTooLarge ? 'the packet is too large' : 'this is not MQTT');
    this.isTooLarge = isTooLarge;
  }
}

/**
 * The packets of a connection, one after the other: nothing is read before the previous one has been dealt with. `atMost` is the size in
 * bytes that the next one may have; a larger one is refused by its header, before it is received. Throws Malformed.
 */
export async function* framesOf(chunks: AsyncIterable<Buffer>, atMost: () => number): AsyncGenerator<Buffer> {
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
      if (needed > atMost()) throw new Malformed(true);
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

/** Length of the first packet, header included, or how much is needed to tell it. */
function lengthOf(data: Buffer): number {
  let length = 0;
  for (let i = 0; i < LENGTH_BYTES_AT_MOST; i++) {
    const byte = data[1 + i];
    if (byte === undefined) return Math.max(data.length + 1, HEADER_AT_LEAST);
    length += (byte & 0x7f) * 0x80 ** i;
    if (byte < 0x80) return 2 + i + length;
  }
  throw new Malformed();
}
