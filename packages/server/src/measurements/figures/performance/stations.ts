import { bindingsOfPlants, type Binding } from '../../../fleet/plants/bindings.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { nearbyPlants } from './nearby.ts';

const STATIONS_AT_MOST = 3;

/** A weather station that may say what light a plant gets. */
export interface Station {
  readonly binding: Binding;
  /** 0 for a station of the plant itself. */
  readonly distanceKm: number;
}

/** The weather stations of a plant, then those of its owner's other plants within 25 km, the nearest first. No station of anybody else is asked. */
export async function findStations(
  db: Db,
  plant: Pick<VisiblePlant, 'id' | 'ownerId'>,
  place: SunObserver,
  bindings: readonly Binding[],
): Promise<Station[]> {
  const own = bindings
    .filter(({ kind }) => kind === 'weather')
    .map((binding) => ({ binding, distanceKm: 0 }));
  const nearby = await nearbyPlants(db, plant, place, {
    kind: 'weather',
    colleagues: false,
    atMost: STATIONS_AT_MOST,
  });
  const distances = new Map(nearby.map((other) => [other.id, other.distanceKm]));
  const others = nearby.length > 0 ? await bindingsOfPlants(db, [...distances.keys()]) : [];
  return [
    ...own,
    ...others
      .filter(({ kind }) => kind === 'weather')
      .map((binding) => ({ binding, distanceKm: distances.get(binding.plantId)! }))
      .toSorted((a, b) => a.distanceKm - b.distanceKm),
  ];
}
