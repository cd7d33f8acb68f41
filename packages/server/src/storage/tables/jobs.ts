import type { Generated } from 'kysely';
import type { Instant } from '../columns.ts';

/** Work to be done at a time, by whichever instance claims it first. */
export interface JobTable {
  kind: string;
  key: string;
  dueAt: Instant;
  /** How often it was armed. */
  revision: Generated<number>;
  /** Until then it is the claimer's; 0 = nobody's. */
  claimedUntil: Generated<Instant>;
  claimedBy: Generated<string | null>;
  /** Failed runs since the last good one. */
  failures: Generated<number>;
}

/** Roll-ups of a binding that are to be made anew from an instant on, by a job. */
export interface RecalculationTable {
  binding: number;
  fromAt: Instant;
}
