import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/storage/database.ts';

/**
 * Whether the time zone of a query's `plant` has a history. A scalar subquery, since PostgreSQL may turn an EXISTS into a table of
 * all plants' histories on each call.
 */
export const zoneChanged = (db: Db): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${db
    .selectFrom('plantZone')
    .select(sql.lit(1).as('one'))
    .where('plantZone.plantId', '=', sql.ref<string>('plant.id'))
    .where('plantZone.fromAt', '>', sql.lit(0))
    .limit(sql.lit(1))}) is not null`;
