import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { onEngine } from '../engine.ts';

interface Size {
  bytes: number;
}

/** The size of the database in bytes, indexes included. */
export async function databaseBytes(db: Db): Promise<number> {
  const size = onEngine(db, {
    postgres: () => sql<Size>`select pg_database_size(current_database()) as bytes`,
    sqlite: () =>
      sql<Size>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  });
  const { rows } = await size.execute(db);
  return rows[0]!.bytes;
}
