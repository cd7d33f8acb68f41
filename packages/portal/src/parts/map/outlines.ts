import { geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';
import { projection } from './projection.ts';

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
