import { statSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { engineOf } from './engine.ts';

/** Size of a database in bytes; of an embedded one, with its log. `address`: path of the embedded one. */
export async function diskBytes(db: Db, address: string): Promise<number> {
  if (engineOf(db) === 'sqlite')
    return ['', '-wal'].reduce(
      (sum, suffix) => sum + (statSync(address + suffix, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  const size = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`;
  return Number((await size.execute(db)).rows[0]!.bytes);
}
