import type { Report } from '../report.ts';

/** A report that waits for its delivery. */
export interface KeptReport {
  readonly key: number;
  readonly report: Report;
}

/** Reports that were not delivered yet, in the order in which they were added. */
export interface Backlog {
  /** Number of reports that wait. */
  readonly waiting: number;
  /** Reports given up since it was opened, oldest first, because there were too many. */
  readonly dropped: number;
  /** Adds a report; when it returns, the report is kept. Returns its key. Throws if there is no place for it, in which case nothing changes. */
  add(report: Report): number;
  /** The oldest reports, up to so many bytes; at least one if any wait. */
  oldest(bytes: number): KeptReport[];
  /** Forgets reports that were delivered. */
  remove(keys: readonly number[]): void;
  close(): void;
}
