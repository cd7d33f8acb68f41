import type { Flag, Instant } from '../columns.ts';

/** Where a page of a list ended for its reader. */
export interface PageEndTable {
  /** Hash of the reader, the list, and all request parameters except the page. */
  list: string;
  pageNo: number;
  lastId: string;
  /** Rows on all pages when the first was read; null for lists that count them each time. */
  total: number | null;
  /** There were more than counted. */
  atLeast: Flag;
  at: Instant;
}
