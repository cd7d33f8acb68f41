import { sql, type Kysely, type RawBuilder } from 'kysely';
import { onEngine } from './engine.ts';

/**
 * Rows of whole numbers as a table with these columns, given in a single parameter, however many there are, so that the statement's text stays the
 * same and can be prepared once.
 */
export function rowsOf<C extends string>(
  db: Kysely<any>,
  columns: readonly C[],
  rows: unknown,
): RawBuilder<Record<C, number>> {
  const cells = columns.map(
    (name, i) =>
      sql`${onEngine(db, {
        postgres: () => sql`(given.value ->> ${sql.lit(i)})::int8`,
        sqlite: () => sql`given.value ->> ${sql.lit(i)}`,
      })} as ${sql.ref(name)}`,
  );
  const given = onEngine(db, {
    postgres: () => sql`json_array_elements(${rows}::json) as given(value)`,
    sqlite: () => sql`json_each(${rows}) as given`,
  });
  return sql`(select ${sql.join(cells)} from ${given})`;
}

/** The parameter that belongs to `rowsOf`. */
export const rowsParameter = (rows: readonly (readonly number[])[]): unknown =>
  JSON.stringify(rows);
