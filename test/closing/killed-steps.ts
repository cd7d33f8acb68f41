import {
  createClosing,
  type ClosingWorkDeps,
} from '../../packages/server/src/data-rights/closing/run.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';

class Killed extends Error {}

/** The steps of closings, by a worker that is killed within each and after each, and begins anew. */
export function createKilledSteps(database: () => { db: Db }, deps: ClosingWorkDeps) {
  const { run } = createClosing(deps);
  const left = async (): Promise<string[]> =>
    (
      await database()
        .db.selectFrom('accountClosing')
        .select('accountId')
        .orderBy('accountId')
        .execute()
    ).map(({ accountId }) => accountId);

  /** One transaction of a run; `within`: killed before it commits, else after it. */
  async function attempt(key: string, within: boolean): Promise<void> {
    let steps = 0;
    const dies = run({
      key,
      failures: 0,
      signal: new AbortController().signal,
      async transaction(body) {
        if (steps++ > 0) throw new Killed();
        return database()
          .db.transaction()
          .execute(async (trx) => {
            const result = await body(trx);
            if (within) throw new Killed();
            return result;
          });
      },
      finish: () => Promise.reject(new Error('not used')),
    });
    await dies.catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  }

  return {
    left,
    /** One step; returns whether there are more. */
    async step(accountId: string): Promise<boolean> {
      await attempt(accountId, true);
      await attempt(accountId, false);
      return (await left()).includes(accountId);
    },
    /** All steps of all closings; returns how many there were. */
    async all(): Promise<number> {
      let steps = 0;
      for (const accountId of await left())
        do {
          await this.step(accountId);
          steps++;
        } while ((await left()).includes(accountId));
      return steps;
    },
  };
}
