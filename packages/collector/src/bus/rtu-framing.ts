import { isCrcRight, withCrc } from './crc16.ts';
import type { Arrival, Framing } from './framing.ts';
import { pduOf } from './modbus-pdu.ts';

/** An answer is at most this long: unit, function, length, 125 words, checksum. */
const BYTES_AT_MOST = 255;

/** Modbus RTU, on a serial line or over TCP: unit, PDU, checksum. Nothing tells to which request an answer belongs. */
export function createRtuFraming(): Framing {
  let kept = Buffer.alloc(0);
  return {
    isNumbered: false,
    get isInside() {
      return kept.length > 0;
    },
    encode(request) {
      // Whatever came before belongs to no answer of this request.
      kept = Buffer.alloc(0);
      return withCrc(Buffer.concat([Buffer.of(request.unit), pduOf(request)]));
    },
    take(bytes) {
      kept = Buffer.concat([kept, bytes]);
      const arrived: Arrival[] = [];
      for (let frame = frameIn(kept); frame; frame = frameIn(kept)) {
        if (frame.start > 0) arrived.push({ kind: 'noise' });
        const whole = kept.subarray(frame.start, frame.end);
        arrived.push({
          kind: 'answer',
          unit: whole[0]!,
          pdu: whole.subarray(1, -2),
          isCurrent: true,
        });
        kept = kept.subarray(frame.end);
      }
      if (kept.length > BYTES_AT_MOST) {
        arrived.push({ kind: 'noise' });
        kept = kept.subarray(-BYTES_AT_MOST);
      }
      return arrived;
    },
  };
}

/** The first whole answer with a right checksum; lines deliver stray bytes before and after. */
function frameIn(bytes: Buffer): { start: number; end: number } | undefined {
  for (let start = 0; start + 5 <= bytes.length; start++) {
    const length = rtuLength(bytes.subarray(start));
    const end = start + (length ?? Infinity);
    if (end <= bytes.length && isCrcRight(bytes.subarray(start, end))) return { start, end };
  }
  return undefined;
}

const EXCEPTIONS = new Set([0x81, 0x82, 0x83, 0x84, 0x86, 0x90]);

/** Length of the answer that begins here, checksum included; undefined if its function is none of ours. */
export function rtuLength(frame: Uint8Array): number | undefined {
  const fn = frame[1];
  if (fn === undefined) return undefined;
  if (EXCEPTIONS.has(fn)) return 5;
  if (fn >= 1 && fn <= 4) return frame[2] === undefined ? undefined : 5 + frame[2];
  if (fn === 6 || fn === 16) return 8;
  return undefined;
}
