import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Whether one of some columns contains a text; upper and lower case are alike. */
export function contains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`),
    sql` or `,
  )})`;
}
