import { spellingsOf } from '../../platform/kernel/addresses/mailbox.ts';
import { hashSecret, randomAlphanumeric } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { keepNewest } from '../../platform/storage/bounds/within.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** Remembers a browser after a log-in and returns the value of its cookie: the one that it already has, if we issued it; else a new one. */
export async function rememberBrowser(
  trx: Db,
  now: Instant,
  accountId: string,
  browser: string | undefined,
): Promise<string> {
  const present =
    browser === undefined
      ? undefined
      : await trx
          .selectFrom('knownBrowser')
          .select('hash')
          .where('hash', '=', hashSecret(browser))
          .executeTakeFirst();
  const value = present && browser !== undefined ? browser : randomAlphanumeric();
  await trx
    .insertInto('knownBrowser')
    .values({ hash: hashSecret(value), accountId, lastAt: now })
    .onConflict((conflict) => conflict.columns(['hash', 'accountId']).doUpdateSet({ lastAt: now }))
    .execute();
  await keepNewest(trx, 'knownBrowsers', { accountId });
  return value;
}

const ofAccount = prepareQuery(
  (db, p: ParameterOf<{ hash: Uint8Array; typed: string; email: string; ascii: string }>) =>
    db
      .selectFrom('knownBrowser')
      .innerJoin('account', 'account.id', 'knownBrowser.accountId')
      .select('account.id')
      .where('knownBrowser.hash', '=', p('hash'))
      .where('account.email', 'in', [p('typed'), p('email'), p('ascii')]),
);

/** Whether this browser has logged in to the account of an e-mail address before. */
export async function isKnownBrowser(db: Db, browser: string, address: string): Promise<boolean> {
  const [typed = address, email = typed, ascii = typed] = spellingsOf(address);
  return (await ofAccount(db, { hash: hashSecret(browser), typed, email, ascii })).length > 0;
}
