import type { Db } from '../../packages/server/src/platform/storage/database.ts';

type Executor = ReturnType<Db['getExecutor']>;

/** The same database, writing down the text of each statement; those of transactions only if asked to. */
export function listening(
  source: Db,
  { transactions = false } = {},
): { readonly db: Db; readonly texts: string[] } {
  const texts: string[] = [];
  // A copy with an executor of its own.
  const db = source.withoutPlugins();
  hear(db.getExecutor());
  return { db, texts };

  function hear(executor: Executor): Executor {
    // Another adapter, so that prepared reads do not go past this executor.
    const adapter = Object.create(executor.adapter);
    Object.defineProperty(executor, 'adapter', { get: () => adapter });
    const execute = executor.executeQuery.bind(executor);
    executor.executeQuery = ((query: { sql: string }, ...rest: unknown[]) => {
      texts.push(query.sql);
      return execute(query as never, ...(rest as []));
    }) as never;
    const over = executor.withConnectionProvider.bind(executor);
    if (transactions) executor.withConnectionProvider = (provider) => hear(over(provider));
    return executor;
  }
}
