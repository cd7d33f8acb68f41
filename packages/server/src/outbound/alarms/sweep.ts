import { shiftCounts } from '../../fleet/plants/fleet/counters.ts';
import { lockPlants } from '../../fleet/plants/lock.ts';
import { firstIdAt } from '../../platform/kernel/ids.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { alarmStateNumbers } from './alarm-rows.ts';

/** Deletes at most `limit` alarms that were raised and ended before an instant, with what was counted of them; returns their number. */
export async function sweepAlarms(trx: Db, before: Instant, limit: number): Promise<number> {
  const over = await trx
    .selectFrom('alarm')
    .select(['id', 'plantId'])
    .where('state', '=', alarmStateNumbers.restored)
    .where('id', '<', firstIdAt(before))
    .where('endAt', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute();
  if (over.length === 0) return 0;
  // What a plant adds to counters changes under its lock.
  await lockPlants(trx, [...new Set(over.map(({ plantId }) => plantId))].toSorted());
  const ids = listParameter(
    trx,
    over.map(({ id }) => id),
  );
  // Meanwhile, one may have been resumed.
  const gone = await trx
    .deleteFrom('alarm')
    .where(anyOf(trx, 'id', ids))
    .where('state', '=', alarmStateNumbers.restored)
    .where('endAt', '<', before)
    .returning('plantId')
    .execute();
  await shiftCounts(
    trx,
    [...Map.groupBy(gone, ({ plantId }) => plantId)].map(([plantId, rows]) => ({
      plantId,
      kind: 'alarm',
      state: alarmStateNumbers.restored,
      amount: -rows.length,
    })),
  );
  return over.length;
}
