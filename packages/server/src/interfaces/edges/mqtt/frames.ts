import { isPublish } from './read-packet.ts';
import { malformed, Violation } from './violation.ts';

/** Maximum size of packets, bytes. */
export interface FrameLimits {
  readonly publishBytes: number;
  /** Every other packet, and the properties of a PUBLISH, which cost far more to parse than a payload of the same size. */
  readonly otherBytes: number;
}

/**
 * The packets of a connection, one at a time: nothing is read until the previous one has been processed. A packet that is too large is
 * refused by its header, before it is received. Throws Violation.
 * @param look is shown what has arrived of a packet before it is refused
 */
export async function* framesOf(
  chunks: AsyncIterable<Buffer>,
  limits: FrameLimits,
  look: (head: Buffer) => void,
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
      look(data);
      needed = lengthOf(data);
      if (needed > (isPublish(data) ? limits.publishBytes : limits.otherBytes))
        throw new Violation('tooLarge', 'the packet is too large');
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

/** Length of the first packet including its header, or the number of bytes needed to determine it. */
function lengthOf(data: Buffer): number {
  let length = 0;
  for (let i = 0; i < LENGTH_BYTES_AT_MOST; i++) {
    const byte = data[1 + i];
    if (byte === undefined) return Math.max(data.length + 1, HEADER_AT_LEAST);
    length += (byte & 0x7f) * 0x80 ** i;
    if (byte < 0x80) return 2 + i + length;
  }
  throw malformed('the length has more than four bytes');
}
