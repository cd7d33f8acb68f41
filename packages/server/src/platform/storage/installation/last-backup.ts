import type { Db } from '../database.ts';
import { findValue, setValue } from './values.ts';

const NAME = 'lastBackup';

/** Remembers when a backup was made, in epoch milliseconds. */
export const rememberBackup = (db: Db, at: number): Promise<void> =>
  setValue(db, NAME, Buffer.from(String(at)));

/** When `helioport backup` last made a backup; undefined if it never has. */
export async function lastBackupAt(db: Db): Promise<number | undefined> {
  const found = await findValue(db, NAME);
  return found && Number(Buffer.from(found).toString());
}
