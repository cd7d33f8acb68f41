import type { CompiledQuery, DialectAdapter } from 'kysely';

/** Runs a SELECT outside of transactions and returns its rows. */
export type DirectRead = <R>(query: CompiledQuery<R>) => R[] | Promise<R[]>;

const reads = new WeakMap<DialectAdapter, DirectRead>();

/**
 * A shortcut around kysely's drivers for prepared queries: going through them takes as long as the embedded
 * engine needs for a small query (benchmarks/RESULTS.md, Signed list). Undefined if there is no shortcut.
 */
export const directRead = (adapter: DialectAdapter): DirectRead | undefined => reads.get(adapter);

/** Enables the shortcut, or disables it if `read` is undefined. */
export function setDirectRead(adapter: DialectAdapter, read: DirectRead | undefined): void {
  if (read) reads.set(adapter, read);
  else reads.delete(adapter);
}
