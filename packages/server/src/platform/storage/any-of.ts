import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { onEngine } from './engine.ts';

/**
 * `column in (values)` with a single parameter, however many values there are, so that the statement's
 * text stays the same and can be prepared once. Each engine needs a form that the other one does not know.
 */
export function anyOf(db: Kysely<any>, column: string, values: unknown): RawBuilder<SqlBool> {
  return onEngine(db, {
    postgres: () => sql<SqlBool>`${sql.ref(column)} = any(${values})`,
    sqlite: () => sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${values}))`,
  });
}

/** The parameter that belongs to an `anyOf`. */
export function listParameter(db: Kysely<any>, values: readonly (string | number)[]): unknown {
  return onEngine<unknown>(db, { postgres: () => values, sqlite: () => JSON.stringify(values) });
}
