import type { SecretBox } from '../kernel/secrets.ts';
import type { Db } from './database.ts';

/** The master key is missing, or is not the one with which this database was created. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';

  constructor(sentence = 'the master key is not the one that this database was made with') {
    super(sentence);
  }
}

const NAME = 'masterKeyCheck';
const PLAIN = 'helioport';

/**
 * Leaves a value in the database that only the right master key opens, and opens the one that is there:
 * with a wrong key nothing is half decrypted later.
 * @throws MasterKeyFault
 */
export async function checkMasterKey(db: Db, secretBox: SecretBox): Promise<void> {
  let sealed = await findCheckValue(db);
  if (!sealed) {
    await db
      .insertInto('installation')
      .values({ name: NAME, value: secretBox.seal(PLAIN, NAME) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    // Read again: another instance may have been first, with another key.
    sealed = (await findCheckValue(db))!;
  }
  try {
    secretBox.open(sealed, NAME);
  } catch {
    throw new MasterKeyFault();
  }
}

/** Whether a master key belongs to this database already. */
export const isSealed = async (db: Db): Promise<boolean> => (await findCheckValue(db)) !== undefined;

async function findCheckValue(db: Db): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  return row?.value;
}
