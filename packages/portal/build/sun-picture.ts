type Colour = readonly [number, number, number];

const GROUND: Colour = [0x11, 0x17, 0x1d];
const SUN: Colour = [0xf2, 0xa9, 0x00];

/** Samples per pixel and direction, so that edges are smooth. */
const SAMPLES = 4;

// The mark has a field of 24 by 24 with a disc of radius 5 and eight rays from 7 to 11. Here it takes 70 % of the picture, since home screens
// cut off up to a fifth of each icon.
const FIELD = 24 / 0.7;
const DISC = 5;
const RAYS = 8;
const [RAY_FROM, RAY_TO, RAY_HALF_WIDTH] = [7.2, 10.8, 1] as const;

function isSun(x: number, y: number): boolean {
  const distance = Math.hypot(x, y);
  if (distance <= DISC) return true;
  const step = (2 * Math.PI) / RAYS;
  const angle = Math.atan2(y, x);
  const fromRay = angle - Math.round(angle / step) * step;
  const [along, across] = [distance * Math.cos(fromRay), distance * Math.sin(fromRay)];
  const beyond = Math.max(RAY_FROM - along, 0, along - RAY_TO);
  return Math.hypot(beyond, across) <= RAY_HALF_WIDTH;
}

/** The sun mark on a dark ground: red, green and blue of each pixel of a square, row by row. */
export function sunPicture(size: number): Uint8Array {
  const pixels = new Uint8Array(size * size * 3);
  const place = (pixel: number, sample: number): number =>
    ((pixel + (sample + 0.5) / SAMPLES) / size - 0.5) * FIELD;
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let hits = 0;
      for (let i = 0; i < SAMPLES * SAMPLES; i += 1)
        hits += Number(isSun(place(x, i % SAMPLES), place(y, Math.floor(i / SAMPLES))));
      const share = hits / SAMPLES ** 2;
      for (let c = 0; c < 3; c += 1)
        pixels[(y * size + x) * 3 + c] = Math.round(GROUND[c]! + (SUN[c]! - GROUND[c]!) * share);
    }
  }
  return pixels;
}
