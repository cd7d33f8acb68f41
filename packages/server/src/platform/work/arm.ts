import type { Db, Instant } from '../storage/database.ts';
import { wakeUp } from '../storage/wake-ups/wake-up.ts';

/** Identifies a piece of work: what is to be done, and to what. */
export interface TaskKey {
  /** Kind of work, which is also the name of its lane. */
  readonly kind: string;
  /** What the task is about; `''` if the kind has only one task. */
  readonly key: string;
}

/** Topic of the wake-ups for runners. */
export const WORK = 'work';

const ROWS_AT_ONCE = 500;

/**
 * Schedules tasks for a time, unless they are already due earlier. Called in the transaction that makes them necessary;
 * runners are woken when it commits, unless all tasks were already due earlier.
 */
export async function armTasks(
  trx: Db,
  kind: string,
  keys: readonly string[],
  now: Instant,
  dueAt = now,
): Promise<void> {
  let sooner = false;
  for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
    const armed = await trx
      .insertInto('task')
      .values(
        keys.slice(from, from + ROWS_AT_ONCE).map((key) => ({ kind, key, dueAt, setAt: now })),
      )
      .onConflict((conflict) =>
        conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({
          revision: eb('task.revision', '+', 1),
          dueAt: eb
            .case()
            .when('task.dueAt', '<', dueAt)
            .then(eb.ref('task.dueAt'))
            .else(dueAt)
            .end(),
          setAt: eb
            .case()
            .when('task.dueAt', '<', dueAt)
            .then(eb.ref('task.setAt'))
            .else(now)
            .end(),
        })),
      )
      .returning('dueAt')
      .execute();
    sooner ||= armed.some((row) => row.dueAt === dueAt);
  }
  if (sooner && dueAt <= now) await wakeUp(trx, WORK);
}

/** Creates tasks that must exist; existing ones keep their time. */
export async function ensureTasks(db: Db, tasks: readonly TaskKey[], now: Instant): Promise<void> {
  if (tasks.length === 0) return;
  await db
    .insertInto('task')
    .values(tasks.map(({ kind, key }) => ({ kind, key, dueAt: now, setAt: now })))
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .execute();
}
