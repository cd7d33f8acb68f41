import type { DialectAdapter } from 'kysely';
import { endedWith, failedWith, gather, type GatherOutcome } from '../kernel/gather.ts';
import { StorageAway } from './away.ts';
import type { Db, Trx } from './database.ts';
import { engineOf } from './engine.ts';
import { isLocked } from './sqlite/lock-wait.ts';

/** Runs work in a transaction; resolves when it is durable. */
export type Commits = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

type Work = (trx: Trx) => Promise<unknown>;

/** How long to wait for a lane, in milliseconds: as long as a pool waits for a connection. */
const LANE_PATIENCE_MS = 5_000;

/**
 * Transactions for an engine with one writer. A commit costs more than the work of a small batch, so requests that arrive in the same turn of the
 * event loop share one. If it fails, each request is repeated alone, so that only the faulty one fails; savepoints would slow down all the others
 * (the engine copies every page before changing it). If another process holds the database's lock for longer than a transaction waits for it, all
 * waiting requests are refused at once.
 * @param itemsAtMost how many share one, if it is not for small work alone
 */
export function createCommitGroup(db: Db, itemsAtMost?: number): Commits {
  const run = async (group: readonly Work[]): Promise<readonly GatherOutcome<unknown>[]> => {
    try {
      return (await commitTogether(db, group)).map(endedWith);
    } catch (error) {
      if (isLocked(error)) throw error;
      if (group.length === 1) return [failedWith(error)];
      const outcomes: GatherOutcome<unknown>[] = [];
      for (const work of group) outcomes.push(...(await run([work])));
      return outcomes;
    }
  };
  return gather({ run, ...(itemsAtMost !== undefined && { itemsAtMost }) }) as Commits;
}

const shared = new WeakMap<DialectAdapter, Commits>();

/** Small transactions that many callers need at the same moment, such as those of collectors that all connect again. All users of a database share its group. */
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

const commitTogether = (db: Db, group: readonly Work[]): Promise<unknown[]> =>
  db.transaction().execute(async (trx) => {
    const values: unknown[] = [];
    for (const work of group) values.push(await work(trx));
    return values;
  });

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
