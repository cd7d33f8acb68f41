import { statSync } from 'node:fs';
import { databaseBytes } from './checks/size.ts';
import type { Db } from './database.ts';
import { engineOf } from './engine.ts';

/** Size of a database in bytes; of an embedded one, with its log. `address`: path of the embedded one. */
export async function diskBytes(db: Db, address: string): Promise<number> {
  if (engineOf(db) === 'postgres') return databaseBytes(db);
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(address + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
