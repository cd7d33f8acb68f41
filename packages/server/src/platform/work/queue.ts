import type { Db, Instant } from '../storage/database.ts';

/** The backlog of a kind, across all instances. */
export interface Queue {
  readonly kind: string;
  /** Tasks that are due but not running. */
  readonly due: number;
  readonly running: number;
  /** How long the oldest due task has been waiting, in seconds; 0 if none is due. */
  readonly oldestDueSeconds: number;
  /** Tasks whose last run failed. */
  readonly failing: number;
}

export async function countTasks(db: Db, now: Instant): Promise<Queue[]> {
  const rows = await db
    .selectFrom('task')
    .select((eb) => {
      const waits = eb.and([eb('claimedUntil', '<=', now), eb('dueAt', '<=', now)]);
      return [
        'kind',
        eb.fn.sum<number>(eb.case().when(waits).then(eb.lit(1)).else(eb.lit(0)).end()).as('due'),
        eb.fn
          .sum<number>(
            eb.case().when('claimedUntil', '>', now).then(eb.lit(1)).else(eb.lit(0)).end(),
          )
          .as('running'),
        eb.fn
          .sum<number>(eb.case().when('failures', '>', 0).then(eb.lit(1)).else(eb.lit(0)).end())
          .as('failing'),
        eb.fn.min<number | null>(eb.case().when(waits).then(eb.ref('dueAt')).end()).as('oldestAt'),
      ];
    })
    .groupBy('kind')
    .execute();
  return rows.map(({ kind, due, running, failing, oldestAt }) => ({
    kind,
    due,
    running,
    failing,
    oldestDueSeconds: oldestAt === null ? 0 : (now - oldestAt) / 1000,
  }));
}
