import {
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

const places = prepareQuery((db, p: ParameterOf<ReachParameters & { id: string }>) =>
  visible(db, p)
    .innerJoin('strategyDevice as sd', 'sd.plantId', 'plant.id')
    .where('sd.strategyId', '=', p('id'))
    .select(['plant.id', 'plant.ownerId'])
    .distinct(),
);

/** The plants of a reach in which a strategy has devices, and who owns them. */
export const findPlaces = (
  db: Db,
  reach: Reach,
  id: string,
): Promise<{ id: string; ownerId: string }[]> => places(db, { ...reachParameters(db, reach), id });
