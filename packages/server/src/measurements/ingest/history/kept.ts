import { sql } from 'kysely';
import type { Db } from '../../../platform/storage/database.ts';
import { daysOfMonth, monthOf } from '../../../platform/calendar/plant-calendar.ts';

type DaysKept = 'claimed' | 'energies' | 'curves';

/** What has been imported of one device. */
export interface Kept {
  has(kind: DaysKept, day: number): boolean;
  /** Whether all days of a month (yyyymm) have it. */
  hasAll(kind: DaysKept, month: number): boolean;
  /** All days that have it, ascending. */
  all(kind: DaysKept): number[];
  /** Notes it of days of one month; durable when it resolves. */
  add(kind: DaysKept, days: readonly number[]): Promise<void>;
}

const bitOf = (day: number): number => 1 << ((day % 100) - 1);

export async function findKept(db: Db, deviceId: string): Promise<Kept> {
  const rows = await db
    .selectFrom('historyMonth')
    .select(['month', 'claimed', 'energies', 'curves'])
    .where('deviceId', '=', deviceId)
    .execute();
  const months = new Map(rows.map(({ month, ...masks }) => [month, masks]));
  const maskOf = (kind: DaysKept, month: number): number => months.get(month)?.[kind] ?? 0;
  return {
    has: (kind, day) => (maskOf(kind, monthOf(day)) & bitOf(day)) !== 0,
    hasAll: (kind, month) => maskOf(kind, month) === 2 ** (daysOfMonth(month).toDay % 100) - 1,
    all: (kind) =>
      [...months.keys()]
        .toSorted((a, b) => a - b)
        .flatMap((month) =>
          Array.from({ length: 31 }, (_, i) => month * 100 + i + 1).filter(
            (day) => (maskOf(kind, month) & bitOf(day)) !== 0,
          ),
        ),
    async add(kind, days) {
      if (days.length === 0) return;
      const month = monthOf(days[0]!);
      const mask = days.reduce((all, day) => all | bitOf(day), 0);
      const none = { claimed: 0, energies: 0, curves: 0 };
      await db
        .insertInto('historyMonth')
        .values({ deviceId, month, ...none, [kind]: mask })
        .onConflict((conflict) =>
          conflict
            .columns(['deviceId', 'month'])
            .doUpdateSet({ [kind]: sql`"historyMonth".${sql.ref(kind)} | ${mask}` }),
        )
        .execute();
      const known = months.get(month) ?? none;
      months.set(month, { ...known, [kind]: known[kind] | mask });
    },
  };
}
