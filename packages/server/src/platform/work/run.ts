import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Db, Instant } from '../storage/database.ts';
import { releaseTask, type Claim, type Outcome } from './claim.ts';
import type { Again, Lane, Run } from './lane.ts';
import { createLease, LeaseLost } from './lease.ts';

/** A run in progress, as its runner sees it. */
export interface ActiveRun {
  readonly claim: Claim;
  /** When the run exceeds its time limit. */
  readonly endsAt: Instant;
  /** Resolves when the handler has ended and the task is rescheduled or deleted; never rejects. */
  readonly ended: Promise<void>;
  /** Renews the lease; if it was lost, ends the run's right to commit. */
  renew(): Promise<void>;
  /** Ends the run's right to commit and reschedules the task as failed; never rejects. */
  abandon(): Promise<void>;
}

interface RunDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  onFailed(kind: string): void;
}

const BACKOFF_MS = 1_000;
const BACKOFF_AT_MOST_MS = 3_600_000;

/** Starts carrying out a claimed task. */
export function beginRun(
  { db, clock, logger, onFailed }: RunDependencies,
  lane: Lane,
  claim: Claim,
): ActiveRun {
  const { kind: work, key } = claim;
  const failures = claim.failures + 1;
  const lease = createLease(db, clock, claim);
  let finished = false;

  function done(again: Again | void): Outcome {
    const now = clock.now();
    const failed = again?.hasFailed ?? false;
    return { now, failed, nextAt: again ? again.dueAt : nextRound(now) };
  }

  /** The next round is counted from when this one was due, so that rounds do not drift; missed rounds are not made up for. */
  function nextRound(now: Instant): Instant | null {
    if (lane.everySeconds === undefined) return null;
    const everyMs = lane.everySeconds * 1000;
    return claim.dueAt + everyMs > now ? claim.dueAt + everyMs : now + everyMs;
  }

  // If even rescheduling fails, the lease simply expires.
  async function putBack(): Promise<void> {
    const now = clock.now();
    const nextAt = now + Math.min(BACKOFF_AT_MOST_MS, BACKOFF_MS * 2 ** claim.failures);
    await releaseTask(db, claim, { now, nextAt, failed: true }).catch((err: unknown) =>
      logger.warn({ err, work, key }, 'failed work could not be rescheduled'),
    );
  }

  const run: Run = {
    key,
    failures: claim.failures,
    signal: lease.signal,
    transaction: lease.transaction,
    async finish(body) {
      await lease.transaction(async (trx) => releaseTask(trx, claim, done(await body(trx))));
      finished = true;
    },
  };

  async function carryOut(): Promise<void> {
    try {
      const again = await lane.run(run);
      if (!finished && !lease.signal.aborted) await releaseTask(db, claim, done(again));
    } catch (err) {
      // Another run may have the task now.
      if (lease.signal.aborted) return;
      if (err instanceof LeaseLost)
        return logger.warn({ work, key }, 'a run has lost its lease to another instance');
      logger.error({ err, work, key, failures }, 'a run failed and will be tried again');
      onFailed(work);
      await putBack();
    }
  }

  return {
    claim,
    endsAt: clock.now() + lane.limitSeconds * 1000,
    ended: carryOut(),
    async renew() {
      if (!lease.signal.aborted && !finished && !(await lease.renew()))
        lease.end(new LeaseLost('another instance has taken over the task'));
    },
    abandon() {
      lease.end(new LeaseLost('the run took too long'));
      return putBack();
    },
  };
}
