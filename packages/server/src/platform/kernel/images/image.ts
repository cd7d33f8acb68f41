import { strippedJpeg } from './jpeg.ts';
import type { Image } from './picture.ts';
import { strippedPng } from './png.ts';

/** Reads a PNG or JPEG by its content, of at most so many pixels each way; undefined if it is none, is broken, or is larger. */
export function readImage(file: Buffer, pixelsAtMost: number): Image | undefined {
  const read = file[0] === 0xff ? strippedJpeg : strippedPng;
  return read(file, (width, height) => Math.max(width, height) <= pixelsAtMost);
}
