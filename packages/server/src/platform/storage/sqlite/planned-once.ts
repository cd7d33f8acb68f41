import { sql, type Kysely, type RawBuilder } from 'kysely';
import { onEngine } from '../engine.ts';

/**
 * A parameter as an expression, for a column that is in the condition of a partial index: SQLite plans a statement for the value of a plain
 * `column = ?`, in case the index can be used, so it compiles the statement again each time a value is bound.
 */
export const plannedOnce = <T>(db: Kysely<any>, parameter: T): RawBuilder<T> =>
  onEngine(db, { sqlite: () => sql<T>`+${parameter}`, postgres: () => sql<T>`${parameter}` });
