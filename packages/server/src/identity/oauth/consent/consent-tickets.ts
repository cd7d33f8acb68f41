import {
  hashSecret,
  equalSecrets,
  randomAlphanumeric,
  type SecretBox,
} from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { holdSession, type HeldSession, type Session } from '../../accounts/sessions.ts';
import { keepNewest } from '../../../platform/storage/bounds/within.ts';
import { OauthRefusal } from '../refusal.ts';

/** How long a consent page can be submitted after it was shown. */
const TICKET_MS = 30 * 60_000;

/** How long a form that is sent again, by pressing Enter twice, gets the same answer. */
const REPEATED_MS = 60_000;

/** The context of a consent page: the session in which it was shown, and the digest of the authorization request. */
export interface TicketUse {
  readonly sessionHash: Uint8Array;
  readonly request: Uint8Array;
}

/** What was sent: the ticket, and in a text of its own everything that was decided. */
export interface Submission {
  readonly session: Session;
  /** Digest of the authorization request. */
  readonly request: Uint8Array;
  readonly ticket: string;
  readonly decision: string;
}

/** Creates a ticket when the page is shown; its text appears only in the form. */
export async function insertTicket(db: Db, now: Instant, use: TicketUse): Promise<string> {
  const text = randomAlphanumeric();
  await db
    .insertInto('consentTicket')
    .values({
      hash: hashSecret(text),
      ...use,
      expiresAt: now + TICKET_MS,
      decision: null,
      sealedCode: null,
    })
    .execute();
  await keepNewest(db, 'consentTickets', { sessionHash: use.sessionHash });
  return text;
}

/**
 * Carries out a decision once, and answers it the same way if it is sent again within a minute. interface O20
 * @param decide issues a code; undefined if the decision leads to none
 * @returns the code
 * Throws SessionOver; pageExpired if the ticket was used for another decision or earlier, is too old, or belongs to another session or authorization request.
 */
export function decideOnce(
  { db, secretBox }: { readonly db: Db; readonly secretBox: SecretBox },
  now: Instant,
  { ticket, session, request, decision }: Submission,
  decide: (trx: Db, session: HeldSession) => Promise<string | undefined>,
): Promise<string | undefined> {
  const sessionHash = session.hash;
  const [hash, decided] = [hashSecret(ticket), hashSecret(decision)];
  const context = codeContext(hash);
  return db.transaction().execute(async (trx) => {
    const held = await holdSession(trx, now, session);
    // Of several at once, the others wait here until the first has ended.
    const claimed = await trx
      .updateTable('consentTicket')
      .set({ decision: decided, expiresAt: now + REPEATED_MS })
      .where('hash', '=', hash)
      .where('sessionHash', '=', sessionHash)
      .where('request', '=', request)
      .where('expiresAt', '>', now)
      .where('decision', 'is', null)
      .returning('hash')
      .executeTakeFirst();
    if (!claimed) {
      const answered = await trx
        .selectFrom('consentTicket')
        .select(['decision', 'sealedCode'])
        .where('hash', '=', hash)
        .where('sessionHash', '=', sessionHash)
        .where('request', '=', request)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      if (!answered?.decision || !equalSecrets(answered.decision, decided))
        throw new OauthRefusal('pageExpired');
      return answered.sealedCode ? secretBox.open(answered.sealedCode, context) : undefined;
    }
    const code = await decide(trx, held);
    if (code !== undefined)
      await trx
        .updateTable('consentTicket')
        .set({ sealedCode: secretBox.seal(code, context) })
        .where('hash', '=', hash)
        .execute();
    return code;
  });
}

/** What the code of a ticket, known by its hash, is encrypted for. */
export const codeContext = (hash: Uint8Array): string =>
  `consent:${Buffer.from(hash).toString('hex')}`;
