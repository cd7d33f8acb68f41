import type { Caller } from '../../identity/accounts/caller.ts';
import { createQueues, type Queues } from '../../platform/kernel/bounded-queue.ts';
import type { Db } from '../../platform/storage/database.ts';

/**
 * Writes of one account mostly wait for each other, and each that waits holds a connection to the database. So few are under way at once, and the others
 * wait without one; everybody else's requests find connections left.
 */
const WRITES = {
  runningAtMost: 3,
  waitingAtMost: 200,
  waitingOfOriginAtMost: 200,
  retryAfterSeconds: 5,
} as const;

const queues = new WeakMap<object, Queues>();

/** Does a write when it is its caller's turn. Throws tooManyRequests if too many of the caller's wait. */
export function inTurn<T>(db: Db, caller: Caller, write: () => Promise<T>): Promise<T> {
  const holder = holderOf(caller);
  // What is part of a transaction has its connection already.
  if (holder === undefined || db.isTransaction) return write();
  const key = db.getExecutor().adapter;
  const ofDatabase = queues.get(key) ?? createQueues(WRITES);
  queues.set(key, ofDatabase);
  return ofDatabase.run(holder, write);
}

/** Whose rows a write waits for; undefined for the person who runs commands on the installation. */
function holderOf(caller: Caller): string | undefined {
  if (caller.kind === 'operator') return undefined;
  if (caller.kind === 'client') return `application ${caller.applicationId}`;
  return `account ${caller.kind === 'console' ? caller.operatorId : caller.accountId}`;
}
