import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { bindingsOfPlants } from '../../../fleet/plants/bindings.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import { zonesSinceEver, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { nearbyPlants } from './nearby.ts';
import { findInverters, type Inverter } from './units.ts';

/** So many inverters tell of the sky: of the plant itself, and of plants near by. */
const [OWN_AT_MOST, NEARBY_AT_MOST] = [7, 4];

/** An inverter that may tell of the sky over a plant. */
export interface Observer {
  readonly inverter: Inverter;
  readonly place: SunObserver;
  readonly zones: Zones;
  /** 0 for inverters of the plant itself. */
  readonly distanceKm: number;
}

/** The inverters of a plant that tell of its sky, and those near by: of its owner's other plants, and of the owner's company. */
export async function findObservers(
  db: Db,
  plant: VisiblePlant,
  place: SunObserver,
  zones: Zones,
  inverters: readonly Inverter[],
): Promise<readonly Observer[]> {
  const own = inverters
    .toSorted((a, b) => Number(a.binding.toAt !== null) - Number(b.binding.toAt !== null))
    .slice(0, OWN_AT_MOST)
    .map((inverter) => ({ inverter, place, zones, distanceKm: 0 }));
  const plants = await nearbyPlants(db, plant, place, {
    kind: 'inverter',
    colleagues: true,
    atMost: NEARBY_AT_MOST,
  });
  if (plants.length === 0) return own;
  const ids = plants.map(({ id }) => id);
  const found = await findInverters(db, await bindingsOfPlants(db, ids));
  const zonesById = await zonesOf(
    db,
    plants.map(({ id: plantId, timeZone }) => ({ plantId, timeZone, zoneChanged: true })),
  );
  const zonesOfPlant = ({ id, timeZone }: (typeof plants)[number]): Zones => {
    const history = zonesById.get(id)!;
    return history.length > 0 ? history : zonesSinceEver(timeZone);
  };
  const near = plants.flatMap((other) =>
    found
      .filter(({ binding }) => binding.plantId === other.id && binding.toAt === null)
      .map((inverter, rank) => ({
        inverter,
        place: { latitude: other.latitude, longitude: other.longitude },
        zones: zonesOfPlant(other),
        distanceKm: other.distanceKm,
        rank,
      })),
  );
  // One of each plant first.
  const chosen = near.toSorted((a, b) => a.rank - b.rank || a.distanceKm - b.distanceKm);
  return [...own, ...chosen.slice(0, NEARBY_AT_MOST)];
}
