import { firstIdAt } from '../../platform/kernel/ids.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

const raised = prepareQuery((db, p: ParameterOf<{ first: string }>) =>
  db.selectFrom('alarm').select(['id', 'plantId']).where('id', '>=', p('first')),
);

/** The alarms that were raised since. */
export const recentAlarms = (db: Db, since: Instant): Promise<{ id: string; plantId: string }[]> =>
  raised(db, { first: firstIdAt(since) });
