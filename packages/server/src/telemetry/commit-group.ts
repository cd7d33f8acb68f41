import { sql } from 'kysely';
import type { Db, Trx } from '../storage/database.ts';

/** Runs work in a transaction; resolves when it is durable. */
export type Commits = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly work: (trx: Trx) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

const TOGETHER_AT_MOST = 64;

/**
 * Transactions for an engine with one writer: whoever asks in the same turn of the event loop shares a commit,
 * which costs more than the work of a small batch. Work that fails is undone alone.
 */
export function createCommitGroup(db: Db): Commits {
  let waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, TOGETHER_AT_MOST);
      waiting = waiting.slice(TOGETHER_AT_MOST);
      await commit(db, group);
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

async function commit(db: Db, group: readonly Waiting[]): Promise<void> {
  const outcomes: Outcome[] = [];
  try {
    await db.transaction().execute(async (trx) => {
      for (const { work } of group) outcomes.push(await attempt(trx, work));
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
    return;
  }
  for (const [i, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[i]!;
    if ('error' in outcome) reject(outcome.error);
    else resolve(outcome.value as never);
  }
}

async function attempt(trx: Trx, work: Waiting['work']): Promise<Outcome> {
  await sql`savepoint batch`.execute(trx);
  try {
    const value = await work(trx);
    await sql`release batch`.execute(trx);
    return { value };
  } catch (error) {
    // When the engine has already undone everything (a full disk), this fails too, and so does the whole group.
    await sql`rollback to batch`.execute(trx);
    await sql`release batch`.execute(trx);
    return { error };
  }
}
