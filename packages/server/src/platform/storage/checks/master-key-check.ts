import {
  createKeyRing,
  createSecretBox,
  type KeyRing,
  type SecretBox,
} from '../../kernel/secrets.ts';
import type { Db } from '../database.ts';
import { findValue, makeValue, removeValues, setValue } from '../installation/values.ts';

/** The master key is missing, or is not the one with which this database was created. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault';

  constructor(sentence = 'the master key is not the one that this database was created with') {
    super(sentence);
  }
}

const NAME = 'masterKeyCheck';
const PLAIN = 'helioport';

/** The key that replaces the present one, encrypted with the present one; only while `helioport master-key rotate` is under way. */
const NEXT = 'nextMasterKey';
/** The key before the present one, encrypted with the present one: whoever has that needs no other. */
const FORMER = 'formerMasterKey';

/**
 * The keys of a database, by one of them. It holds a known value that is encrypted with the master key, which is stored if there is none yet. So a
 * wrong key is detected before anything else is decrypted with it.
 * @throws MasterKeyFault
 */
export async function openKeyRing(db: Db, masterKey: Uint8Array): Promise<KeyRing> {
  const given = createSecretBox(masterKey);
  const keyIn = async (name: string): Promise<Uint8Array[]> => {
    const sealed = await findValue(db, name);
    try {
      return sealed ? [Buffer.from(given.open(sealed, name), 'base64')] : [];
    } catch {
      return [];
    }
  };
  const ring = createKeyRing([...(await keyIn(NEXT)), masterKey, ...(await keyIn(FORMER))]);
  const check = await makeValue(db, NAME, () => ring.seal(PLAIN, NAME));
  try {
    ring.open(check, NAME);
  } catch {
    throw new MasterKeyFault();
  }
  return ring;
}

/** How often an instance looks for a new key, in milliseconds. */
export const LOOK_FOR_KEY_MS = 1_000;

/** Has a running instance encrypt with a new key as soon as there is one. Call what it returns to end that. */
export function followRotation(db: Db, ring: KeyRing): () => void {
  const look = async (): Promise<void> => {
    const sealed = await findValue(db, NEXT);
    if (sealed) ring.adopt(Buffer.from(ring.open(sealed, NEXT), 'base64'));
  };
  // While the database is away, or the key is replaced just now, the next look finds it.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_FOR_KEY_MS).unref();
  return () => clearInterval(timer);
}

/** Whether a rotation is under way. */
export const isRotating = async (db: Db): Promise<boolean> =>
  (await findValue(db, NEXT)) !== undefined;

/** Begins a rotation, or continues the one under way: from now on, instances learn the new key. */
export async function beginRotation(db: Db, ring: KeyRing, next: Uint8Array): Promise<void> {
  const text = Buffer.from(next).toString('base64');
  await db.transaction().execute(async (trx) => {
    await setValue(trx, NEXT, ring.seal(text, NEXT));
    await setValue(
      trx,
      FORMER,
      createSecretBox(next).seal(Buffer.from(ring.current).toString('base64'), FORMER),
    );
  });
  ring.adopt(next);
}

/** Marks the database as belonging to the new key alone. */
export const sealCheck = (db: Db, box: SecretBox): Promise<void> =>
  setValue(db, NAME, box.seal(PLAIN, NAME));

/** Ends a rotation: who has the former key learns nothing of the new one any more. */
export const endRotation = (db: Db): Promise<void> => removeValues(db, [NEXT]);

/** Removes all that is encrypted with a key that was lost. */
export const removeKeys = (db: Db): Promise<void> => removeValues(db, [NAME, NEXT, FORMER]);

/** Whether this database already belongs to a master key. */
export const isSealed = async (db: Db): Promise<boolean> =>
  (await findValue(db, NAME)) !== undefined;
