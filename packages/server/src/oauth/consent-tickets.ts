import { hashSecret, randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';

/** How long an open consent page may be submitted. */
const TICKET_MS = 30 * 60_000;

/** What a consent page belongs to: the session it was shown in and the digest of the authorization request. */
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
  return text;
}

/** Uses up a ticket: true once, for the page that this session was shown for this request. interface O20 */
export async function consumeTicket(trx: Db, now: Instant, text: string, use: TicketUse): Promise<boolean> {
  const row = await trx
    .deleteFrom('consentTicket')
    .where('hash', '=', hashSecret(text))
    .where('sessionHash', '=', use.sessionHash)
    .where('request', '=', use.request)
    .where('expiresAt', '>', now)
    .returning('expiresAt')
    .executeTakeFirst();
  return row !== undefined;
}
