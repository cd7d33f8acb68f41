import { sql } from 'kysely';
import { databaseFaultOf } from './database-fault.ts';
import { openStorage, type Storage } from './open.ts';
import type { TimeLimits } from './postgres/watched-pool.ts';

/**
 * Opens a database and queries it once, so that a wrong address is detected here and not by the first request.
 * @throws DatabaseFault
 */
export async function connectStorage(address: string, limits?: TimeLimits): Promise<Storage> {
  const storage = openStorage(address, limits);
  try {
    await sql`select 1`.execute(storage.db);
    return storage;
  } catch (error) {
    await storage.close().catch(() => {});
    throw databaseFaultOf(error) ?? error;
  }
}
