import { hkdfSync } from 'node:crypto';
import { createSecretBox, equalSecrets, hashSecret } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

/** How long an answer can be repeated, in milliseconds. */
export const ANSWER_KEPT_MS = 60_000;

/** A token request that may be repeated: its sender, Idempotency-Key, body, and the code or token it presents. */
export interface Repeatable {
  readonly applicationId: string;
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
  /** The code or refresh token that was presented. */
  readonly presented: string;
}

export const repeatable = (
  applicationId: string,
  key: string,
  body: Uint8Array,
  presented: string,
): Repeatable => ({
  applicationId,
  keyHash: hashSecret(key),
  bodyHash: hashSecret(Buffer.from(body).toString('latin1')),
  presented,
});

// The encryption key is derived from the code or token that was presented. The server stores
// only the hash of that, so the database alone does not suffice to decrypt an answer.
const boxOf = (presented: string) =>
  createSecretBox(Buffer.from(hkdfSync('sha256', presented, '', 'helioport token answer', 32)));
const contextOf = ({ applicationId, keyHash }: Repeatable): string =>
  `${applicationId}:${keyHash.toString('hex')}`;

/** The earlier answer to the same request; 'taken' if the key was sent with a different body. */
export async function findTokenAnswer(
  db: Db,
  now: Instant,
  request: Repeatable,
): Promise<{ text: string } | 'taken' | undefined> {
  const { applicationId, keyHash, bodyHash, presented } = request;
  const row = await db
    .selectFrom('tokenAnswer')
    .select(['bodyHash', 'sealed', 'expiresAt'])
    .where('applicationId', '=', applicationId)
    .where('keyHash', '=', keyHash)
    .executeTakeFirst();
  if (!row || row.expiresAt <= now) return undefined;
  return equalSecrets(row.bodyHash, bodyHash)
    ? { text: boxOf(presented).open(row.sealed, contextOf(request)) }
    : 'taken';
}

/**
 * Stores an answer, in the transaction that issues its tokens.
 * @returns false if there already is a valid answer under this key: the transaction must then be rolled back
 */
export async function insertAnswer(
  trx: Db,
  now: Instant,
  request: Repeatable,
  answer: { text: string; codeHash: Uint8Array; grantId: string },
): Promise<boolean> {
  const { applicationId, keyHash, bodyHash, presented } = request;
  const row = {
    bodyHash,
    codeHash: answer.codeHash,
    grantId: answer.grantId,
    sealed: boxOf(presented).seal(answer.text, contextOf(request)),
    expiresAt: now + ANSWER_KEPT_MS,
  };
  const inserted = await trx
    .insertInto('tokenAnswer')
    .values({ applicationId, keyHash, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['applicationId', 'keyHash'])
        .doUpdateSet(row)
        .where('tokenAnswer.expiresAt', '<=', now),
    )
    .returning('expiresAt')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const forgetAnswersOfFamily = (trx: Db, codeHash: Uint8Array): Promise<unknown> =>
  trx.deleteFrom('tokenAnswer').where('codeHash', '=', codeHash).execute();

export const forgetAnswersOfGrant = (trx: Db, grantId: string): Promise<unknown> =>
  trx.deleteFrom('tokenAnswer').where('grantId', '=', grantId).execute();
