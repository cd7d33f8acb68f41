import type { Db } from '../../packages/server/src/storage/database.ts';

/** The same database, writing down the text of each statement. */
export function listening(source: Db): { readonly db: Db; readonly texts: string[] } {
  const texts: string[] = [];
  // A copy with an executor of its own.
  const db = source.withoutPlugins();
  const executor = db.getExecutor();
  // Another adapter, so that prepared reads do not go past this executor.
  const adapter = Object.create(executor.adapter);
  Object.defineProperty(executor, 'adapter', { get: () => adapter });
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = ((query: { sql: string }, ...rest: unknown[]) => {
    texts.push(query.sql);
    return execute(query as never, ...(rest as []));
  }) as never;
  return { db, texts };
}
