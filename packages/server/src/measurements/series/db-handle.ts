/** The main database or a transaction of it. An engine that shares the caller's transaction works in it; others ignore it. */
export interface DbHandle {
  readonly isTransaction: boolean;
}
