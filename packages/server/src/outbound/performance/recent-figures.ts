import {
  inPercent,
  roundedFigure,
} from '../../measurements/figures/performance/performance-rows.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** What a plant did in the last 30 days with figures. */
export interface RecentFigures {
  readonly sharePercent: number | undefined;
  readonly lostKwh: number;
}

const selectRecent = prepareQuery((db, p: ParameterOf<{ ids: unknown }>) =>
  db
    .selectFrom('plantStanding')
    .select(['plantId', 'recentExpectedKwh', 'recentProducedKwh', 'recentLostKwh'])
    .where(anyOf(db, 'plantId', p('ids')))
    .where('recentLostKwh', 'is not', null),
);

/** The kept figures of those plants that have any. */
export const recentFigures = async (
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecentFigures>> =>
  new Map(
    (await selectRecent(db, { ids: listParameter(db, ids) })).map(
      ({ plantId, recentExpectedKwh, recentProducedKwh, recentLostKwh }) => [
        plantId,
        {
          sharePercent: inPercent(recentProducedKwh!, recentExpectedKwh!),
          lostKwh: roundedFigure(recentLostKwh!, 10),
        },
      ],
    ),
  );
