import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';

const weatherStations = prepareQuery((db, p: ParameterOf<{ plantIds: unknown }>) =>
  db
    .selectFrom('device')
    .select(['plantId', 'series as seriesId'])
    .where('kind', '=', 'weather')
    .where(anyOf(db, 'plantId', p('plantIds')))
    .orderBy('id'),
);

/** The series of one weather station of each plant, by plant id; plants without a station are omitted. */
export async function findWeatherStations(
  db: Db,
  plantIds: readonly string[],
): Promise<Map<string, number>> {
  const stations = await weatherStations(db, { plantIds: listParameter(db, plantIds) });
  return new Map(stations.toReversed().map(({ plantId, seriesId }) => [plantId!, seriesId]));
}
