import { statSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { engineOf, onEngine } from '../engine.ts';

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

/** Size of a database in bytes; of an embedded one, with its log. `address`: path of the embedded one. */
export async function diskBytes(db: Db, address: string): Promise<number> {
  if (engineOf(db) === 'postgres') return databaseBytes(db);
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(address + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
