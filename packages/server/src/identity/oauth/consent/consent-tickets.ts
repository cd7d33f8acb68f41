import type { Once } from '../../accounts/once.ts';
import { hashSecret, randomAlphanumeric } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { keepNewest } from '../../../platform/storage/within.ts';
import { OauthRefusal } from '../refusal.ts';

/** How long a consent page can be submitted after it was shown. */
const TICKET_MS = 30 * 60_000;

/** The context of a consent page: the session in which it was shown, and the digest of the authorization request. */
export interface TicketUse {
  readonly sessionHash: Uint8Array;
  readonly request: Uint8Array;
}

/** Creates a ticket when the page is shown; its text appears only in the form. */
export async function insertTicket(db: Db, now: Instant, use: TicketUse): Promise<string> {
  const text = randomAlphanumeric();
  await db
    .insertInto('consentTicket')
    .values({ hash: hashSecret(text), ...use, expiresAt: now + TICKET_MS })
    .execute();
  await keepNewest(db, 'consentTickets', { sessionHash: use.sessionHash });
  return text;
}

/**
 * Uses up the ticket of a consent page, so that a decision counts only once. interface O20
 * Throws pageExpired if the ticket was used before, is too old, or belongs to another session or authorization request.
 */
export const onceByTicket =
  (now: Instant, text: string, use: TicketUse): Once =>
  async (trx) => {
    const consumed = await trx
      .deleteFrom('consentTicket')
      .where('hash', '=', hashSecret(text))
      .where('sessionHash', '=', use.sessionHash)
      .where('request', '=', use.request)
      .where('expiresAt', '>', now)
      .returning('expiresAt')
      .executeTakeFirst();
    if (!consumed) throw new OauthRefusal('pageExpired');
  };
