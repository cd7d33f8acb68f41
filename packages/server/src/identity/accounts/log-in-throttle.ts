import { sql, type DialectAdapter } from 'kysely';
import type { QueueTurn } from '../../platform/kernel/bounded-queue.ts';
import { createCache, type Cache } from '../../platform/kernel/cache.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { mailboxKey } from '../../platform/kernel/addresses/mailbox.ts';
import { hashSecret } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { isKnownBrowser } from './known-browsers.ts';
import { networksOf } from '../../platform/kernel/addresses/networks.ts';

/** How many attempts are allowed: `atOnce` in a burst, then one per interval. */
interface Allowance {
  readonly atOnce: number;
  readonly intervalMs: number;
}

// Attempts count against the networks they come from, and are refused only there: a stranger elsewhere must not lock an owner out. Each list has
// one entry per tier of kernel/addresses/networks.ts: ON_ACCOUNT limits a network's attempts on one account, ON_ALL its attempts on all accounts together.
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
/**
 * The allowance of a browser that has logged in to the account before. Its attempts are counted separately, so that others in its network do not
 * affect it.
 */
const KNOWN_BROWSER: Allowance = { atOnce: 5, intervalMs: 30_000 };

/** Limit for attempts on one account by all unknown browsers together, wherever they are; attempts beyond it are delayed, not refused. */
const STRANGERS: Allowance = { atOnce: 50, intervalMs: 5_000 };
const DELAY_AT_MOST_MS = 2_000;

/** The facts about a log-in attempt that are known before the password is verified. */
export interface LogInPlace {
  readonly email: string;
  readonly address: string;
  /** The cookie left by an earlier log-in. */
  readonly browser: string | undefined;
}

/** An attempt that may proceed. */
export interface AdmittedLogIn {
  /** How long to wait before verifying its password, in milliseconds. */
  readonly delayMs: number;
  /** Its place in the queue for password verification: attempts from known browsers come before all others, which take turns by network. */
  readonly turn: QueueTurn;
  /** To be called on success: undoes the count of this attempt, and forgets earlier failures of the same browser or network. */
  succeeded(): Promise<void>;
}

interface Counter {
  readonly key: Buffer;
  readonly allowance: Allowance;
}

/**
 * Counts an attempt before its password is verified, so that concurrent attempts count too. All instances share
 * the counts, and these do not depend on whether the address has an account. Refused attempts write nothing.
 * @throws tooManyRequests
 */
export async function admitLogIn(db: Db, now: Instant, place: LogInPlace): Promise<AdmittedLogIn> {
  const email = mailboxKey(place.email);
  const knownBrowser =
    place.browser !== undefined && (await isKnownBrowser(db, place.browser, email));
  const networks = networksOf(place.address);
  const counters = knownBrowser
    ? [{ key: keyOf('browser', email, place.browser), allowance: KNOWN_BROWSER }]
    : countersOf(email, networks);
  const strangers: Counter[] = knownBrowser
    ? []
    : [{ key: keyOf('strangers', email), allowance: STRANGERS }];
  const waits = waitsOf(db);
  refuseUntil(
    now,
    counters.map(({ key }) => waits.get(hex(key)) ?? 0),
  );
  const refuseFull = (found: ReadonlyMap<string, Instant>, more: number): void => {
    const until = counters.map(
      ({ key, allowance: { atOnce, intervalMs } }) =>
        Math.max(found.get(hex(key)) ?? 0, now) + (more - atOnce) * intervalMs,
    );
    // Of attempts at once, most are rolled back, so that the counter may have room again after an interval.
    for (const [i, at] of until.entries())
      if (at > now) {
        const { key, allowance } = counters[i]!;
        waits.set(hex(key), Math.min(at, now + allowance.intervalMs));
      }
    refuseUntil(now, until);
  };
  refuseFull(await endsOf(db, [...counters, ...strangers]), 1);
  // If concurrent attempts have used up the allowance in the meantime, this one is rolled back as if it had not been made.
  const ends = await db.transaction().execute(async (trx) => {
    const moved = await move(trx, now, [...counters, ...strangers], 1);
    refuseFull(moved, 0);
    return moved;
  });
  const [own, ...others] = counters;
  return {
    turn: knownBrowser ? { first: true } : { origin: networks.at(-1)! },
    delayMs: delayOf(now, ends.get(hex(strangers[0]?.key)) ?? 0),
    succeeded: async () => {
      for (const { key } of counters) waits.set(hex(key), 0);
      await db.deleteFrom('logInAttempt').where('key', '=', own!.key).execute();
      await move(db, now, [...others, ...strangers], -1);
    },
  };
}

const countersOf = (email: string, networks: readonly string[]): Counter[] => [
  ...networks.map((network, tier) => ({
    key: keyOf('place', email, network),
    allowance: ON_ACCOUNT[tier]!,
  })),
  ...networks.map((network, tier) => ({
    key: keyOf('network', network),
    allowance: ON_ALL[tier]!,
  })),
];

/**
 * For each database, the counters that are full, and until when. Until then, attempts are refused without asking the database, so a success on
 * another instance goes unnoticed.
 */
const known = new WeakMap<DialectAdapter, Cache<string, Instant>>();
const REMEMBERED_AT_MOST = 10_000;

function waitsOf(db: Db): Cache<string, Instant> {
  const { adapter } = db.getExecutor();
  const waits = known.get(adapter) ?? createCache(REMEMBERED_AT_MOST);
  known.set(adapter, waits);
  return waits;
}

/** Throws tooManyRequests if one of these times is in the future. */
function refuseUntil(now: Instant, times: readonly Instant[]): void {
  const waitMs = Math.max(0, ...times) - now;
  if (waitMs > 0)
    throw new Failure('tooManyRequests', { data: { retryAfterSeconds: Math.ceil(waitMs / 1000) } });
}

const delayOf = (now: Instant, end: Instant): number =>
  Math.min(DELAY_AT_MOST_MS, Math.max(0, end - now - STRANGERS.atOnce * STRANGERS.intervalMs));

async function endsOf(db: Db, counters: readonly Counter[]): Promise<Map<string, Instant>> {
  const keys = Object.fromEntries(
    SLOTS.map((slot, i) => [slot, (counters[i] ?? counters[0]!).key]),
  ) as Record<Slot, Buffer>;
  return new Map((await ends(db, keys)).map(({ key, endsAt }) => [hex(key), endsAt]));
}

// One slot for each counter of an attempt; attempts from IPv6 have the most counters. The query is prepared, because a refused attempt should cost no
// more than this query.
const SLOTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
type Slot = (typeof SLOTS)[number];
const ends = prepareQuery((db, p: ParameterOf<Record<Slot, Buffer>>) =>
  db.selectFrom('logInAttempt').select(['key', 'endsAt']).where('key', 'in', SLOTS.map(p)),
);

/**
 * Adds an attempt to each counter, or takes it back, by moving the counter's end by an interval. Rows are written in key order, to avoid deadlocks.
 */
async function move(
  db: Db,
  now: Instant,
  counters: readonly Counter[],
  by: 1 | -1,
): Promise<Map<string, Instant>> {
  if (counters.length === 0) return new Map();
  const values = counters
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ key, allowance: { intervalMs } }) => ({ key, endsAt: now + by * intervalMs }));
  const moved = sql<number>`(case when ${sql.ref('logInAttempt.endsAt')} > ${now} then ${sql.ref('logInAttempt.endsAt')} else ${now} end) + ${sql.ref('excluded.endsAt')} - ${now}`;
  // The bound ends the delay a few minutes after the last attempt, however many there were.
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
