import {
  createKeyRing,
  createSecretBox,
  LINKS_OPEN_MS,
  type KeyRing,
  type SecretBox,
} from '../../kernel/secrets.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Db } from '../database.ts';
import { forgetRemoved } from './forget-removed.ts';
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
/** The key before the present one, encrypted with the present one: whoever has that needs no other. Behind it, once its rotation is over, since when. */
const FORMER = 'formerMasterKey';

/**
 * The keys of a database, by one of them. It holds a known value that is encrypted with the master key, which is stored if there is none yet. So a
 * wrong key is detected before anything else is decrypted with it.
 * @throws MasterKeyFault
 */
export async function openKeyRing(
  db: Db,
  masterKey: Uint8Array,
  now = systemClock.now,
): Promise<KeyRing> {
  const given = createSecretBox(masterKey);
  const next = await openWith(db, given, NEXT);
  const former = await findFormer(db, given);
  const ring = createKeyRing(
    [
      ...(next === undefined ? [] : [Buffer.from(next, 'base64')]),
      masterKey,
      ...(former ? [former.key] : []),
    ],
    now,
  );
  if (former) ring.replaced(former.replacedAt);
  const check = await makeValue(db, NAME, () => ring.seal(PLAIN, NAME));
  try {
    ring.open(check, NAME);
  } catch {
    throw new MasterKeyFault();
  }
  return ring;
}

/** What is kept under a name, encrypted with a key; undefined if nothing is, or another key encrypts it. */
async function openWith(db: Db, box: SecretBox, name: string): Promise<string | undefined> {
  const sealed = await findValue(db, name);
  try {
    return sealed && box.open(sealed, name);
  } catch {
    return undefined;
  }
}

/** The former key, and since when the present one is in its place: Infinity while the rotation is under way. */
async function findFormer(
  db: Db,
  box: SecretBox,
): Promise<{ readonly key: Uint8Array; readonly replacedAt: number } | undefined> {
  const [text, since] = (await openWith(db, box, FORMER))?.split(' ') ?? [];
  if (text === undefined) return undefined;
  return {
    key: Buffer.from(text, 'base64'),
    replacedAt: since !== undefined ? Number(since) : (await isRotating(db)) ? Infinity : 0,
  };
}

/** Until when the former master key opens links in e-mails; undefined if there is none, or not any more. */
export async function formerKeyUntil(
  db: Db,
  masterKey: Uint8Array,
  now: number,
): Promise<number | undefined> {
  const former = await findFormer(db, createSecretBox(masterKey));
  const until = former && former.replacedAt + LINKS_OPEN_MS;
  return until !== undefined && until > now ? until : undefined;
}

/** How often an instance looks for a new key, in milliseconds. */
export const LOOK_FOR_KEY_MS = 1_000;

/** Has a running instance encrypt with a new key as soon as there is one. Call what it returns to end that. */
export function followRotation(db: Db, ring: KeyRing): () => void {
  const look = async (): Promise<void> => {
    const sealed = await findValue(db, NEXT);
    if (sealed) {
      ring.adopt(Buffer.from(ring.open(sealed, NEXT), 'base64'));
    } else {
      const former = await findFormer(db, createSecretBox(ring.current));
      ring.replaced(former?.replacedAt ?? 0);
    }
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

/** Ends a rotation, together with what records it: who has the former key learns nothing of the new one any more, nor from what is left in the files of the database. */
export async function endRotation(
  db: Db,
  ring: KeyRing,
  now: number,
  record: (trx: Db) => Promise<void>,
): Promise<void> {
  const former = await findFormer(db, createSecretBox(ring.current));
  await db.transaction().execute(async (trx) => {
    if (former)
      await setValue(
        trx,
        FORMER,
        ring.seal(`${Buffer.from(former.key).toString('base64')} ${now}`, FORMER),
      );
    await removeValues(trx, [NEXT]);
    await record(trx);
  });
  await forgetRemoved(db, 'installation');
}

/** Has the former key open nothing any more. */
export async function endFormerKey(db: Db, record: (trx: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await findValue(trx, FORMER)) === undefined) return;
    await removeValues(trx, [FORMER]);
    await record(trx);
  });
  await forgetRemoved(db, 'installation');
}

/** Removes all that is encrypted with a key that was lost. */
export const removeKeys = (db: Db): Promise<void> => removeValues(db, [NAME, NEXT, FORMER]);

/** Whether this database already belongs to a master key. */
export const isSealed = async (db: Db): Promise<boolean> =>
  (await findValue(db, NAME)) !== undefined;
