import { sql } from 'kysely';
import { databaseFaultOf } from './database-fault.ts';
import type { OnStatement } from './direct-run.ts';
import { openStorage, type Storage } from './open.ts';
import type { TimeLimits } from './postgres/watched-pool.ts';

/**
 * Opens a database and queries it once, so that a wrong address is detected here and not by the first request.
 * @throws DatabaseFault
 */
export async function connectStorage(
  address: string,
  limits?: TimeLimits,
  onStatement?: OnStatement,
): Promise<Storage> {
  const storage = openStorage(address, limits, onStatement);
  try {
    await sql`select 1`.execute(storage.db);
    return storage;
  } catch (error) {
    await storage.close().catch(() => {});
    throw databaseFaultOf(error) ?? error;
  }
}
