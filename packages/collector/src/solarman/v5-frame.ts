import { sumOf } from './frame-bytes.ts';

/** A frame of the V5 protocol of data loggers: start, length, code, two numbers, serial number, payload, sum, end. */
export interface V5Frame {
  readonly code: number;
  /** Number of the side that asks: a client of a stick, or the server of one that pushes. */
  readonly askerNumber: number;
  /** Number that the stick counts. */
  readonly stickNumber: number;
  /** Serial number of the stick. */
  readonly serial: number;
  readonly payload: Buffer;
}

export const V5_CODES = {
  hello: 0x4110,
  data: 0x4210,
  radio: 0x4310,
  request: 0x4510,
  heartbeat: 0x4710,
  report: 0x4810,
  response: 0x1510,
} as const;

const START = 0xa5;
const END = 0x15;
const HEAD_BYTES = 11;
/** Without the payload. */
const FRAME_BYTES = 13;
const PAYLOAD_AT_MOST = 1_024;
/** A side that answers uses the code of the question minus this. */
const ANSWER_OFFSET = 0x3000;

export function encodeV5({ code, askerNumber, stickNumber, serial, payload }: V5Frame): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES + payload.length);
  frame.writeUInt8(START, 0);
  frame.writeUInt16LE(payload.length, 1);
  frame.writeUInt16LE(code, 3);
  frame.writeUInt8(askerNumber & 0xff, 5);
  frame.writeUInt8(stickNumber & 0xff, 6);
  frame.writeUInt32LE(serial, 7);
  payload.copy(frame, HEAD_BYTES);
  frame.writeUInt8(sumOf(frame), frame.length - 2);
  frame.writeUInt8(END, frame.length - 1);
  return frame;
}

/** What a stick says unasked: its side of the codes 0x41 to 0x48. */
export const isGreeting = ({ code }: V5Frame): boolean =>
  (code & 0xff) === 0x10 &&
  code >= V5_CODES.hello &&
  code <= V5_CODES.report &&
  code !== V5_CODES.request;

/** The answer that a server gives to what a stick says unasked. `seconds`: epoch; it sets the stick's clock. */
export function answerToGreeting(frame: V5Frame, seconds: number): Buffer {
  const payload = Buffer.alloc(10);
  payload.writeUInt8(frame.payload[0] ?? 0, 0);
  payload.writeUInt8(1, 1);
  payload.writeUInt32LE(Math.max(0, Math.floor(seconds)) >>> 0, 2);
  return encodeV5({
    ...frame,
    code: frame.code - ANSWER_OFFSET,
    askerNumber: frame.askerNumber + 1,
    payload,
  });
}

/** Takes frames out of a stream, skipping texts and damaged frames between them. */
export interface V5Parser {
  readonly isInside: boolean;
  /** Number of bytes that belonged to no frame. */
  readonly skipped: number;
  take(bytes: Buffer): V5Frame[];
}

export function createV5Parser(): V5Parser {
  let kept: Buffer = Buffer.alloc(0);
  let skipped = 0;
  const drop = (bytes: number): void => {
    kept = kept.subarray(bytes);
    skipped += bytes;
  };
  return {
    get isInside() {
      return kept.length > 0;
    },
    get skipped() {
      return skipped;
    },
    take(bytes) {
      kept = Buffer.concat([kept, bytes]);
      const frames: V5Frame[] = [];
      for (;;) {
        const start = kept.indexOf(START);
        if (start !== 0) drop(start === -1 ? kept.length : start);
        if (kept.length < HEAD_BYTES) return frames;
        const length = FRAME_BYTES + kept.readUInt16LE(1);
        if (length > FRAME_BYTES + PAYLOAD_AT_MOST) {
          drop(1);
          continue;
        }
        if (kept.length < length) return frames;
        const frame = kept.subarray(0, length);
        if (frame.at(-1) !== END || frame.at(-2) !== sumOf(frame)) {
          drop(1);
          continue;
        }
        frames.push({
          code: frame.readUInt16LE(3),
          askerNumber: frame[5]!,
          stickNumber: frame[6]!,
          serial: frame.readUInt32LE(7),
          payload: frame.subarray(HEAD_BYTES, -2),
        });
        kept = kept.subarray(length);
      }
    },
  };
}
