import type { Db, Trx } from '../storage/database.ts';

/** Runs work in a transaction; resolves when it is durable. */
export type Commits = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly work: (trx: Trx) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const TOGETHER_AT_MOST = 64;

/**
 * Transactions for an engine with one writer: whoever asks in the same turn of the event loop shares a commit,
 * which costs more than the work of a small batch. When one fails, each is done again alone, so that only it fails:
 * savepoints would slow down all the others (the engine copies every page before changing it).
 */
export function createCommitGroup(db: Db): Commits {
  let waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, TOGETHER_AT_MOST);
      waiting = waiting.slice(TOGETHER_AT_MOST);
      if (group.length === 1 || !(await commitTogether(db, group))) for (const one of group) await commitAlone(db, one);
    }
    running = false;
  };

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      // Requests that arrived together are read one after the other before this.
      if (!running && waiting.length === 1) setImmediate(() => void run());
    });
}

async function commitTogether(db: Db, group: readonly Waiting[]): Promise<boolean> {
  const values: unknown[] = [];
  try {
    await db.transaction().execute(async (trx) => {
      for (const { work } of group) values.push(await work(trx));
    });
  } catch {
    return false;
  }
  for (const [i, { resolve }] of group.entries()) resolve(values[i] as never);
  return true;
}

async function commitAlone(db: Db, { work, resolve, reject }: Waiting): Promise<void> {
  try {
    resolve((await db.transaction().execute(work)) as never);
  } catch (error) {
    reject(error);
  }
}

/**
 * Transactions for an engine with many writers: a few at a time. More would wait for one another in the database, each
 * with a connection that other parts of the server want.
 */
export function createCommitLanes(db: Db, lanes: number): Commits {
  let free = lanes;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await db.transaction().execute(work);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
