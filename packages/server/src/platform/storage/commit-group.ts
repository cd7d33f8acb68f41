import type { DialectAdapter } from 'kysely';
import { StorageAway } from './away.ts';
import type { Db, Trx } from './database.ts';
import { engineOf } from './engine.ts';
import { isLocked } from './sqlite/lock-wait.ts';

/** Runs work in a transaction; resolves when it is durable. */
export type Commits = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly work: (trx: Trx) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const TOGETHER_AT_MOST = 64;

/** How long to wait for a lane, in milliseconds: as long as a pool waits for a connection. */
const LANE_PATIENCE_MS = 5_000;

/**
 * Transactions for an engine with one writer. A commit costs more than the work of a small batch, so requests that arrive in the same turn of the
 * event loop share one. If it fails, each request is repeated alone, so that only the faulty one fails; savepoints would slow down all the others
 * (the engine copies every page before changing it). If another process holds the database's lock for longer than a transaction waits for it, all
 * waiting requests are refused at once.
 */
export function createCommitGroup(db: Db): Commits {
  let waiting: Waiting[] = [];
  let running = false;

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    const failure = await commitTogether(db, group);
    if (!failure) return;
    if (isLocked(failure.error))
      for (const { reject } of [...group, ...waiting.splice(0)]) reject(failure.error);
    else if (group.length === 1) group[0]!.reject(failure.error);
    else for (const one of group) await commit([one]);
  };

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, TOGETHER_AT_MOST);
      waiting = waiting.slice(TOGETHER_AT_MOST);
      await commit(group);
    }
    running = false;
  };

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      // When setImmediate fires, all requests that arrived together have been read.
      if (!running && waiting.length === 1) setImmediate(() => void run());
    });
}

const shared = new WeakMap<DialectAdapter, Commits>();

/** Small transactions that many callers need at the same moment, such as those of collectors that all connect again. Whoever uses a database shares its group. */
export function sharedCommits(db: Db): Commits {
  if (engineOf(db) !== 'sqlite') return (work) => db.transaction().execute(work);
  const { adapter } = db.getExecutor();
  let commits = shared.get(adapter);
  if (!commits) shared.set(adapter, (commits = createCommitGroup(db)));
  return commits;
}

/** Runs a small change in such a transaction; if `db` is a transaction already, as part of it. */
export const inSharedCommit = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : sharedCommits(db)(work);

/** @returns the error if it failed */
async function commitTogether(
  db: Db,
  group: readonly Waiting[],
): Promise<{ readonly error: unknown } | undefined> {
  const values: unknown[] = [];
  try {
    await db.transaction().execute(async (trx) => {
      for (const { work } of group) values.push(await work(trx));
    });
  } catch (error) {
    return { error };
  }
  for (const [i, { resolve }] of group.entries()) resolve(values[i] as never);
  return undefined;
}

/**
 * Transactions for an engine with many writers: a few at a time. If there were more, they would wait for one another in the database, and each would
 * hold a connection that other parts of the server need. Requests that get no turn in time are refused with StorageAway.
 */
export function createCommitLanes(db: Db, lanes: number, patienceMs = LANE_PATIENCE_MS): Commits {
  let free = lanes;
  const waiting = new Set<() => void>();

  const lane = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(take);
        reject(new StorageAway('the database is too slow: no transaction could begin in time'));
      }, patienceMs);
      waiting.add(take);
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (!next) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  };

  return async (work) => {
    await lane();
    try {
      return await db.transaction().execute(work);
    } finally {
      leave();
    }
  };
}
