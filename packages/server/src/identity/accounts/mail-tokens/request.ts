import type { Language } from '@helioport/contract';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { armTasks } from '../../../platform/work/arm.ts';
import { normalizeEmail } from '../accounts.ts';
import { admitAttempt, type CodeAllowance } from '../factors/code-throttle.ts';
import { isKnownBrowser } from '../known-browsers.ts';
import { networksOf } from '../../../platform/kernel/addresses/networks.ts';
import type { MailTokenPurpose } from './tokens.ts';

/** The kind of work that answers a request; the key of a task is the request's id. */
export const MAIL_TOKEN = 'mailToken';

// As with log-ins, requests count against the networks they come from, one entry per tier of kernel/addresses/networks.ts.
const FROM_NETWORK: readonly CodeAllowance[] = [
  { atOnce: 10, intervalMs: 60_000 },
  { atOnce: 40, intervalMs: 15_000 },
  { atOnce: 160, intervalMs: 5_000 },
];
/** The allowance of a browser that has logged in to the account before, which others in its network do not affect. */
const KNOWN_BROWSER: CodeAllowance = { atOnce: 5, intervalMs: 60_000 };

interface MailTokenRequest {
  readonly purpose: MailTokenPurpose;
  readonly email: string;
  readonly language: Language;
  readonly address: string;
  /** The cookie left by an earlier log-in. */
  readonly browser: string | undefined;
}

/**
 * Asks for an e-mail with a link. Whether the address has an account is not looked at here, so neither the answer nor its time can tell.
 * Throws invalidValue, tooManyRequests.
 */
export async function requestMailToken(
  db: Db,
  { at, newId }: { readonly at: Instant; readonly newId: IdSource },
  { email: typed, browser, ...request }: MailTokenRequest,
): Promise<void> {
  const email = normalizeEmail(typed);
  if (browser !== undefined && (await isKnownBrowser(db, browser, email)))
    await admitAttempt(db, at, KNOWN_BROWSER, 'mail token', 'browser', browser);
  else
    for (const [tier, network] of networksOf(request.address).entries())
      await admitAttempt(db, at, FROM_NETWORK[tier]!, 'mail token', 'network', network);
  // A worker answers once the transaction has committed.
  await db.transaction().execute(async (trx) => {
    const id = newId();
    await trx
      .insertInto('mailTokenRequest')
      .values({ id, createdAt: at, email, ...request })
      .execute();
    await armTasks(trx, MAIL_TOKEN, [id], at);
  });
}
