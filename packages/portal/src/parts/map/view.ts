import { EDGE_DEGREES, project, unproject, WORLD } from './projection.ts';

/** What part of the map is seen: a point of the square is at `point * scale + offset` on the screen. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place on earth, in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A section of the map, in degrees. */
export interface Section {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** So near that a house fills the screen is no use without streets, which tiles have. */
export const NEAREST = 400;
export const NEAREST_WITH_TILES = 60_000;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** Keeps the map in sight: never smaller than the screen is wide, never moved off it. */
export function within({ scale, x, y }: View, { width, height }: Size, nearest = NEAREST): View {
  const least = width / WORLD;
  const kept = clamp(scale, least, nearest);
  const side = WORLD * kept;
  return {
    scale: kept,
    x: clamp(x, width - side, 0),
    y: side < height ? (height - side) / 2 : clamp(y, height - side, 0),
  };
}

/** As much of the world as a frame has room for: rather its north, where most of the land is. */
export const wholeWorld = (size: Size): View =>
  within({ scale: 0, x: 0, y: (size.height - size.width) * 0.4 }, size);

/** The view after zooming around a point of the screen. */
export const zoomed = (
  view: View,
  factor: number,
  [px, py]: readonly [number, number],
  size: Size,
  nearest = NEAREST,
): View => {
  const scale = clamp(view.scale * factor, size.width / WORLD, nearest);
  const change = scale / view.scale;
  return within(
    { scale, x: px - (px - view.x) * change, y: py - (py - view.y) * change },
    size,
    nearest,
  );
};

/** The view with a position in its middle, as near as the edges of the map allow. */
export function centred(
  { scale }: View,
  { latitude, longitude }: Position,
  size: Size,
  nearest = NEAREST,
): View {
  const [x, y] = project(latitude, longitude);
  return within(
    { scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale },
    size,
    nearest,
  );
}

/** The view that shows all positions, with some room around them. */
export function fitting(positions: readonly Position[], size: Size): View {
  const points = positions.map(({ latitude, longitude }) => project(latitude, longitude));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, top, bottom] = [
    Math.min(...xs),
    Math.max(...xs),
    Math.min(...ys),
    Math.max(...ys),
  ];
  // A single plant is shown in its country, so that it can be recognized.
  const scale = Math.min(
    size.width / ((right - left) * 1.15 + 25),
    size.height / ((bottom - top) * 1.15 + 25),
  );
  return within(
    {
      scale,
      x: size.width / 2 - ((left + right) / 2) * scale,
      y: size.height / 2 - ((top + bottom) / 2) * scale,
    },
    size,
  );
}

const rounded = (degrees: number, limit: number): number =>
  clamp(Math.round(degrees * 10_000) / 10_000, -limit, limit);

/** The place on earth of a point of the screen, as exact as a person can point. */
export function positionAt({ scale, x, y }: View, [px, py]: readonly [number, number]): Position {
  const [longitude, latitude] = unproject(
    clamp((px - x) / scale, 0, WORLD),
    clamp((py - y) / scale, 0, WORLD),
  );
  return { latitude: rounded(latitude, EDGE_DEGREES), longitude: rounded(longitude, 180) };
}

/** The section of the earth that is seen. */
export function sectionOf({ scale, x, y }: View, { width, height }: Size): Section {
  const [west, north] = unproject(clamp(-x / scale, 0, WORLD), clamp(-y / scale, 0, WORLD));
  const [east, south] = unproject(
    clamp((width - x) / scale, 0, WORLD),
    clamp((height - y) / scale, 0, WORLD),
  );
  return {
    south: rounded(south, EDGE_DEGREES),
    west: rounded(west, 180),
    north: rounded(north, EDGE_DEGREES),
    east: rounded(east, 180),
  };
}
