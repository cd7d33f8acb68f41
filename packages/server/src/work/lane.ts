import type { Db, Instant } from '../storage/database.ts';
import type { Transact } from '../storage/transact.ts';

/** The result of a run: nothing, or when to run again. */
export interface Again {
  readonly dueAt: Instant;
}

/** One run of a task, as its handler sees it. */
export interface Run {
  readonly key: string;
  /** Aborted when the run is abandoned. */
  readonly signal: AbortSignal;
  /**
   * A transaction that commits only while this run holds the lease of its task.
   * @throws LeaseLost
   */
  readonly transaction: Transact;
  /** The last transaction of the run: what it does and the end of the task are one, so that both happen or neither. */
  finish(body: (trx: Db) => Promise<Again | void>): Promise<void>;
}

/**
 * How the tasks of a kind are carried out. A run takes a bounded batch and returns `{ dueAt: now }` if more is left. Unless it ends with
 * `finish` it may be repeated: an instance can be killed between a run's last change and the end of its claim.
 */
export interface Handler {
  run(run: Run): Promise<Again | void>;
  /** Told of a task that had been put off by a clock that ran ahead, in the transaction that puts it right. */
  clockSetBack?(trx: Db, key: string, now: Instant): Promise<void>;
}

/** A kind of work with its own places: however much of it there is, and whatever hangs in it, other kinds do not wait for it. */
export interface Lane extends Handler {
  /** Runs at once on one instance. */
  readonly runsAtOnce: number;
  /** A run that takes longer is abandoned: its place is free, its `run.transaction` can commit nothing any more, and the task is tried again. */
  readonly limitSeconds: number;
  /** Periodic tasks are made known at the start and run again after this time. Others are armed, and gone when done. */
  readonly everySeconds?: number;
  /** Keys of the periodic tasks; `['']` when left out. */
  readonly keys?: readonly string[];
}

/** By kind. If several are due, those listed first start first. */
export type Lanes = Readonly<Record<string, Lane>>;
