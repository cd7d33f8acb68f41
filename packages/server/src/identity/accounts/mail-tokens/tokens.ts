import { invalidValue, type Failure } from '../../../platform/kernel/failure.ts';
import { mailboxKey, untagged } from '../../../platform/kernel/addresses/mailbox.ts';
import { hashSecret, randomAlphanumeric } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant, MailTokenTable } from '../../../platform/storage/database.ts';
import { admitAttempt, forgetAttempts, type Allowance } from '../factors/code-throttle.ts';

export type MailTokenPurpose = MailTokenTable['purpose'];

/** How long the link in an e-mail works. */
export const MAIL_TOKEN_MS = 3_600_000;

/**
 * How many e-mails an address gets, whichever strangers ask for them. A person who is refused has got one within the last hour, whose link still works: so
 * they neither fill an inbox nor keep its owner from a link.
 */
const TO_ADDRESS: Allowance = { atOnce: 3, intervalMs: MAIL_TOKEN_MS };

/** How often a link is followed: each time costs the hash of a password. A link is one person's, so nobody keeps others from theirs. */
const FOLLOWED: Allowance = { atOnce: 20, intervalMs: 60_000 };

/** How many e-mails to people without an account a mailbox gets under all its tags together, of which a stranger can think of any number. */
const TO_TAGS: Allowance = { atOnce: 6, intervalMs: MAIL_TOKEN_MS };

/** Counts an e-mail to an address. Throws tooManyRequests. */
export async function admitMail(
  trx: Db,
  now: Instant,
  purpose: MailTokenPurpose,
  email: string,
): Promise<void> {
  await admitAttempt(trx, now, TO_ADDRESS, 'mail token', purpose, mailboxKey(email));
  const mailbox = untagged(email);
  if (purpose === 'signUp' && mailbox !== undefined)
    await admitAttempt(trx, now, TO_TAGS, 'mail token', 'tags', mailbox);
}

/** Forgets the e-mails that an address has got, once a link was followed or made worthless. */
export const forgetMails = (trx: Db, purpose: MailTokenPurpose, email: string): Promise<unknown> =>
  forgetAttempts(trx, 'mail token', purpose, mailboxKey(email));

/** Counts that a link which is good was followed, before the password is hashed. Throws tooManyRequests. */
export const admitFollowed = (db: Db, now: Instant, token: string): Promise<void> =>
  admitAttempt(db, now, FOLLOWED, 'mail token', 'followed', token);

/** Makes the token of an e-mail, of which only the hash is stored; a former one for the same purpose is worth nothing from then on. */
export async function issueMailToken(
  trx: Db,
  now: Instant,
  purpose: MailTokenPurpose,
  email: string,
): Promise<string> {
  const token = randomAlphanumeric();
  const row = { hash: hashSecret(token), expiresAt: now + MAIL_TOKEN_MS };
  await trx
    .insertInto('mailToken')
    .values({ purpose, email, ...row })
    .onConflict((conflict) => conflict.columns(['purpose', 'email']).doUpdateSet(row))
    .execute();
  return token;
}

/** The address that a token was sent to. Throws invalidValue for one that was used, replaced or has expired. */
export async function readMailToken(
  db: Db,
  now: Instant,
  purpose: MailTokenPurpose,
  token: string,
): Promise<string> {
  const row = await db
    .selectFrom('mailToken')
    .select('email')
    .where('hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  if (!row) throw uselessMailToken();
  return row.email;
}

/** Uses a token up; returns the address that it was sent to. Throws invalidValue, as `readMailToken`. */
export async function consumeMailToken(
  trx: Db,
  now: Instant,
  purpose: MailTokenPurpose,
  token: string,
): Promise<string> {
  const row = await trx
    .deleteFrom('mailToken')
    .where('hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .returning('email')
    .executeTakeFirst();
  if (!row) throw uselessMailToken();
  return row.email;
}

export const uselessMailToken = (): Failure =>
  invalidValue('token', 'a link that was not used or replaced, and is not older than an hour');

/** Makes the links that were sent to an account worthless, so that it may get others. */
export async function dropMailTokens(trx: Db, accountId: string): Promise<void> {
  const account = await trx
    .selectFrom('account')
    .select('email')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) return;
  await trx.deleteFrom('mailToken').where('email', '=', account.email).execute();
  for (const purpose of ['reset', 'signUp'] as const)
    await forgetMails(trx, purpose, account.email);
}

/** Deletes at most `limit` expired tokens, and as many requests that nobody has answered in time; returns how many. */
export async function sweepMailTokens(db: Db, now: Instant, limit: number): Promise<number> {
  const tokens = await db
    .deleteFrom('mailToken')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('mailToken')
        .select('hash')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(limit),
    )
    .executeTakeFirst();
  // Where no SMTP server is set any more, no worker answers them.
  const requests = await db
    .deleteFrom('mailTokenRequest')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mailTokenRequest')
        .select('id')
        .where('createdAt', '<=', now - MAIL_TOKEN_MS)
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(tokens.numDeletedRows + requests.numDeletedRows);
}
