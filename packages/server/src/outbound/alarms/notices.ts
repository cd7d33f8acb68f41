import { sql } from 'kysely';
import type { Db, Instant } from '../../platform/storage/database.ts';

/** An alarm that has begun or ended since somebody last asked. */
export interface Notice {
  readonly alarmId: string;
  /** Whether it has begun since then; if not, it has ended. */
  readonly began: boolean;
}

const ROWS_AT_ONCE = 500;

/** Notes beginnings and ends of alarms for the reader that passes them on. An alarm that ends before its beginning was passed on is noted once. */
export async function noteAlarms(
  trx: Db,
  { began, ended }: { readonly began: readonly string[]; readonly ended: readonly string[] },
  at: Instant,
): Promise<void> {
  const rows = [...new Set([...began, ...ended])].map((alarmId) => ({
    alarmId,
    began: began.includes(alarmId) ? (1 as const) : (0 as const),
    at,
  }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('alarmNotice')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      // An update that changes nothing: the reader that takes the notice has to wait for this transaction, and then reads the alarm as it is after it.
      .onConflict((conflict) =>
        conflict.column('alarmId').doUpdateSet((eb) => ({ at: eb.ref('alarmNotice.at') })),
      )
      .execute();
  }
}

/** Whether there are any. This only reads, so that looking takes no lock. */
export const hasNotices = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('alarmNotice').select(sql.lit(1).as('one')).limit(1).execute()).length > 0;

/** Takes the oldest notices. A reader that takes one must read the alarm afterwards, in the same transaction: what changes after that is noted anew. */
export async function takeNotices(trx: Db, limit: number): Promise<Notice[]> {
  const taken = await trx
    .deleteFrom('alarmNotice')
    .where('alarmId', 'in', (eb) =>
      eb.selectFrom('alarmNotice').select('alarmId').orderBy('at').orderBy('alarmId').limit(limit),
    )
    .returning(['alarmId', 'began'])
    .execute();
  return taken.map(({ alarmId, began }) => ({ alarmId, began: began === 1 }));
}
