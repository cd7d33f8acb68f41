import { invalidValue, type Failure } from '../../kernel/failure.ts';
import { hashSecret, randomAlphanumeric } from '../../kernel/secrets.ts';
import type { Db, Instant, MailTokenTable } from '../../storage/database.ts';

export type MailTokenPurpose = MailTokenTable['purpose'];

/** How long the link in an e-mail works. */
export const MAIL_TOKEN_MS = 3_600_000;

/** Makes the token of an e-mail, of which only the hash is stored; a former one for the same purpose is worth nothing from then on. */
export async function issueMailToken(trx: Db, now: Instant, purpose: MailTokenPurpose, email: string): Promise<string> {
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
export async function readMailToken(db: Db, now: Instant, purpose: MailTokenPurpose, token: string): Promise<string> {
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
export async function consumeMailToken(trx: Db, now: Instant, purpose: MailTokenPurpose, token: string): Promise<string> {
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

export const uselessMailToken = (): Failure => invalidValue('token', 'a link that was not used or replaced, and is not older than an hour');

/** Makes the links that were sent to an account worthless. */
export const dropMailTokens = (trx: Db, accountId: string): Promise<unknown> =>
  trx
    .deleteFrom('mailToken')
    .where('email', '=', (eb) => eb.selectFrom('account').select('email').where('id', '=', accountId))
    .execute();

/** Deletes at most `limit` expired tokens; returns how many. */
export async function sweepMailTokens(db: Db, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mailToken')
    .where('hash', 'in', (eb) => eb.selectFrom('mailToken').select('hash').where('expiresAt', '<=', now).orderBy('expiresAt').limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
