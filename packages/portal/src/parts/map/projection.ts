import { geoMercator } from 'd3-geo';

/** Side of the square that holds the whole world in the Mercator projection, in units of the drawing. */
export const WORLD = 1000;

/** Northernmost and southernmost latitude of that square. */
export const EDGE_DEGREES = 85.05;

/** Places on earth in that square. */
export const projection = geoMercator()
  .scale(WORLD / (2 * Math.PI))
  .translate([WORLD / 2, WORLD / 2])
  .precision(0.1);

/** Where a position is in the square. */
export function project(latitude: number, longitude: number): readonly [number, number] {
  const [x, y] = projection([
    longitude,
    Math.max(-EDGE_DEGREES, Math.min(EDGE_DEGREES, latitude)),
  ])!;
  return [x, y];
}

/** The position of a point of the square, as longitude and latitude. */
export const unproject = (x: number, y: number): readonly [number, number] =>
  projection.invert!([x, y])!;
