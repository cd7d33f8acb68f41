import type { Db } from './database.ts';

const NAME = 'lastBackup';

/** Remembers when a backup was made, in epoch milliseconds. */
export async function rememberBackup(db: Db, at: number): Promise<void> {
  const value = Buffer.from(String(at));
  await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** When `helioport backup` last made a backup; undefined if it never has. */
export async function lastBackupAt(db: Db): Promise<number | undefined> {
  const found = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst();
  return found && Number(Buffer.from(found.value).toString());
}
