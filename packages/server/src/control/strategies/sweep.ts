import { sql } from 'kysely';
import { firstIdAt } from '../../platform/kernel/ids.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

const PARTS = [
  'strategyVersion',
  'strategyShare',
  'strategyPause',
  'strategySetting',
  'strategyDevice',
] as const;

/**
 * Deletes at most `limit` strategies that were over before an instant, with all that is known of them; returns their number. Those stay that have something
 * to restore, or of which there are commands.
 */
export async function sweepStrategies(trx: Db, before: Instant, limit: number): Promise<number> {
  const over = await trx
    .selectFrom('strategy as s')
    .select('s.id')
    .where('s.id', '<', firstIdAt(before))
    .where('s.endAt', '<', before)
    .where((eb) => eb.or([eb('s.endedAt', 'is', null), eb('s.endedAt', '<', before)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('strategyDevice as sd')
            .select(sql.lit(1).as('one'))
            .whereRef('sd.strategyId', '=', 's.id')
            .where('sd.restoredAt', 'is', null)
            .where('sd.state', '!=', 'draft'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('command as c')
            .select(sql.lit(1).as('one'))
            .whereRef('c.strategyId', '=', 's.id'),
        ),
      ),
    )
    .orderBy('s.id')
    .limit(limit)
    .execute();
  const ids = listParameter(
    trx,
    over.map(({ id }) => id),
  );
  if (over.length === 0) return 0;
  for (const part of PARTS)
    await trx
      .deleteFrom(part)
      .where(anyOf(trx, 'strategyId', ids))
      .execute();
  await trx
    .deleteFrom('strategy')
    .where(anyOf(trx, 'id', ids))
    .execute();
  return over.length;
}
