import type { Db } from '../database.ts';

/** What is kept of an installation under a name; undefined if nothing is. */
export async function findValue(db: Db, name: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

/** Keeps a value under a name, in the place of another. */
export async function setValue(db: Db, name: string, value: Uint8Array): Promise<void> {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The value under a name, which is made once. Another instance may be faster; then it is that one's. */
export async function makeValue(
  db: Db,
  name: string,
  make: () => Uint8Array | Promise<Uint8Array>,
): Promise<Uint8Array> {
  const known = await findValue(db, name);
  if (known) return known;
  await db
    .insertInto('installation')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findValue(db, name))!;
}

export async function removeValues(db: Db, names: readonly string[]): Promise<void> {
  await db.deleteFrom('installation').where('name', 'in', names).execute();
}
