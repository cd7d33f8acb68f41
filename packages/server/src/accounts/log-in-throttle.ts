import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { Failure } from '../kernel/failure.ts';
import { hashSecret, randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';

// Failures count against where they come from, never against the account alone: a stranger must not lock an owner out.
// A browser that the account has logged in with before is counted by itself, whatever happens around it.
const WINDOW_MS = 15 * 60_000;
const PER_PLACE = 5;
const PER_ADDRESS = 30;
/** Failures of strangers on one account, from wherever, after which they share one attempt per TRICKLE_MS. */
const PER_ACCOUNT = 50;
const TRICKLE_MS = 5000;

/** Who tries to log in, as far as that is known before. */
export interface LogInPlace {
  readonly email: string;
  readonly address: string;
  /** The cookie that a log-in before left. */
  readonly browser: string | undefined;
}

/**
 * Counts an attempt before its password is looked at, so that many at once count too. Counts are shared by all instances.
 * @returns what to call when the attempt succeeded
 * @throws tooManyRequests
 */
export async function admitLogIn(db: Db, now: Instant, place: LogInPlace): Promise<() => Promise<void>> {
  const email = place.email.trim().normalize('NFC').toLowerCase();
  const from = networkOf(place.address);
  const known = place.browser !== undefined && (await isKnownBrowser(db, place.browser, email));
  const own = keyOf('place', email, known ? place.browser : from);
  const counters: [key: Buffer, limit: number][] = known
    ? [[own, PER_PLACE]]
    : [
        [own, PER_PLACE],
        [keyOf('address', from), PER_ADDRESS],
      ];
  for (const [key, limit] of counters) {
    const { count, endsAt } = await countAttempt(db, now, key, WINDOW_MS);
    if (count > limit) throw tooMany(endsAt - now);
  }
  const account = keyOf('account', email);
  if (!known && (await countAttempt(db, now, account, WINDOW_MS)).count > PER_ACCOUNT) {
    const { count, endsAt } = await countAttempt(db, now, keyOf('trickle', email), TRICKLE_MS);
    if (count > 1) throw tooMany(endsAt - now);
  }
  return async () => {
    await db.deleteFrom('logInAttempt').where('key', '=', own).execute();
    const shared = [...counters.slice(1).map(([key]) => key), ...(known ? [] : [account])];
    for (const key of shared)
      await db
        .updateTable('logInAttempt')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('key', '=', key)
        .where('count', '>', 0)
        .execute();
  };
}

/** Remembers a browser after a log-in; gives the value of its cookie. */
export async function rememberBrowser(trx: Db, now: Instant, accountId: string, browser: string | undefined): Promise<string> {
  const value = browser ?? randomAlphanumeric();
  await trx
    .insertInto('knownBrowser')
    .values({ hash: hashSecret(value), accountId, lastAt: now })
    .onConflict((conflict) => conflict.columns(['hash', 'accountId']).doUpdateSet({ lastAt: now }))
    .execute();
  return value;
}

async function isKnownBrowser(db: Db, browser: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('knownBrowser')
    .innerJoin('account', 'account.id', 'knownBrowser.accountId')
    .select('account.id')
    .where('knownBrowser.hash', '=', hashSecret(browser))
    .where('account.email', '=', email)
    .executeTakeFirst();
  return row !== undefined;
}

async function countAttempt(db: Db, now: Instant, key: Buffer, windowMs: number): Promise<{ count: number; endsAt: Instant }> {
  const [count, endsAt] = [sql.ref<number>('logInAttempt.count'), sql.ref<number>('logInAttempt.endsAt')];
  return db
    .insertInto('logInAttempt')
    .values({ key, count: 1, endsAt: now + windowMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${endsAt} <= ${now} then 1 else ${count} + 1 end`,
        endsAt: sql<number>`case when ${endsAt} <= ${now} then ${now + windowMs} else ${endsAt} end`,
      }),
    )
    .returning(['count', 'endsAt'])
    .executeTakeFirstOrThrow();
}

const keyOf = (...parts: string[]): Buffer => hashSecret(JSON.stringify(parts));

const tooMany = (ms: number): Failure => new Failure('tooManyRequests', { data: { retryAfterSeconds: Math.ceil(ms / 1000) } });

// Who has one IPv6 address usually has its whole /64.
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? Array.from({ length: 8 - first.length - last.length }, () => '0') : [];
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
