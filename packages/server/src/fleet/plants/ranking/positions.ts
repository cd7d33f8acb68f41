import type { PlantMark } from '@helioport/contract';
import type { Db } from '../../../platform/storage/database.ts';
import { plantStateName, statesByNeed } from './order.ts';
import { selectedRanking, type RankingSelection } from './ranking.ts';

/** A section of the map, in degrees. If its west is east of its east, it crosses the 180th meridian. */
export interface Section {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Up to this many plants have a mark each. */
const SINGLE_AT_MOST = 500;
/** Cells along each side of the section, beyond that. */
const CELLS = 32;

interface Placed {
  readonly id: string;
  readonly name: string;
  readonly state: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Marks for the selected plants that have a position in a section; undefined = anywhere. Close ones share a mark if there are many. */
export async function placePlants(
  db: Db,
  selection: RankingSelection,
  section: Section | undefined,
): Promise<PlantMark[]> {
  let rows = selectedRanking(db, selection)
    .select(['plant.id', 'plant.name', 'standing.state', 'plant.latitude', 'plant.longitude'])
    .where('plant.latitude', 'is not', null)
    .where('plant.longitude', 'is not', null);
  if (section) {
    const { south, west, north, east } = section;
    rows = rows.where('plant.latitude', '>=', south).where('plant.latitude', '<=', north);
    rows = rows.where((eb) => {
      const sides = [eb('plant.longitude', '>=', west), eb('plant.longitude', '<=', east)];
      return west <= east ? eb.and(sides) : eb.or(sides);
    });
  }
  const plants = (await rows.orderBy('plant.id').execute()) as Placed[];
  const placed = Map.groupBy(
    plants,
    plants.length <= SINGLE_AT_MOST ? ({ id }) => id : cellsOf(section ?? around(plants)),
  );
  return [...placed.values()].map(markOf);
}

function around(plants: readonly Placed[]): Section {
  const section = { south: 90, west: 180, north: -90, east: -180 };
  for (const { latitude, longitude } of plants) {
    section.south = Math.min(section.south, latitude);
    section.north = Math.max(section.north, latitude);
    section.west = Math.min(section.west, longitude);
    section.east = Math.max(section.east, longitude);
  }
  return section;
}

/** Degrees that an eastern longitude is east of a western one. */
const eastOf = (west: number, east: number): number => (east - west + 360) % 360;

function cellsOf({ south, west, north, east }: Section): (plant: Placed) => string {
  const cell = (part: number, whole: number): number =>
    whole === 0 ? 0 : Math.min(CELLS - 1, Math.trunc((part / whole) * CELLS));
  const width = west === -180 && east === 180 ? 360 : eastOf(west, east);
  return ({ latitude, longitude }) =>
    `${cell(latitude - south, north - south)} ${cell(eastOf(west, longitude), width)}`;
}

function markOf(plants: readonly Placed[]): PlantMark {
  const [first, second] = plants;
  if (!second) {
    const { id, name, latitude, longitude, state } = first!;
    return { plants: 1, latitude, longitude, state: plantStateName(state), id, name };
  }
  const mean = (of: (plant: Placed) => number): number =>
    plants.reduce((sum, plant) => sum + of(plant), 0) / plants.length;
  return {
    plants: plants.length,
    latitude: mean(({ latitude }) => latitude),
    // Counted from the first, so that a cell on the 180th meridian has its mark there.
    longitude: asLongitude(
      first!.longitude +
        mean(({ longitude }) => ((longitude - first!.longitude + 540) % 360) - 180),
    ),
    state: plantStateName(
      statesByNeed.find((state) => plants.some((plant) => plant.state === state))!,
    ),
  };
}

const asLongitude = (degrees: number): number => ((degrees + 540) % 360) - 180;
