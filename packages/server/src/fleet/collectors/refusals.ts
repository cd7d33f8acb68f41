import { sql } from 'kysely';
import type { Description } from '../devices/description.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { locksRows } from '../../platform/storage/lock.ts';

/** Maximum number of rows per collector, so that a faulty one cannot fill the database. */
export const REFUSALS_KEPT = 100;
const NEW_AT_ONCE = 20;
const SILENCE_MS = 86_400_000;

/**
 * Records refused elements of a report; if there are too many different ones, only
 * the first ones of this call. The transaction may take no further locks after this.
 */
export async function rememberRefusals(
  trx: Db,
  collectorId: string,
  refused: readonly {
    readonly sn?: string;
    readonly reason: string;
    readonly description?: Description;
  }[],
  now: number,
): Promise<void> {
  const counts = new Map<
    string,
    { sn: string; reason: string; described: string | null; count: number }
  >();
  for (const { sn = '', reason, description } of refused) {
    const key = `${sn}\n${reason}`;
    const known = counts.get(key);
    // A device may describe itself only once.
    const isRoom = counts.size < (description ? REFUSALS_KEPT : NEW_AT_ONCE);
    if (known) known.count += 1;
    else if (isRoom)
      counts.set(key, {
        sn,
        reason,
        described: description ? JSON.stringify(description) : null,
        count: 1,
      });
  }
  if (counts.size === 0) return;
  // Concurrent reports of one collector would lock the same rows in different orders, and deletions in yet another, so they take turns.
  if (locksRows(trx))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`refusals of ${collectorId}`}, 0))`.execute(
      trx,
    );
  await trx
    .insertInto('collectorRefusal')
    .values([...counts.values()].map((row) => ({ ...row, collectorId, firstAt: now, lastAt: now })))
    .onConflict((conflict) =>
      conflict.columns(['collectorId', 'sn', 'reason']).doUpdateSet((e) => ({
        // After a day without such refusals, `firstAt` starts again: it decides who
        // may claim a device, namely the collector that reported it first (devices/claims.ts).
        firstAt: e
          .case()
          .when('collectorRefusal.lastAt', '<=', now - SILENCE_MS)
          .then(now)
          .else(e.ref('collectorRefusal.firstAt'))
          .end(),
        lastAt: now,
        described: e.fn.coalesce('excluded.described', 'collectorRefusal.described'),
        count: e('collectorRefusal.count', '+', e.ref('excluded.count')),
      })),
    )
    .execute();
  await forgetOldest(trx, collectorId);
}

async function forgetOldest(db: Db, collectorId: string): Promise<void> {
  const [oldest] = await db
    .selectFrom('collectorRefusal')
    .select('lastAt')
    .where('collectorId', '=', collectorId)
    .orderBy('lastAt', 'desc')
    .offset(REFUSALS_KEPT)
    .limit(1)
    .execute();
  if (oldest)
    await db
      .deleteFrom('collectorRefusal')
      .where('collectorId', '=', collectorId)
      .where('lastAt', '<=', oldest.lastAt)
      .execute();
}

/** Elements of one device that were refused for one reason, and their number. */
export interface Refusal {
  readonly sn: string;
  readonly reason: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly count: number;
}

/** Recent refusals from a collector's reports, newest first. */
export const listRefusals = (db: Db, collectorId: string, limit: number): Promise<Refusal[]> =>
  db
    .selectFrom('collectorRefusal')
    .select(['sn', 'reason', 'firstAt', 'lastAt', 'count'])
    .where('collectorId', '=', collectorId)
    .orderBy('lastAt', 'desc')
    .limit(limit)
    .execute();
