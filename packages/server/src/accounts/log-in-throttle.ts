import { sql } from 'kysely';
import { Failure } from '../kernel/failure.ts';
import { hashSecret } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';
import { isKnownBrowser } from './known-browsers.ts';
import { networksOf } from './networks.ts';

/** So many attempts at once, and then one in each interval. */
interface Allowance {
  readonly atOnce: number;
  readonly intervalMs: number;
}

// Attempts count against the networks they come from, and only there can one be refused: a stranger elsewhere must not lock an owner out.
// One of each tier of accounts/networks.ts: a network's attempts on one account, and on all of them together.
const ON_ACCOUNT: readonly Allowance[] = [
  { atOnce: 5, intervalMs: 30_000 },
  { atOnce: 20, intervalMs: 10_000 },
  { atOnce: 80, intervalMs: 3_000 },
];
const ON_ALL: readonly Allowance[] = [
  { atOnce: 30, intervalMs: 10_000 },
  { atOnce: 120, intervalMs: 2_000 },
  { atOnce: 480, intervalMs: 500 },
];
/** A browser that the account has logged in with before is counted by itself, whatever happens around it. */
const KNOWN_BROWSER: Allowance = { atOnce: 5, intervalMs: 30_000 };

/** All strangers together on one account, from wherever: beyond this an attempt takes longer, and that is all. */
const STRANGERS: Allowance = { atOnce: 50, intervalMs: 5_000 };
const DELAY_AT_MOST_MS = 2_000;

/** Who tries to log in, as far as that is known before. */
export interface LogInPlace {
  readonly email: string;
  readonly address: string;
  /** The cookie that a log-in before left. */
  readonly browser: string | undefined;
}

/** An attempt that may go on. */
export interface AdmittedLogIn {
  /** How long it has to wait first, in milliseconds. */
  readonly delayMs: number;
  readonly knownBrowser: boolean;
  /** To be called when it has succeeded: what it counted is given back, and what failed before it in this place is forgotten. */
  succeeded(): Promise<void>;
}

interface Counter {
  readonly key: Buffer;
  readonly allowance: Allowance;
}

/**
 * Counts an attempt before its password is looked at, so that many at once count too. Counts are shared by all instances, and the same
 * whether or not the address has an account. Refused attempts write nothing.
 * @throws tooManyRequests
 */
export async function admitLogIn(db: Db, now: Instant, place: LogInPlace): Promise<AdmittedLogIn> {
  const email = place.email.trim().normalize('NFC').toLowerCase();
  const knownBrowser = place.browser !== undefined && (await isKnownBrowser(db, place.browser, email));
  const counters = knownBrowser ? [{ key: keyOf('browser', email, place.browser), allowance: KNOWN_BROWSER }] : countersOf(email, networksOf(place.address));
  const strangers: Counter[] = knownBrowser ? [] : [{ key: keyOf('strangers', email), allowance: STRANGERS }];
  refuseBeyond(now, counters, await endsOf(db, [...counters, ...strangers]), 1);
  const ends = await move(db, now, [...counters, ...strangers], 1);
  try {
    refuseBeyond(now, counters, ends, 0);
  } catch (error) {
    // Others were faster.
    await move(db, now, [...counters, ...strangers], -1);
    throw error;
  }
  const [own, ...others] = counters;
  return {
    knownBrowser,
    delayMs: delayOf(now, ends.get(hex(strangers[0]?.key)) ?? 0),
    succeeded: async () => {
      await db.deleteFrom('logInAttempt').where('key', '=', own!.key).execute();
      await move(db, now, [...others, ...strangers], -1);
    },
  };
}

const countersOf = (email: string, networks: readonly string[]): Counter[] => [
  ...networks.map((network, tier) => ({ key: keyOf('place', email, network), allowance: ON_ACCOUNT[tier]! })),
  ...networks.map((network, tier) => ({ key: keyOf('network', network), allowance: ON_ALL[tier]! })),
];

/** The later the end of a count, the more was counted; `more` attempts are still to be. Throws tooManyRequests. */
function refuseBeyond(now: Instant, counters: readonly Counter[], ends: ReadonlyMap<string, Instant>, more: number): void {
  const waits = counters.map(({ key, allowance: { atOnce, intervalMs } }) => Math.max(ends.get(hex(key)) ?? 0, now) + (more - atOnce) * intervalMs - now);
  const waitMs = Math.max(...waits);
  if (waitMs > 0) throw new Failure('tooManyRequests', { data: { retryAfterSeconds: Math.ceil(waitMs / 1000) } });
}

const delayOf = (now: Instant, end: Instant): number => Math.min(DELAY_AT_MOST_MS, Math.max(0, end - now - STRANGERS.atOnce * STRANGERS.intervalMs));

async function endsOf(db: Db, counters: readonly Counter[]): Promise<Map<string, Instant>> {
  const keys = counters.map(({ key }) => key);
  const rows = await db.selectFrom('logInAttempt').select(['key', 'endsAt']).where('key', 'in', keys).execute();
  return new Map(rows.map(({ key, endsAt }) => [hex(key), endsAt]));
}

/** Each attempt moves the ends of its counts by an interval, or back. In the order of the keys, so that no two wait for each other. */
async function move(db: Db, now: Instant, counters: readonly Counter[], by: 1 | -1): Promise<Map<string, Instant>> {
  if (counters.length === 0) return new Map();
  const values = counters
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ key, allowance: { intervalMs } }) => ({ key, endsAt: now + by * intervalMs }));
  const moved = sql<number>`(case when ${sql.ref('logInAttempt.endsAt')} > ${now} then ${sql.ref('logInAttempt.endsAt')} else ${now} end) + ${sql.ref('excluded.endsAt')} - ${now}`;
  // However many strangers there were: some minutes after the last one it is over.
  const bound = now + STRANGERS.atOnce * STRANGERS.intervalMs + 60_000;
  const bounded = sql<number>`case when ${moved} > ${bound} then ${bound} else ${moved} end`;
  const rows = await db
    .insertInto('logInAttempt')
    .values(values)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ endsAt: bounded }))
    .returning(['key', 'endsAt'])
    .execute();
  return new Map(rows.map(({ key, endsAt }) => [hex(key), endsAt]));
}

const keyOf = (...parts: string[]): Buffer => hashSecret(JSON.stringify(parts));

const hex = (key: Uint8Array | undefined): string => Buffer.from(key ?? []).toString('hex');
