import type { Report } from '../report.ts';

/** A report that waits to be delivered. */
export interface KeptReport {
  readonly key: number;
  readonly report: Report;
}

/** Undelivered reports, in the order in which they were added. */
export interface Backlog {
  /** Number of waiting reports. */
  readonly waiting: number;
  /** Number of reports dropped since it was opened, because there were too many. */
  readonly dropped: number;
  /** Adds a report and returns its key. When it returns, the report is kept. Throws if it cannot be kept, in which case nothing changes. */
  add(report: Report): number;
  /** The oldest reports, up to a number of bytes; at least one if any wait. */
  oldest(bytes: number): KeptReport[];
  /** Removes delivered reports. */
  remove(keys: readonly number[]): void;
  close(): void;
}
