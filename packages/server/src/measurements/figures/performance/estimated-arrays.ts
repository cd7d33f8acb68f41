import type { PlantArray } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { bindingsOfPlants } from '../../../fleet/plants/bindings.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { capacityOf, isMountingKnown } from '../../expected/learned.ts';
import { readLearned } from './learning.ts';
import { findInverters } from './units.ts';

/** How the modules of a plant seem to be mounted, by what was learned of its inverters; none where that is not certain enough. */
export async function estimatedArrays(
  db: Db,
  { id, latitude }: Pick<VisiblePlant, 'id' | 'latitude'>,
): Promise<PlantArray[]> {
  if (latitude === null) return [];
  const bindings = await bindingsOfPlants(db, [id]);
  const inverters = await findInverters(
    db,
    bindings.filter(({ toAt }) => toAt === null),
  );
  const known = await readLearned(
    db,
    inverters.map(({ binding }) => binding.no),
  );
  return inverters.flatMap(({ sn, binding }): PlantArray[] => {
    const learned = known.get(binding.no)?.learned;
    if (!learned || !isMountingKnown(learned, { latitude })) return [];
    return learned.planes.map((fitted) => ({
      tiltDegrees: Math.round(fitted.plane.tilt),
      azimuthDegrees: Math.round(fitted.plane.azimuth) % 360,
      capacityKwp: Math.max(0.01, Math.round(capacityOf(fitted) / 10) / 100),
      sn,
    }));
  });
}
