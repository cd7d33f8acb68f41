import { sql } from 'kysely';
import type { TestDatabase } from './engines.ts';

/** What notes that somebody asked, whether or not anything came of it, and what passes with time. */
const NOTES = new Set(['pageEnd', 'bindingStart', 'onceMark', 'applicationUse']);
/** Columns that a use of a key writes. */
const USE = /^lastUsed/;

/** Every row of every table as text: what a request that is refused leaves as it was. */
export async function everythingStored({
  db,
  engine,
}: TestDatabase): Promise<Record<string, string[]>> {
  const tables = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !NOTES.has(name) && !name.startsWith('sqlite_'));
  const stored: Record<string, string[]> = {};
  for (const table of tables.toSorted()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
      db,
    );
    stored[table] = rows
      .map((row) =>
        JSON.stringify(row, (name, value: unknown) => (USE.test(name) ? undefined : value)),
      )
      .toSorted();
  }
  if (Object.keys(stored).length < 10) throw new Error(`too few tables on ${engine}`);
  return stored;
}
