import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { damagedDatabase, databaseFaultOf } from '../database-fault.ts';

/** Files of up to this size, in bytes, are checked at each start, which takes half a second at most (docs/adr/0014). */
const CHECKED_AT_START_BYTES = 64 * 1024 * 1024;

/**
 * Reads an entire embedded database.
 * @param thoroughly whether indexes are compared with their tables as well
 * @throws DatabaseFault if a page of it is damaged
 */
export function checkIntegrity(file: string, thoroughly: boolean): void {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const row = database
      .prepare(`pragma ${thoroughly ? 'integrity_check' : 'quick_check'}(1)`)
      .get();
    const found = String(Object.values(row ?? {})[0]);
    if (found !== 'ok') throw damagedDatabase(found);
  } catch (error) {
    throw databaseFaultOf(error) ?? error;
  } finally {
    database.close();
  }
}

/** Checks the pages of a small file at startup. Checking a large one would delay the start, so that is left to `helioport doctor`. */
export function checkIntegrityAtStart(file: string): void {
  if (statSync(file).size <= CHECKED_AT_START_BYTES) checkIntegrity(file, false);
}
