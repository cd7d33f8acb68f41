import type { CompiledQuery } from 'kysely';
import type { Db } from '../../packages/server/src/storage/database.ts';

/** The same database, writing down each statement. */
export function listening(source: Db): { readonly db: Db; readonly statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = [];
  // A copy with an executor of its own.
  const db = source.withoutPlugins();
  const executor = db.getExecutor();
  // Another adapter, so that prepared reads do not go past this executor.
  const adapter = Object.create(executor.adapter);
  Object.defineProperty(executor, 'adapter', { get: () => adapter });
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = ((query: CompiledQuery, ...rest: unknown[]) => {
    statements.push(query);
    return execute(query as never, ...(rest as []));
  }) as never;
  return { db, statements };
}
