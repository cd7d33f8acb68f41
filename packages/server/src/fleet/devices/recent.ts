import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** Something that has just happened to a device in a plant. */
export interface DeviceChange {
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
export const recentReports = (db: Db, since: Instant): Promise<DeviceChange[]> =>
  reported(db, { since });

const shifted = prepareQuery((db, p: ParameterOf<{ since: Instant }>) =>
  db
    .selectFrom('device')
    .select((eb) => [
      eb.ref('plantId').$notNull().as('plantId'),
      'id as deviceId',
      'stateSince as at',
    ])
    .where('stateSince', '>=', p('since'))
    .where('plantId', 'is not', null),
);

/** The devices in plants whose state has changed since. */
export const recentStates = (db: Db, since: Instant): Promise<DeviceChange[]> =>
  shifted(db, { since });
