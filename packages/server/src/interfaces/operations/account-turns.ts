import type { OperationId } from '@helioport/contract';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { createBoundedQueue, createQueues } from '../../platform/kernel/bounded-queue.ts';
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

/** What reads samples may take seconds where devices report each second. So few such reads are under way at once, and of one account fewer still. */
const ALL_READS = {
  runningAtMost: 6,
  waitingAtMost: 1_000,
  waitingOfOriginAtMost: 100,
  retryAfterSeconds: 5,
} as const;
const READS = {
  runningAtMost: 2,
  waitingAtMost: 100,
  waitingOfOriginAtMost: 100,
  retryAfterSeconds: 5,
} as const;

/** What waits in a process, by database. */
const ofDatabases = new WeakMap<object, ReturnType<typeof createLines>>();

const createLines = () => ({
  writes: createQueues(WRITES),
  reads: createQueues(READS),
  allReads: createBoundedQueue(ALL_READS),
});

function linesOf(db: Db): ReturnType<typeof createLines> {
  const key = db.getExecutor().adapter;
  const lines = ofDatabases.get(key) ?? createLines();
  ofDatabases.set(key, lines);
  return lines;
}

/** Does a write when it is its caller's turn. Throws tooManyRequests if too many of the caller's wait. */
export function inTurn<T>(db: Db, caller: Caller, write: () => Promise<T>): Promise<T> {
  const holder = holderOf(caller);
  // What is part of a transaction has its connection already.
  if (holder === undefined || db.isTransaction) return write();
  return linesOf(db).writes.run(holder, write);
}

const gone = new WeakMap<Caller, AbortSignal>();

/** A caller whose reads are left out that have not begun when a signal says that nobody waits for them any more. */
export function waitingUntil(caller: Caller, end: AbortSignal): Caller {
  const waiting = { ...caller };
  gone.set(waiting, end);
  return waiting;
}

/** Reads samples when it is its caller's turn. Throws tooManyRequests if too many wait, or the caller has gone. */
function inReadTurn<T>(db: Db, caller: Caller, read: () => Promise<T>): Promise<T> {
  const holder = holderOf(caller);
  if (holder === undefined) return read();
  const { reads, allReads } = linesOf(db);
  const begin = (): Promise<T> => {
    if (gone.get(caller)?.aborted)
      throw new Failure('tooManyRequests', { message: 'the caller has gone' });
    return read();
  };
  return reads.run(holder, () => allReads.run(async () => begin(), { origin: holder }));
}

/** The operations that read samples, one by one. */
export const readingSamples: ReadonlySet<OperationId> = new Set([
  'collector/day',
  'device/day',
  'epm/day',
  'inverterDay',
  'performance/day',
  'performance/energy',
  'performance/losses',
  'plant/curves',
  'plant/day',
  'plant/report',
  'stationDay',
  'userStationList',
  'weatherDetail',
  'weatherList',
]);

/** Has the operations that read samples wait for their caller's turn. */
export function withReadTurns<H extends object>(db: Db, handlers: H): H {
  const turned = [...readingSamples].map((id) => {
    const handle = handlers[id as keyof H] as (
      caller: Caller,
      ...rest: unknown[]
    ) => Promise<unknown>;
    return [
      id,
      (caller: Caller, ...rest: unknown[]) => inReadTurn(db, caller, () => handle(caller, ...rest)),
    ];
  });
  return { ...handlers, ...Object.fromEntries(turned) };
}

/** Whose rows a write waits for; undefined for the person who runs commands on the installation. */
function holderOf(caller: Caller): string | undefined {
  if (caller.kind === 'operator') return undefined;
  if (caller.kind === 'client') return `application ${caller.applicationId}`;
  return `account ${caller.kind === 'console' ? caller.operatorId : caller.accountId}`;
}
