import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';

/** How far another plant may be that says what light a plant gets. */
const REACH_KM = 25;
const EARTH_KM = 6371;
const RADIANS = Math.PI / 180;

const selectNearby = prepareQuery(
  (
    db,
    p: ParameterOf<{
      owners: unknown;
      plantId: string;
      south: number;
      north: number;
      kind: string;
    }>,
  ) =>
    db
      .selectFrom('plant')
      .select(['id', 'latitude', 'longitude', 'timeZone'])
      .where(anyOf(db, 'ownerId', p('owners')))
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
            .where('device.kind', '=', p('kind') as never),
        ),
      )
      .$narrowType<{ latitude: number; longitude: number }>(),
);

const selectColleagues = prepareQuery((db, p: ParameterOf<{ accountId: string }>) =>
  db
    .selectFrom('companyMember as own')
    .innerJoin('companyMember as member', 'member.companyId', 'own.companyId')
    .select('member.accountId')
    .where('own.accountId', '=', p('accountId')),
);

/** A plant that may say what light another one gets. */
export interface NearbyPlant extends SunObserver {
  readonly id: string;
  readonly timeZone: string;
  readonly distanceKm: number;
}

/**
 * The other plants of a plant's owner within 25 km that have a device of a kind, the nearest first; with `colleagues`, also those of members of the owner's
 * company. Plants of anybody else are never among them, whatever of them is shared with whom.
 */
export async function nearbyPlants(
  db: Db,
  { id, ownerId }: Pick<VisiblePlant, 'id' | 'ownerId'>,
  place: SunObserver,
  { kind, colleagues, atMost }: { kind: string; colleagues: boolean; atMost: number },
): Promise<NearbyPlant[]> {
  const members = colleagues ? await selectColleagues(db, { accountId: ownerId }) : [];
  const owners = [...new Set([ownerId, ...members.map(({ accountId }) => accountId)])];
  const degrees = REACH_KM / EARTH_KM / RADIANS;
  const found = await selectNearby(db, {
    owners: listParameter(db, owners),
    plantId: id,
    south: place.latitude - degrees,
    north: place.latitude + degrees,
    kind,
  });
  return found
    .map((other) => ({ ...other, distanceKm: distanceKm(place, other) }))
    .filter((other) => other.distanceKm <= REACH_KM)
    .toSorted((a, b) => a.distanceKm - b.distanceKm || (a.id < b.id ? -1 : 1))
    .slice(0, atMost);
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
