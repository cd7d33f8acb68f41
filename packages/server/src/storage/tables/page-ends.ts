import type { Flag, Instant } from '../columns.ts';

/** Where a page of a list ended for its reader. */
export interface PageEndTable {
  /** Hash of the reader, the list, and all that was asked for beside the page. */
  list: string;
  pageNo: number;
  lastId: string;
  /** Rows of all pages when the first was read; null in lists that count them afresh. */
  total: number | null;
  /** There were more than counted. */
  atLeast: Flag;
  at: Instant;
}
