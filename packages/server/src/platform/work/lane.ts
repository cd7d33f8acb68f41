import type { Db, Instant } from '../storage/database.ts';
import type { Transact } from '../storage/transactions/transact.ts';

/** What a run may return: when to run again. */
export interface Again {
  readonly dueAt: Instant;
  /** The run could not do what it was for: its task counts as failing until a run does not say so. */
  readonly hasFailed?: true;
}

/** One run of a task, as its handler sees it. */
export interface Run {
  readonly key: string;
  /** How many runs of the task have failed since the last one that did not. */
  readonly failures: number;
  /** Aborted when the run is abandoned. */
  readonly signal: AbortSignal;
  /**
   * A transaction that commits only while this run holds the lease of its task.
   * @throws LeaseLost
   */
  readonly transaction: Transact;
  /** The last transaction of the run, which also ends the task: either both happen or neither. */
  finish(body: (trx: Db) => Promise<Again | void>): Promise<void>;
}

/**
 * Carries out the tasks of a kind. A run processes a limited batch and returns `{ dueAt: now }` if more is left. Unless it ends with
 * `finish`, it may be repeated: an instance can be killed between a run's last change and the end of its claim.
 */
export interface LaneHandler {
  run(run: Run): Promise<Again | void>;
  /** Called for a task that a clock running ahead had postponed, in the transaction that corrects its time. */
  clockSetBack?(trx: Db, key: string, now: Instant): Promise<void>;
}

/** A kind of work with its own slots. However much of it there is, and even if a run hangs, other kinds do not have to wait. */
export interface Lane extends LaneHandler {
  /** How many runs one instance may have at once. */
  readonly runsAtOnce: number;
  /** A run that takes longer is abandoned: its slot is freed, its `run.transaction` can no longer commit, and the task is tried again. */
  readonly limitSeconds: number;
  /** Period of tasks that are created at the start and repeated. Tasks of lanes without a period are created when needed and deleted when done. */
  readonly everySeconds?: number;
  /** Keys of the periodic tasks; default `['']`. */
  readonly keys?: readonly string[];
}

/** Lanes by kind of work. If several kinds are due, those listed first start first. */
export type Lanes = Readonly<Record<string, Lane>>;
