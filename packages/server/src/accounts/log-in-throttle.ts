import { sql } from 'kysely';
import type { Turn } from '../kernel/bounded-queue.ts';
import { Failure } from '../kernel/failure.ts';
import { hashSecret } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { isKnownBrowser } from './known-browsers.ts';
import { networksOf } from './networks.ts';

/** A burst of attempts, then one per interval. */
interface Allowance {
  readonly atOnce: number;
  readonly intervalMs: number;
}

// Attempts count against the networks they come from, and are refused only there: a stranger elsewhere must not lock an owner out.
// One entry per tier of accounts/networks.ts: a network's attempts on one account, and on all accounts together.
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
/** A browser that has logged in to the account before is counted separately, whatever happens in its network. */
const KNOWN_BROWSER: Allowance = { atOnce: 5, intervalMs: 30_000 };

/** All unknown browsers together on one account, from anywhere: beyond this, attempts are delayed but not refused. */
const STRANGERS: Allowance = { atOnce: 50, intervalMs: 5_000 };
const DELAY_AT_MOST_MS = 2_000;

/** What is known before verification about somebody who tries to log in. */
export interface LogInPlace {
  readonly email: string;
  readonly address: string;
  /** The cookie left by an earlier log-in. */
  readonly browser: string | undefined;
}

/** An attempt that may proceed. */
export interface AdmittedLogIn {
  /** How long it must wait first, in milliseconds. */
  readonly delayMs: number;
  /** When its password is verified: from a known browser, before all others; else in turn with other networks. */
  readonly turn: Turn;
  /** To be called on success: undoes the count of this attempt, and forgets earlier failures of the same browser or network. */
  succeeded(): Promise<void>;
}

interface Counter {
  readonly key: Buffer;
  readonly allowance: Allowance;
}

/**
 * Counts an attempt before its password is verified, so that concurrent attempts count too. Counts are shared by all instances, and the same
 * whether or not the address has an account. Refused attempts write nothing.
 * @throws tooManyRequests
 */
export async function admitLogIn(db: Db, now: Instant, place: LogInPlace): Promise<AdmittedLogIn> {
  const email = place.email.trim().normalize('NFC').toLowerCase();
  const knownBrowser = place.browser !== undefined && (await isKnownBrowser(db, place.browser, email));
  const networks = networksOf(place.address);
  const counters = knownBrowser ? [{ key: keyOf('browser', email, place.browser), allowance: KNOWN_BROWSER }] : countersOf(email, networks);
  const strangers: Counter[] = knownBrowser ? [] : [{ key: keyOf('strangers', email), allowance: STRANGERS }];
  refuseBeyond(now, counters, await endsOf(db, [...counters, ...strangers]), 1);
  const ends = await move(db, now, [...counters, ...strangers], 1);
  try {
    refuseBeyond(now, counters, ends, 0);
  } catch (error) {
    // Concurrent attempts got there first.
    await move(db, now, [...counters, ...strangers], -1);
    throw error;
  }
  const [own, ...others] = counters;
  return {
    turn: knownBrowser ? { first: true } : { origin: networks.at(-1)! },
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

/** The later a count ends, the more attempts it holds; `more` are about to be added. Throws tooManyRequests. */
function refuseBeyond(now: Instant, counters: readonly Counter[], ends: ReadonlyMap<string, Instant>, more: number): void {
  const waits = counters.map(({ key, allowance: { atOnce, intervalMs } }) => Math.max(ends.get(hex(key)) ?? 0, now) + (more - atOnce) * intervalMs - now);
  const waitMs = Math.max(...waits);
  if (waitMs > 0) throw new Failure('tooManyRequests', { data: { retryAfterSeconds: Math.ceil(waitMs / 1000) } });
}

const delayOf = (now: Instant, end: Instant): number => Math.min(DELAY_AT_MOST_MS, Math.max(0, end - now - STRANGERS.atOnce * STRANGERS.intervalMs));

async function endsOf(db: Db, counters: readonly Counter[]): Promise<Map<string, Instant>> {
  const keys = Object.fromEntries(SLOTS.map((slot, i) => [slot, (counters[i] ?? counters[0]!).key])) as Record<Slot, Buffer>;
  return new Map((await ends(db, keys)).map(({ key, endsAt }) => [hex(key), endsAt]));
}

// As many as an attempt from IPv6 has; prepared, since this is all that a refused attempt should cost.
const SLOTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
type Slot = (typeof SLOTS)[number];
const ends = prepareQuery((db, p: ParameterOf<Record<Slot, Buffer>>) =>
  db.selectFrom('logInAttempt').select(['key', 'endsAt']).where('key', 'in', SLOTS.map(p)),
);

/** Each attempt moves the ends of its counts forward by an interval, or back. In key order, to avoid deadlocks. */
async function move(db: Db, now: Instant, counters: readonly Counter[], by: 1 | -1): Promise<Map<string, Instant>> {
  if (counters.length === 0) return new Map();
  const values = counters
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ key, allowance: { intervalMs } }) => ({ key, endsAt: now + by * intervalMs }));
  const moved = sql<number>`(case when ${sql.ref('logInAttempt.endsAt')} > ${now} then ${sql.ref('logInAttempt.endsAt')} else ${now} end) + ${sql.ref('excluded.endsAt')} - ${now}`;
  // However many strangers there were, the delay ends a few minutes after the last one.
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
