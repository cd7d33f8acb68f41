import type { SecretBox } from '../../kernel/secrets.ts';
import type { Db } from '../database.ts';

/** The master key is missing, or is not the one with which this database was created. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';

  constructor(sentence = 'the master key is not the one that this database was created with') {
    super(sentence);
  }
}

const NAME = 'masterKeyCheck';
const PLAIN = 'helioport';

/**
 * The database holds a known value that is encrypted with the master key. This decrypts it, or stores it if there is none yet. So a wrong key is
 * detected before anything else is decrypted with it.
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
    // The value is read again, because another instance may have been faster, with a different key.
    sealed = (await findCheckValue(db))!;
  }
  try {
    secretBox.open(sealed, NAME);
  } catch {
    throw new MasterKeyFault();
  }
}

/** Whether this database already belongs to a master key. */
export const isSealed = async (db: Db): Promise<boolean> =>
  (await findCheckValue(db)) !== undefined;

async function findCheckValue(db: Db): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst();
  return row?.value;
}
