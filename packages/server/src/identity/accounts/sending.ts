import { MINUTE_MS } from '@helioport/contract/durations';
import { mailboxKey } from '../../platform/kernel/addresses/mailbox.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { admitAttempt, type Allowance } from './factors/code-throttle.ts';

export interface Pace {
  /** In the refusal. */
  readonly name: string;
  /** How often an account, or another sender, may send. */
  readonly by: Allowance;
  /** How often an account may send to one address, where that is less than everybody together may. */
  readonly pair?: Allowance;
  /** How often one address gets something, no matter who sends it. */
  readonly to?: Allowance;
}

const SECOND_MS = 1_000;

/** Everything that people have sent to somebody else, or have this service send: what they may, and how often. Events and alarms are delivered as they happen. */
export const paces = {
  invitation: {
    name: 'invitations',
    // A fleet is handed over or shared plant by plant.
    by: { atOnce: 200, intervalMs: 20 * SECOND_MS },
    pair: { atOnce: 50, intervalMs: MINUTE_MS },
    // So many that one or a few senders neither use them up nor learn of each other.
    to: { atOnce: 500, intervalMs: 10 * SECOND_MS },
  },
  notificationTest: {
    name: 'test messages',
    by: { atOnce: 3, intervalMs: MINUTE_MS },
    // A host may serve many accounts.
    to: { atOnce: 60, intervalMs: 5 * SECOND_MS },
  },
  destinationTest: {
    name: 'tests of destinations',
    by: { atOnce: 10, intervalMs: 10 * SECOND_MS },
    to: { atOnce: 60, intervalMs: 5 * SECOND_MS },
  },
  addressCheck: {
    name: 'addresses to check',
    // Each is looked up, at whatever name server it has.
    by: { atOnce: 60, intervalMs: 5 * SECOND_MS },
  },
  support: {
    name: 'permissions for operators',
    by: { atOnce: 10, intervalMs: MINUTE_MS },
    to: { atOnce: 10, intervalMs: MINUTE_MS },
  },
  resetLink: {
    name: 'links to choose a password',
    by: { atOnce: 60, intervalMs: 10 * SECOND_MS },
    to: { atOnce: 5, intervalMs: 10 * MINUTE_MS },
  },
} as const satisfies Record<string, Pace>;

export type Sent = keyof typeof paces;

export interface Sending {
  /** The account; null = the person at the command line. */
  readonly by: string | null;
  /** Addresses, hosts or accounts that get something. */
  readonly to: readonly string[];
}

/**
 * Counts something that a person has sent, whatever becomes of it. Concurrent ones count too, and all instances share the counts.
 * Throws tooManyRequests, which says when it may be tried again.
 */
export async function admitSending(
  db: Db,
  at: Instant,
  what: Sent,
  { by, to }: Sending,
): Promise<void> {
  if (by === null) return;
  const pace: Pace = paces[what];
  try {
    await admitAttempt(db, at, pace.by, 'sending', what, 'by', by);
    const targets = [...new Set(to.map(mailboxKey))].toSorted();
    if (pace.pair)
      for (const target of targets)
        await admitAttempt(db, at, pace.pair, 'sending', what, 'by', by, 'to', target);
    for (const target of pace.to ? targets : [])
      await admitAttempt(db, at, pace.to!, 'sending', what, 'to', target);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'tooManyRequests') throw error;
    const seconds = Number(error.data?.['retryAfterSeconds']);
    throw new Failure('tooManyRequests', {
      data: { retryAfterSeconds: seconds },
      message: `too many ${pace.name}: try again in ${seconds} s`,
    });
  }
}
