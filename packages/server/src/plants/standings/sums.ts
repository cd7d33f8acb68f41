import { sql } from 'kysely';
import type { Db, Instant } from '../../storage/database.ts';
import type { Reach } from '../access.ts';
import { presence } from '../presence.ts';
import { selectedStandings } from './ranking.ts';

/** Sums over plants with one currency; amounts are undefined if none of them has any. */
export interface CurrencySums {
  readonly currency: string;
  /** Of the plants with devices: others cannot produce. */
  readonly capacityKwp: number;
  readonly powerW: number;
  readonly dayKwh: number;
  readonly monthKwh: number;
  readonly yearKwh: number;
  readonly totalKwh: number;
  readonly dayIncome: number | null;
  readonly monthIncome: number | null;
  readonly yearIncome: number | null;
  readonly totalIncome: number | null;
  /** When the oldest of the figures was worked out; 0 = one of them has not been yet. */
  readonly workedOutAt: Instant;
}

/** Adds up the plants of a reach by currency. What was worked out for a day, month or year that has ended at the plant does not count. */
export function sumPlants(db: Db, reach: Reach, now: Instant): Promise<CurrencySums[]> {
  const inPeriod = (column: string, endsAt: string) =>
    sql<number>`case when ${sql.ref(`standing.${endsAt}`)} > ${now} then ${sql.ref(`standing.${column}`)} end`;
  const energy = (column: string, endsAt: string) => sql<number>`coalesce(sum(${inPeriod(column, endsAt)}), 0)`;
  const income = (column: string, endsAt: string) => sql<number | null>`sum(${inPeriod(column, endsAt)})`;
  return selectedStandings(db, { reach, states: undefined, search: undefined })
    .select([
      'plant.currency',
      sql<number>`sum(case when standing.state <> ${sql.lit(presence.building)} then standing."capacityKwp" else 0 end)`.as('capacityKwp'),
    ])
    .select([sql<number>`coalesce(sum(standing."powerW"), 0)`.as('powerW'), sql<number>`coalesce(sum(standing."totalKwh"), 0)`.as('totalKwh')])
    .select([energy('dayKwh', 'dayEndsAt').as('dayKwh'), energy('monthKwh', 'monthEndsAt').as('monthKwh'), energy('yearKwh', 'yearEndsAt').as('yearKwh')])
    .select([income('dayIncome', 'dayEndsAt').as('dayIncome'), income('monthIncome', 'monthEndsAt').as('monthIncome')])
    .select([income('yearIncome', 'yearEndsAt').as('yearIncome'), sql<number | null>`sum(standing."totalIncome")`.as('totalIncome')])
    .select(sql<Instant>`min(standing."workedOutAt")`.as('workedOutAt'))
    .groupBy('plant.currency')
    .orderBy('plant.currency')
    .execute();
}
