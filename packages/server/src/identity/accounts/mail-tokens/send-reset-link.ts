import type { Language } from '@helioport/contract';
import type { Outbox } from '../../mail/outbox.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Account } from '../accounts.ts';
import { resetLetter } from './letters.ts';
import { issueMailToken, MAIL_TOKEN_MS } from './tokens.ts';

/** Sends an account the link with which its owner chooses a new password; `language`: of the e-mail if the account has chosen none. */
export async function sendResetLink(
  trx: Db,
  now: Instant,
  { outbox, portalUrl }: { readonly outbox: Outbox; readonly portalUrl: string },
  { id: accountId, email, language: own }: Account,
  language: Language,
): Promise<void> {
  const token = await issueMailToken(trx, now, 'reset', email);
  // A fragment stays in the browser: it is in no log of a proxy, and in no Referer.
  const letter = resetLetter(own ?? language, `${portalUrl}/reset#${token}`);
  await outbox.post(trx, now, {
    accountId,
    address: email,
    letter,
    expiresAt: now + MAIL_TOKEN_MS,
  });
}
