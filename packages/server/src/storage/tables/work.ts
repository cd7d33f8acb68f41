import type { Generated } from 'kysely';
import type { Instant } from '../columns.ts';

/** Work to be done at a time, by whichever instance claims it first. */
export interface TaskTable {
  kind: string;
  key: string;
  dueAt: Instant;
  /** When `dueAt` was set, by the clock that it was set by. */
  setAt: Instant;
  /** How often it was armed. */
  revision: Generated<number>;
  /** End of the lease of `claimedBy`; 0 = nobody's. */
  claimedUntil: Generated<Instant>;
  /** Names one claim of one instance, so that a former one is told from the present one. */
  claimedBy: Generated<string | null>;
  /** Failed runs since the last good one. */
  failures: Generated<number>;
}

/** Roll-ups of a binding that are to be recalculated from an instant on, by a task. */
export interface RecalculationTable {
  binding: number;
  fromAt: Instant;
}
