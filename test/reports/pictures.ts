import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG. */
export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly interlace?: number;
  /** Rows that are packed, if not as many as the height says. */
  readonly rows?: number;
  readonly more?: readonly Buffer[];
}

/** A PNG in red and half transparent. */
export function png({ width, height, interlace = 0, rows = height, more = [] }: PngShape): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, interlace], 8);
  const row = Buffer.concat([
    Buffer.of(0),
    ...Array.from({ length: width }, () => Buffer.of(200, 30, 30, 128)),
  ]);
  const packed = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)));
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    ...more,
    chunk('IDAT', packed),
    chunk('IEND'),
  ]);
}

const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff), data]);

/** The frame of a JPEG in grey; nothing is in its scan. */
export const jpeg = (width: number, height: number, { frame = 0xc0, more = [] as Buffer[] } = {}) =>
  Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...more,
    segment(
      frame,
      Buffer.of(8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0),
    ),
    segment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)),
    Buffer.of(0x12, 0x34, 0xff, 0xd9),
  ]);

export const jpegSegment = segment;
