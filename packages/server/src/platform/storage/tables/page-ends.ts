import type { Flag, Instant } from '../columns.ts';

/** Where a page of a list ended for its reader. */
export interface PageEndTable {
  /** Hash of the reader, the list, and all request parameters except the page. */
  list: string;
  pageNo: number;
  lastId: string;
  /** Number of rows on all pages when the first page was read; null for lists that count them each time. */
  total: number | null;
  /** 1 if `total` is only a lower bound, because counting stopped there. */
  atLeast: Flag;
  at: Instant;
}
