import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/database.ts';
import { transactionsOf, type Transact } from '../storage/transactions/transact.ts';
import { LEASE_MS, renewLease, type TaskClaim } from './claim.ts';

/** Another instance has taken over the task, or the run was abandoned: its changes are rolled back. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The right of one run to its task. */
export interface Lease {
  readonly claim: TaskClaim;
  readonly signal: AbortSignal;
  /** See Run.transaction. */
  readonly transaction: Transact;
  /** Renews the lease when a renewal is due; resolves to whether it is still held. */
  renew(): Promise<boolean>;
  /** Ends the lease: nothing can commit any more, not even a transaction in progress. */
  end(reason: LeaseLost): void;
}

const RENEW_AFTER_MS = LEASE_MS / 5;

export function createLease(db: Db, clock: Clock, claim: TaskClaim): Lease {
  const ending = new AbortController();
  const { signal } = ending;
  const transact = transactionsOf(db);
  let renewedAt = clock.now();
  let transactions = 0;

  async function hold(from: Db): Promise<boolean> {
    const now = clock.now();
    const held = await renewLease(from, claim, now);
    if (held) renewedAt = now;
    return held;
  }

  async function holdIn(trx: Db): Promise<void> {
    if (!(await hold(trx))) throw new LeaseLost('another instance has taken over the task');
  }

  const isAged = (): boolean => clock.now() >= renewedAt + RENEW_AFTER_MS;

  /** The result of a promise, unless the lease ends first. */
  async function unlessEnded<T>(promise: Promise<T>): Promise<T> {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = (): void => reject(signal.reason);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      return await Promise.race([promise, ended]);
    } finally {
      signal.removeEventListener('abort', end);
      promise.catch(() => {});
    }
  }

  return {
    claim,
    signal,
    async transaction(body) {
      transactions++;
      try {
        return await transact(async (trx) => {
          await holdIn(trx);
          const result = await unlessEnded(body(trx));
          // So far the locked row has protected the lease; after the commit, it must not expire before it is renewed.
          if (isAged()) await holdIn(trx);
          signal.throwIfAborted();
          return result;
        });
      } finally {
        transactions--;
      }
    },
    // A transaction in progress has locked the row and renews the lease itself.
    renew: async () => transactions > 0 || !isAged() || hold(db),
    end: (reason) => ending.abort(reason),
  };
}
