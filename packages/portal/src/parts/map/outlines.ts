import { geoMercator, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';

/** Side of the square that holds the whole world in the Mercator projection, in units of the drawing. */
export const WORLD = 1000;

/** Northernmost and southernmost latitude of that square. */
export const EDGE_DEGREES = 85.05;

const projection = geoMercator()
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

type World = Parameters<typeof mesh>[0];

/** The shapes of a map, as paths in the square. */
export interface Outlines {
  readonly land: string;
  readonly borders: string;
}

const SOURCES = { coarse, fine } as const;

export type Detail = keyof typeof SOURCES;

/** Loads the countries' outlines, which are files of the portal itself. */
export async function loadOutlines(detail: Detail): Promise<Outlines> {
  const response = await fetch(SOURCES[detail]);
  const world = (await response.json()) as World;
  const path = geoPath(projection).digits(detail === 'fine' ? 3 : 1);
  const borders = mesh(
    world,
    world.objects['countries'] as Parameters<typeof mesh>[1],
    (a, b) => a !== b,
  );
  return { land: path(feature(world, world.objects['land']!)) ?? '', borders: path(borders) ?? '' };
}
