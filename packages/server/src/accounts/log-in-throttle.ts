import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { Failure } from '../kernel/failure.ts';
import { hashSecret, randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';

/** So many attempts at once, and then one in each interval. */
interface Allowance {
  readonly atOnce: number;
  readonly intervalMs: number;
}

// Failures count against where they come from, never against the account alone, and nobody waits longer than an interval:
// a stranger must not lock an owner out. A browser that the account has logged in with before is counted by itself,
// whatever happens around it.
const PLACE: Allowance = { atOnce: 5, intervalMs: 30_000 };
const ADDRESS: Allowance = { atOnce: 30, intervalMs: 10_000 };
/** All strangers together on one account, from wherever. */
const STRANGERS: Allowance = { atOnce: 50, intervalMs: 5000 };

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
  const counters: [key: Buffer, allowance: Allowance][] = [[own, PLACE]];
  if (!known) counters.push([keyOf('address', from), ADDRESS], [keyOf('strangers', email), STRANGERS]);
  for (const [key, allowance] of counters) await countAttempt(db, now, key, allowance);
  return async () => {
    await db.deleteFrom('logInAttempt').where('key', '=', own).execute();
    for (const [key, { intervalMs }] of counters.slice(1)) {
      await db
        .updateTable('logInAttempt')
        .set((eb) => ({ endsAt: eb('endsAt', '-', intervalMs) }))
        .where('key', '=', key)
        .execute();
    }
  };
}

/** Remembers a browser after a log-in; gives the value of its cookie: the present one, where it is one of ours. */
export async function rememberBrowser(trx: Db, now: Instant, accountId: string, browser: string | undefined): Promise<string> {
  const present =
    browser === undefined ? undefined : await trx.selectFrom('knownBrowser').select('hash').where('hash', '=', hashSecret(browser)).executeTakeFirst();
  const value = present && browser !== undefined ? browser : randomAlphanumeric();
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

// Each attempt moves the end of the count by an interval; one that would move it too far away is refused and moves nothing.
async function countAttempt(db: Db, now: Instant, key: Buffer, { atOnce, intervalMs }: Allowance): Promise<void> {
  const limit = now + atOnce * intervalMs;
  const next = sql<number>`(case when ${sql.ref('logInAttempt.endsAt')} > ${now} then ${sql.ref('logInAttempt.endsAt')} else ${now} end) + ${intervalMs}`;
  const counted = await db
    .insertInto('logInAttempt')
    .values({ key, endsAt: now + intervalMs })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ endsAt: next }).where(next, '<=', limit))
    .returning('endsAt')
    .executeTakeFirst();
  if (counted) return;
  const { endsAt } = await db.selectFrom('logInAttempt').select('endsAt').where('key', '=', key).executeTakeFirstOrThrow();
  throw new Failure('tooManyRequests', { data: { retryAfterSeconds: Math.max(1, Math.ceil((endsAt + intervalMs - limit) / 1000)) } });
}

const keyOf = (...parts: string[]): Buffer => hashSecret(JSON.stringify(parts));

// Who has one IPv6 address usually has its whole /64.
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const first = head.split(':').filter((group) => group !== '');
  const last = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? Array.from({ length: 8 - first.length - last.length }, () => '0') : [];
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
