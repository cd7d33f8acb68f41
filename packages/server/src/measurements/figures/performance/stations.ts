import { bindingsOfPlants, type Binding } from '../../../fleet/plants/bindings.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery } from '../../../platform/storage/prepare.ts';

/** How far a weather station of another plant of the same owner may be. */
const REACH_KM = 25;
const STATIONS_AT_MOST = 3;
const EARTH_KM = 6371;
const RADIANS = Math.PI / 180;

/** A weather station that may say what light a plant gets. */
export interface Station {
  readonly binding: Binding;
  /** 0 for a station of the plant itself. */
  readonly distanceKm: number;
}

const selectNearby = prepareQuery<
  { ownerId: string; plantId: string; south: number; north: number },
  { id: string; latitude: number; longitude: number }
>((db, p) =>
  db
    .selectFrom('plant')
    .select(['id', 'latitude', 'longitude'])
    .where('ownerId', '=', p('ownerId'))
    .where('id', '!=', p('plantId'))
    .where('archivedAt', 'is', null)
    .where('latitude', '>=', p('south'))
    .where('latitude', '<=', p('north'))
    .where('longitude', 'is not', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('device')
          .select('device.id')
          .whereRef('device.plantId', '=', 'plant.id')
          .where('device.kind', '=', 'weather'),
      ),
    )
    .$narrowType<{ latitude: number; longitude: number }>(),
);

/** The weather stations of a plant, then those of its owner's other plants within 25 km, the nearest first. No station of anybody else is asked. */
export async function findStations(
  db: Db,
  { id, ownerId }: Pick<VisiblePlant, 'id' | 'ownerId'>,
  place: SunObserver,
  bindings: readonly Binding[],
): Promise<Station[]> {
  const own = bindings
    .filter(({ kind }) => kind === 'weather')
    .map((binding) => ({ binding, distanceKm: 0 }));
  const degrees = REACH_KM / EARTH_KM / RADIANS;
  const nearby = (
    await selectNearby(db, {
      ownerId,
      plantId: id,
      south: place.latitude - degrees,
      north: place.latitude + degrees,
    })
  )
    .map((other) => ({ id: other.id, distanceKm: distanceKm(place, other) }))
    .filter((other) => other.distanceKm <= REACH_KM)
    .toSorted((a, b) => a.distanceKm - b.distanceKm)
    .slice(0, STATIONS_AT_MOST);
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

/** Along the surface of the Earth. */
function distanceKm(a: SunObserver, b: SunObserver): number {
  const half = (degrees: number): number => Math.sin((degrees * RADIANS) / 2) ** 2;
  const chord =
    half(a.latitude - b.latitude) +
    Math.cos(a.latitude * RADIANS) *
      Math.cos(b.latitude * RADIANS) *
      half(a.longitude - b.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}
