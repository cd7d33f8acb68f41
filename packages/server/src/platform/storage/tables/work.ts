import type { Generated } from 'kysely';
import type { Instant } from '../columns.ts';

/** Work that is due at a given time, for whichever instance claims it first. */
export interface TaskTable {
  kind: string;
  key: string;
  dueAt: Instant;
  /** When `dueAt` was set, according to the clock that set it. */
  setAt: Instant;
  /** How often it was armed. */
  revision: Generated<number>;
  /** End of the lease of `claimedBy`; 0 = not claimed. */
  claimedUntil: Generated<Instant>;
  /** Identifies one claim of one instance, to distinguish the current claim from former ones. */
  claimedBy: Generated<string | null>;
  /** Failed runs since the last successful one. */
  failures: Generated<number>;
}

/** A request to a task to recalculate the roll-ups of a binding from an instant on. */
export interface RecalculationTable {
  binding: number;
  fromAt: Instant;
  /** How often it was asked for since it was last done. */
  requests: number;
}
