import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';

/** A piece of work: what is to be done, and with what. */
export interface JobKey {
  readonly kind: string;
  /** What it is about; `''` where there is only one of the kind. */
  readonly key: string;
}

/** A job that this instance may run until its claim ends. */
export interface ClaimedJob extends JobKey {
  readonly dueAt: Instant;
  readonly revision: number;
  readonly failures: number;
  readonly claimedBy: string;
}

/** Has a job done at a time, or earlier when it is armed for earlier already. In the transaction of what makes it necessary. */
export async function armJob(trx: Db, { kind, key }: JobKey, dueAt: Instant): Promise<void> {
  await trx
    .insertInto('job')
    .values({ kind, key, dueAt })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({
        revision: eb('job.revision', '+', 1),
        dueAt: eb.case().when('job.dueAt', '<', dueAt).then(eb.ref('job.dueAt')).else(dueAt).end(),
      })),
    )
    .execute();
}

/** Makes a job known that has to be there; one that is there keeps its time. */
export async function ensureJob(db: Db, { kind, key }: JobKey, dueAt: Instant): Promise<void> {
  await db
    .insertInto('job')
    .values({ kind, key, dueAt })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute();
}

interface Claim {
  readonly kinds: readonly string[];
  readonly now: Instant;
  /** When the claim runs out, so that the work of a killed instance is taken up by another. */
  readonly until: Instant;
  readonly by: string;
  readonly limit: number;
}

/** Takes the jobs that are due longest and that nobody runs: one conditional update, so that no two instances get the same. */
export async function claimJobs(db: Db, { kinds, now, until, by, limit }: Claim): Promise<ClaimedJob[]> {
  const due = db
    .selectFrom('job')
    .select(['kind', 'key'])
    .where('dueAt', '<=', now)
    .where('claimedUntil', '<=', now)
    .where('kind', 'in', kinds)
    .orderBy('dueAt')
    .limit(limit);
  const free = engineOf(db) === 'postgres' ? due.forUpdate().skipLocked() : due;
  const rows = await db
    .updateTable('job')
    .set({ claimedUntil: until, claimedBy: by })
    .where((eb) => eb(eb.refTuple('kind', 'key'), 'in', free.$asTuple('kind', 'key')))
    .returning(['kind', 'key', 'dueAt', 'revision', 'failures'])
    .execute();
  return rows.map((row) => ({ ...row, claimedBy: by }));
}

/** Ends a claim: the job is due at `nextAt` again, or gone. One that was armed during the run stays due at the armed time. */
export async function releaseJob(db: Db, job: ClaimedJob, outcome: { readonly nextAt: Instant | null; readonly failed: boolean }): Promise<void> {
  const { kind, key, claimedBy, revision } = job;
  const { nextAt, failed } = outcome;
  if (nextAt === null) {
    const gone = await db
      .deleteFrom('job')
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('claimedBy', '=', claimedBy)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) return;
  }
  await db
    .updateTable('job')
    .set((eb) => ({
      claimedUntil: 0,
      claimedBy: null,
      failures: failed ? job.failures + 1 : 0,
      dueAt: nextAt === null ? eb.ref('dueAt') : eb.case().when('revision', '=', revision).then(nextAt).else(eb.ref('dueAt')).end(),
    }))
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('claimedBy', '=', claimedBy)
    .execute();
}
