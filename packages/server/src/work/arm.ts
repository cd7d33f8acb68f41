import type { Db, Instant } from '../storage/database.ts';
import { wakeUp } from '../storage/wake-ups/wake-up.ts';

/** A piece of work: what is to be done, and with what. */
export interface TaskKey {
  /** Names the lane. */
  readonly kind: string;
  /** What it is about; `''` where there is only one of the kind. */
  readonly key: string;
}

/** Topic on which runners are woken. */
export const WORK = 'work';

const ROWS_AT_ONCE = 500;

/**
 * Schedules tasks for a time, unless they are already due earlier, in the transaction that makes them necessary.
 * Runners are woken when it commits, unless everything was due before.
 */
export async function armTasks(trx: Db, kind: string, keys: readonly string[], now: Instant, dueAt = now): Promise<void> {
  let sooner = false;
  for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
    const armed = await trx
      .insertInto('task')
      .values(keys.slice(from, from + ROWS_AT_ONCE).map((key) => ({ kind, key, dueAt, setAt: now })))
      .onConflict((conflict) =>
        conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({
          revision: eb('task.revision', '+', 1),
          dueAt: eb.case().when('task.dueAt', '<', dueAt).then(eb.ref('task.dueAt')).else(dueAt).end(),
          setAt: eb.case().when('task.dueAt', '<', dueAt).then(eb.ref('task.setAt')).else(now).end(),
        })),
      )
      .returning('dueAt')
      .execute();
    sooner ||= armed.some((row) => row.dueAt === dueAt);
  }
  if (sooner && dueAt <= now) await wakeUp(trx, WORK);
}

/** Creates a task that must exist; an existing one keeps its time. */
export async function ensureTask(db: Db, { kind, key }: TaskKey, now: Instant): Promise<void> {
  await db
    .insertInto('task')
    .values({ kind, key, dueAt: now, setAt: now })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute();
}
