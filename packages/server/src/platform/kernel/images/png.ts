import { crc32, inflateSync } from 'node:zlib';
import type { Fits, Image } from './picture.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const DRAWN: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Channels and bit depths of each colour type. PNG 11.2.1 */
const COLOURS: Readonly<Record<number, readonly [channels: number, depths: readonly number[]]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
};

/** A PNG without interlacing, with the chunks alone that it is drawn from. */
export function strippedPng(file: Buffer, fits: Fits): Image | undefined {
  const chunks = chunksOf(file);
  const head = chunks?.[0];
  if (!chunks || head?.type !== 'IHDR' || head.data.length !== 13) return undefined;
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [depth, colour, compression, filter, interlace] = head.data.subarray(8);
  const [channels, depths] = COLOURS[colour!] ?? [];
  if (!channels || !depths!.includes(depth!) || compression || filter || interlace)
    return undefined;
  if (width === 0 || height === 0 || !fits(width, height)) return undefined;
  if (colour === 3 && !chunks.some(({ type }) => type === 'PLTE')) return undefined;
  const drawn = chunks.filter(({ type }) => DRAWN.has(type));
  const packed = drawn.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
  const rowBytes = 1 + Math.ceil((width * channels * depth!) / 8);
  if (!holds(Buffer.concat(packed), rowBytes, height)) return undefined;
  const content = Buffer.concat([SIGNATURE, ...drawn.map(({ whole }) => whole)]);
  return { mediaType: 'image/png', width, height, content };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its length and checksum. */
  readonly whole: Buffer;
}

/** The chunks up to the end of the image; undefined if it has none, or a checksum is wrong. */
function chunksOf(file: Buffer): Chunk[] | undefined {
  if (file.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE.toString('latin1'))
    return undefined;
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + 12 <= file.length) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return undefined;
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined;
    chunks.push({ type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  return undefined;
}

/** Whether packed rows are as many as the head says, each with a known filter. No more is unpacked than that. */
function holds(packed: Buffer, rowBytes: number, height: number): boolean {
  try {
    const rows = inflateSync(packed, { maxOutputLength: rowBytes * height });
    if (rows.length !== rowBytes * height) return false;
    for (let row = 0; row < height; row++) if (rows[row * rowBytes]! > 4) return false;
    return true;
  } catch {
    return false;
  }
}
