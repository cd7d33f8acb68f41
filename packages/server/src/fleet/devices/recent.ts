import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** A collector in a plant, and when it posted. */
export interface CollectorReport {
  readonly plantId: string;
  readonly deviceId: string;
  readonly at: Instant;
}

const reported = prepareQuery((db, p: ParameterOf<{ since: Instant }>) =>
  db
    .selectFrom('device')
    .select((eb) => [
      eb.ref('plantId').$notNull().as('plantId'),
      'id as deviceId',
      eb.ref('reportedAt').$notNull().as('at'),
    ])
    .where('kind', '=', 'collector')
    .where('reportedAt', '>=', p('since'))
    .where('plantId', 'is not', null),
);

/** The collectors in plants that have posted since; a collector's posts within a minute count as one. */
export const recentReports = (db: Db, since: Instant): Promise<CollectorReport[]> =>
  reported(db, { since });
