import { sql, type ExpressionBuilder } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Db, Instant, Tables } from '../storage/database.ts';
import { forUpdateIfFree } from '../storage/lock.ts';
import type { TaskKey } from './arm.ts';

/** How long a claim lasts unless renewed: if an instance is killed, others take over its work after this time. */
export const LEASE_MS = 5_000;

/** How much the instances' clocks may differ. */
export const CLOCKS_DIFFER_MS = 1_000;

/** A task that this instance may run while it holds the lease. */
export interface TaskClaim extends TaskKey {
  readonly dueAt: Instant;
  readonly revision: number;
  readonly failures: number;
  readonly claimedBy: string;
}

/** Whether a task is not claimed, or its lease was not renewed. A lease that ends too far in the future comes from a wrong clock and does not count. */
const isFree = (eb: ExpressionBuilder<Tables, 'task'>, now: Instant) =>
  eb.or([
    eb('claimedUntil', '<=', now),
    eb('claimedUntil', '>', now + LEASE_MS + CLOCKS_DIFFER_MS),
  ]);

const dueOf = (db: Db, kind: string, now: Instant) =>
  db
    .selectFrom('task')
    .where('kind', '=', kind)
    .where('dueAt', '<=', now)
    .where((eb) => isFree(eb, now));

/** The kinds that have a task to run. This only reads, so that it takes no lock when nothing is due. */
export async function listDueKinds(
  db: Db,
  kinds: readonly string[],
  now: Instant,
): Promise<string[]> {
  if (kinds.length === 0) return [];
  const row: Record<string, unknown> = await db
    .selectNoFrom((eb) =>
      kinds.map((kind, i) =>
        eb.exists(dueOf(db, kind, now).select(sql.lit(1).as('one'))).as(`due${i}`),
      ),
    )
    .executeTakeFirstOrThrow();
  return kinds.filter((_, i) => Boolean(row[`due${i}`]));
}

interface ClaimRequest {
  readonly kind: string;
  readonly claimedBy: string;
  readonly limit: number;
}

/**
 * Claims the tasks of a kind that have been due longest and are not running: one conditional update, so that no two instances get the same task.
 * The clock is read once a connection is free: to a time from before, leases that others have taken since could seem to end too far in the future.
 */
export const claimTasks = (db: Db, clock: Clock, request: ClaimRequest): Promise<TaskClaim[]> =>
  db.transaction().execute((trx) => claimAt(trx, clock.now(), request));

async function claimAt(
  trx: Db,
  now: Instant,
  { kind, claimedBy, limit }: ClaimRequest,
): Promise<TaskClaim[]> {
  const due = dueOf(trx, kind, now).select(['kind', 'key']).orderBy('dueAt').limit(limit);
  const free = forUpdateIfFree(trx, due);
  const rows = await trx
    .updateTable('task')
    .set({ claimedUntil: now + LEASE_MS, claimedBy })
    .where((eb) => eb(eb.refTuple('kind', 'key'), 'in', free.$asTuple('kind', 'key')))
    .returning(['key', 'dueAt', 'revision', 'failures'])
    .execute();
  return rows.map((row) => ({ ...row, kind, claimedBy }));
}

/**
 * Renews a lease. Inside a transaction, this also guarantees that the lease is held until the transaction ends, since nobody can
 * claim a locked row.
 * @returns whether the task is still this claim's
 */
export async function renewLease(
  db: Db,
  { kind, key, claimedBy }: TaskClaim,
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set({ claimedUntil: now + LEASE_MS })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('claimedBy', '=', claimedBy)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface TaskOutcome {
  /** When the task is due again; null = never. */
  readonly nextAt: Instant | null;
  readonly failed: boolean;
  readonly now: Instant;
}

/** Ends a claim: reschedules the task or deletes it. If it was armed during the run, it stays due at the armed time. */
export async function releaseTask(
  db: Db,
  { kind, key, claimedBy, revision, failures }: TaskClaim,
  { nextAt, failed, now }: TaskOutcome,
): Promise<void> {
  if (nextAt === null) {
    const gone = await db
      .deleteFrom('task')
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('claimedBy', '=', claimedBy)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) return;
  }
  await db
    .updateTable('task')
    .set((eb) => ({
      claimedUntil: 0,
      claimedBy: null,
      failures: failed ? failures + 1 : 0,
      ...(nextAt !== null && {
        dueAt: eb.case().when('revision', '=', revision).then(nextAt).else(eb.ref('dueAt')).end(),
        setAt: eb.case().when('revision', '=', revision).then(now).else(eb.ref('setAt')).end(),
      }),
    }))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('claimedBy', '=', claimedBy)
    .execute();
}
