import { firstIdAt } from '../kernel/ids.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';

const raised = prepareQuery((db, p: ParameterOf<{ first: string }>) =>
  db.selectFrom('alarm').select(['id', 'plantId']).where('id', '>=', p('first')),
);

/** The alarms that were raised since. */
export const recentAlarms = (db: Db, since: Instant): Promise<{ id: string; plantId: string }[]> =>
  raised(db, { first: firstIdAt(since) });
