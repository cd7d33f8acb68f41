/** One page of a list. `pageNo` counts from 1. */
export interface PageRecord<R> {
  readonly records: readonly R[];
  /** Number of records on all pages. */
  readonly total: number;
  readonly pageNo: number;
  readonly pageSize: number;
}

/** Numbers of all records that match a list's filters, by state. */
export interface StateCounts {
  readonly all: number;
  readonly online: number;
  readonly offline: number;
  readonly alarm: number;
}

/** A page, with counts over all pages. */
export interface Listing<R> {
  readonly page: PageRecord<R>;
  readonly counts: StateCounts;
}
