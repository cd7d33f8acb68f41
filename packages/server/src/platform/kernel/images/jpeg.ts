import type { Fits, Image } from './picture.ts';

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda] as const;
/** Baseline and progressive frames, which everything can draw. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, restarts, and what Adobe says of the colours. ITU-T T.81 B.1.1.3 */
const DRAWN: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd, 0xee]);

/** A JPEG with the segments alone that it is drawn from. */
export function strippedJpeg(file: Buffer, fits: Fits): Image | undefined {
  if (file[0] !== 0xff || file[1] !== SOI) return undefined;
  const kept: Buffer[] = [file.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let at = 2;
  while (at + 4 <= file.length) {
    const marker = file[at + 1]!;
    if (file[at] !== 0xff || marker < 0xc0) return undefined;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (end > file.length || end < at + 4) return undefined;
    if (FRAMES.has(marker)) {
      if (size) return undefined;
      size = sizeOf(file.subarray(at + 4, end));
      if (!size || !fits(size.width, size.height)) return undefined;
    }
    if (marker === SOS) {
      const last = file.lastIndexOf(Buffer.from([0xff, EOI]));
      if (!size || last < end) return undefined;
      const content = Buffer.concat([...kept, file.subarray(at, last + 2)]);
      return { mediaType: 'image/jpeg', ...size, content };
    }
    if (FRAMES.has(marker) || DRAWN.has(marker)) kept.push(file.subarray(at, end));
    at = end;
  }
  return undefined;
}

/** The size of a frame of 8 bits in grey or three colours. */
function sizeOf(frame: Buffer): { width: number; height: number } | undefined {
  if (frame.length < 6 || frame[0] !== 8) return undefined;
  const [height, width, components] = [frame.readUInt16BE(1), frame.readUInt16BE(3), frame[5]!];
  if (width === 0 || height === 0 || ![1, 3].includes(components)) return undefined;
  return frame.length === 6 + 3 * components ? { width, height } : undefined;
}
