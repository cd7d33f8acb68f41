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
  const onStatement = told.get(adapter);
  if (!shortcut) shortcuts.delete(adapter);
  else
    shortcuts.set(
      adapter,
      onStatement ? { ...shortcut, run: telling(shortcut.run, onStatement) } : shortcut,
    );
}

/** Is told of each statement that was carried out: its text, without values, and how long it took. */
export type OnStatement = (text: string, ms: number) => void;

const told = new WeakMap<DialectAdapter, OnStatement>();

/** Has somebody told of what takes the shortcut, from now on. */
export function tellOfShortcut(adapter: DialectAdapter, onStatement: OnStatement): void {
  told.set(adapter, onStatement);
  setShortcut(adapter, shortcuts.get(adapter));
}

const telling =
  (run: DirectRun, onStatement: OnStatement): DirectRun =>
  async (query) => {
    const begunAt = performance.now();
    try {
      return await run(query);
    } finally {
      onStatement(query.sql, performance.now() - begunAt);
    }
  };
