import { Failure } from '../../../platform/kernel/failure.ts';
import { hashSecret, type SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { takeMark } from '../once.ts';

/** What a challenge or a ticket is for; it is accepted for nothing else. */
interface Purpose {
  readonly kind: 'log in with a passkey' | 'second factor' | 'add a passkey' | 'second step';
  /** The account or, before anybody is known, the browser. */
  readonly subject: string;
}

/**
 * A value that only we can have made, and that expires: sealed instead of stored, so that strangers who ask for many cost no rows.
 * @returns base64url
 */
export const makeChallenge = (
  box: SecretBox,
  { kind, subject }: Purpose,
  expiresAt: Instant,
): string => box.seal(JSON.stringify({ subject, expiresAt }), kind).toString('base64url');

/** The subject and expiry of a challenge of this kind; undefined if we did not make it or it has expired. */
export function readChallenge(
  box: SecretBox,
  kind: Purpose['kind'],
  challenge: string,
  now: Instant,
): { subject: string; expiresAt: Instant } | undefined {
  try {
    const read = JSON.parse(box.open(Buffer.from(challenge, 'base64url'), kind)) as {
      subject: string;
      expiresAt: Instant;
    };
    return read.expiresAt > now ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Makes sure that a challenge is answered once, on whichever instance. Throws wrongFactor. */
export async function consumeChallenge(
  trx: Db,
  challenge: string,
  expiresAt: Instant,
): Promise<void> {
  await takeMark(trx, { holder: 'passkey', digest: hashSecret(challenge), expiresAt }).catch(
    (error: unknown) => {
      throw error instanceof Failure ? new Failure('wrongFactor') : error;
    },
  );
}
