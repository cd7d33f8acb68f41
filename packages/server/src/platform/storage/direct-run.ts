import type { CompiledQuery, DialectAdapter } from 'kysely';

/** Runs a statement outside of transactions and returns its rows. */
export type DirectRun = <R>(query: CompiledQuery<R>) => R[] | Promise<R[]>;

interface Shortcut {
  readonly run: DirectRun;
  /** Which statements it takes: on the embedded engine, it leads to the connection that only reads. */
  readonly takes: 'reads' | 'everything';
}

const shortcuts = new WeakMap<DialectAdapter, Shortcut>();

/**
 * A shortcut around kysely's drivers for prepared queries: going through them takes as long as the embedded
 * engine needs for a small query (benchmarks/RESULTS.md, Signed list). Undefined if there is none for the query.
 */
export function directRun(
  adapter: DialectAdapter,
  { query }: CompiledQuery,
): DirectRun | undefined {
  const shortcut = shortcuts.get(adapter);
  return shortcut && (shortcut.takes === 'everything' || query.kind === 'SelectQueryNode')
    ? shortcut.run
    : undefined;
}

/** Enables the shortcut, or disables it if it is undefined. */
export function setShortcut(adapter: DialectAdapter, shortcut: Shortcut | undefined): void {
  if (shortcut) shortcuts.set(adapter, shortcut);
  else shortcuts.delete(adapter);
}
