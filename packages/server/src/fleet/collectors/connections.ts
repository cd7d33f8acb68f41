import type { IdSource } from '../../platform/kernel/ids.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { sharedCommits } from '../../platform/storage/commit-group.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { withRightToReport, type ReportSender } from './authenticate.ts';
import { markLost } from './presence.ts';

/** A connection that a collector keeps open, as opposed to requests. */
export interface CollectorConnection {
  readonly id: string;
  readonly collectorId: string;
}

/** Records that a collector has connected. Its former connection, on whichever instance, is no longer its current one. */
export async function openConnection(
  db: Db,
  newId: IdSource,
  { collectorId, tokenId }: Required<ReportSender>,
  now: Instant,
): Promise<CollectorConnection> {
  const current = { id: newId(), tokenId, openedAt: now };
  await sharedCommits(db)((trx) =>
    trx
      .insertInto('collectorConnection')
      .values({ collectorId, ...current })
      .onConflict((conflict) => conflict.column('collectorId').doUpdateSet(current))
      .execute(),
  );
  return { id: current.id, collectorId };
}

/** Turns a collector offline whose connection broke, unless it has connected again. */
export const loseConnection = (
  db: Db,
  { id, collectorId }: CollectorConnection,
  now: Instant,
): Promise<void> =>
  sharedCommits(db)(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('collectorConnection')
      .where('collectorId', '=', collectorId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await markLost(trx, collectorId, now);
  });

/**
 * Of some connections, the ids of those that may stay open: they are the current ones of their collectors, their tokens are valid, and
 * their collectors may report.
 */
export async function listStanding(
  db: Db,
  ids: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const rows = await withRightToReport(db, now)
    .innerJoin('collectorConnection as connection', (join) =>
      join
        .onRef('connection.collectorId', '=', 'device.id')
        .onRef('connection.tokenId', '=', 'token.id'),
    )
    .select('connection.id')
    .where(anyOf(db, 'connection.id', listParameter(db, ids)))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
