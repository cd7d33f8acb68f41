/** An image that was looked at as a whole. */
export interface Image {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
  /** What is needed to draw it; whatever else the file told, such as where it was made, is left out. */
  readonly content: Buffer;
}

/** Whether so many pixels are few enough. */
export type Fits = (width: number, height: number) => boolean;
