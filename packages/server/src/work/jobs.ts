import { randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Db, Instant } from '../storage/database.ts';
import { createBell } from './bell.ts';
import { claimJobs, ensureJob, releaseJob, type ClaimedJob } from './job-rows.ts';

/** What a run says at its end: nothing, or when it wants to run again. */
export interface Again {
  readonly dueAt: Instant;
}

/**
 * How the jobs of a kind are done. A run takes a bounded batch and says `{ dueAt: now }` when more is left. It may be
 * repeated: an instance can be killed between a run's last change and the end of its claim.
 */
export interface JobHandler {
  /** A periodic job, made known at the start, is run again after this time. Without it a job is armed by others and gone when done. */
  readonly everySeconds?: number;
  run(key: string): Promise<Again | void>;
}

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface Jobs {
  /** Makes the periodic jobs known and does what is due from now on. */
  start(): Promise<void>;
  /** Takes up no more jobs and resolves when the running ones have ended. */
  stop(): Promise<void>;
  /** Does everything that is due by the clock and says how many runs that took. */
  runDue(): Promise<number>;
}

export interface JobsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly handlers: JobHandlers;
  /** Pause between two looks, in milliseconds. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
/** How long an instance may take for one run before another takes the job up. */
export const CLAIM_MS = 60_000;
const RUNS_AT_ONCE = 4;
const BACKOFF_MS = 1_000;
const BACKOFF_AT_MOST_MS = 3_600_000;

export function createJobs({ db, clock, logger, handlers, pollMs = POLL_MS }: JobsDependencies): Jobs {
  const kinds = Object.keys(handlers);
  // Names the claims of this instance.
  const by = randomUUID();
  const running = new Set<Promise<void>>();
  const bell = createBell();
  const phase = { stopped: true };
  let loop: Promise<void> | undefined;

  async function makeKnown(): Promise<void> {
    for (const [kind, { everySeconds }] of Object.entries(handlers)) {
      if (everySeconds !== undefined) await ensureJob(db, { kind, key: '' }, clock.now());
    }
  }

  async function claim(limit: number): Promise<ClaimedJob[]> {
    const now = clock.now();
    return claimJobs(db, { kinds, now, until: now + CLAIM_MS, by, limit });
  }

  async function run(job: ClaimedJob): Promise<void> {
    const { everySeconds, run: carryOut } = handlers[job.kind]!;
    try {
      const again = await carryOut(job.key);
      const nextAt = again?.dueAt ?? (everySeconds === undefined ? null : clock.now() + everySeconds * 1000);
      await releaseJob(db, job, { nextAt, failed: false });
    } catch (err) {
      logger.error({ err, job: job.kind, key: job.key, failures: job.failures + 1 }, 'a job failed and will be tried again');
      const nextAt = clock.now() + Math.min(BACKOFF_AT_MOST_MS, BACKOFF_MS * 2 ** job.failures);
      // Where even this fails the claim runs out by itself.
      await releaseJob(db, job, { nextAt, failed: true }).catch((fault: unknown) => logger.warn({ err: fault }, 'a failed job could not be put back'));
    }
  }

  /** Starts what is due, as far as there is room; says whether there may be more. */
  async function look(): Promise<boolean> {
    const free = RUNS_AT_ONCE - running.size;
    if (free === 0) return false;
    const jobs = await claim(free);
    for (const job of jobs) {
      const ended = run(job).finally(() => {
        running.delete(ended);
        bell.ring();
      });
      running.add(ended);
    }
    return jobs.length > 0;
  }

  async function work(): Promise<void> {
    while (!phase.stopped) {
      const more = await look().catch((err: unknown) => logger.warn({ err }, 'jobs could not be looked for'));
      if (!more) await bell.wait(pollMs);
    }
    await Promise.all(running);
  }

  return {
    async start() {
      await makeKnown();
      phase.stopped = false;
      loop = work();
    },
    async stop() {
      phase.stopped = true;
      bell.ring();
      await loop;
    },
    async runDue() {
      await makeKnown();
      let runs = 0;
      for (let jobs = await claim(RUNS_AT_ONCE); jobs.length > 0; jobs = await claim(RUNS_AT_ONCE)) {
        for (const job of jobs) await run(job);
        runs += jobs.length;
      }
      return runs;
    },
  };
}
