import type { Clock } from '../kernel/clock.ts';
import type { Db, Instant } from '../storage/database.ts';
import { forUpdateIfFree } from '../storage/lock.ts';
import { CLOCKS_DIFFER_MS } from './claim.ts';
import type { Lanes } from './lane.ts';

const ROWS_AT_ONCE = 500;

/**
 * Corrects the times of tasks that were set by a clock that was ahead: each becomes due after the intended delay, counted from now. Otherwise, they
 * would wait until the real time reaches the time of that clock.
 */
export async function mendTasks(db: Db, lanes: Lanes, clock: Clock): Promise<void> {
  const kinds = Object.keys(lanes);
  // This only reads, so that it takes no lock when there is nothing to mend. The clock is read after the answer: a time from before could be so old
  // that tasks set meanwhile would seem to come from a clock that is ahead.
  const latest = await latestSetAt(db, kinds);
  if (latest <= clock.now() + CLOCKS_DIFFER_MS) return;
  while (
    (await db.transaction().execute((trx) => mendBatch(trx, lanes, kinds, clock.now()))) ===
    ROWS_AT_ONCE
  );
}

/** The latest time at which a task was set, according to the clock of some instance; 0 if there are no tasks. */
export async function latestSetAt(db: Db, kinds?: readonly string[]): Promise<Instant> {
  const latest = db.selectFrom('task').select('setAt').orderBy('setAt', 'desc').limit(1);
  const row = await (kinds ? latest.where('kind', 'in', kinds) : latest).executeTakeFirst();
  return row?.setAt ?? 0;
}

/** Tasks whose rows others have locked are left for the next time. @returns how many it has corrected */
async function mendBatch(
  trx: Db,
  lanes: Lanes,
  kinds: readonly string[],
  now: Instant,
): Promise<number> {
  const ahead = trx
    .selectFrom('task')
    .select(['kind', 'key'])
    .where('setAt', '>', now + CLOCKS_DIFFER_MS)
    .where('kind', 'in', kinds)
    .limit(ROWS_AT_ONCE);
  const free = forUpdateIfFree(trx, ahead);
  const mended = await trx
    .updateTable('task')
    .set((eb) => ({ dueAt: eb(eb('dueAt', '-', eb.ref('setAt')), '+', now), setAt: now }))
    .where((eb) => eb(eb.refTuple('kind', 'key'), 'in', free.$asTuple('kind', 'key')))
    .returning(['kind', 'key'])
    .execute();
  for (const { kind, key } of mended) await lanes[kind]!.clockSetBack?.(trx, key, now);
  return mended.length;
}
