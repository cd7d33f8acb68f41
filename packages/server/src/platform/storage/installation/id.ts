import { randomBytes } from 'node:crypto';
import type { Db } from './database.ts';

const NAME = 'id';

/** A name for this installation, made once: engines beside the database keep it, so that nobody else's rows are taken for its own. */
export async function installationId(db: Db): Promise<string> {
  const find = (): Promise<{ value: Uint8Array } | undefined> =>
    db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  let found = await find();
  if (!found) {
    await db
      .insertInto('installation')
      .values({ name: NAME, value: randomBytes(16) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    // Another instance may have been faster.
    found = (await find())!;
  }
  return Buffer.from(found.value).toString('hex');
}
