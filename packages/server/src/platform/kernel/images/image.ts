import { strippedJpeg } from './jpeg.ts';
import { strippedPng } from './png.ts';

/** An image that was looked at as a whole. */
export interface Image {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
  /** What is needed to draw it; whatever else the file told, such as where it was made, is left out. */
  readonly content: Buffer;
}

/** Reads a PNG or JPEG by its content, of at most so many pixels each way; undefined if it is none, is broken, or is larger. */
export function readImage(file: Buffer, pixelsAtMost: number): Image | undefined {
  const read = file[0] === 0xff ? strippedJpeg : strippedPng;
  return read(file, (width, height) => Math.max(width, height) <= pixelsAtMost);
}

export type Fits = (width: number, height: number) => boolean;
