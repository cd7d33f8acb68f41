import { sql } from 'kysely';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Reach } from '../access.ts';
import { presence } from '../presence.ts';
import { selectedStandings } from './ranking.ts';

/** Sums over plants with one currency; null if it is known of none of them. */
export interface CurrencySums {
  readonly currency: string;
  /** Of the plants that measure what they produce: of others it is not known what share of it they produce. */
  readonly capacityKwp: number;
  /** How many others there are: without devices, or with devices that have not measured anything yet. */
  readonly unmeasured: number;
  readonly powerW: number | null;
  readonly dayKwh: number | null;
  readonly monthKwh: number | null;
  readonly yearKwh: number | null;
  readonly totalKwh: number | null;
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
  const sumOf = (column: string, endsAt: string) =>
    sql<number | null>`sum(${inPeriod(column, endsAt)})`;
  const isMeasured = sql`standing.state <> ${sql.lit(presence.building)} and (standing."totalKwh" is not null or standing."powerW" is not null)`;
  return selectedStandings(db, { reach, states: undefined, search: undefined })
    .select([
      'plant.currency',
      sql<number>`sum(case when ${isMeasured} then standing."capacityKwp" else 0 end)`.as(
        'capacityKwp',
      ),
    ])
    .select(sql<number>`sum(case when ${isMeasured} then 0 else 1 end)`.as('unmeasured'))
    .select([
      sql<number | null>`sum(standing."powerW")`.as('powerW'),
      sql<number | null>`sum(standing."totalKwh")`.as('totalKwh'),
    ])
    .select([
      sumOf('dayKwh', 'dayEndsAt').as('dayKwh'),
      sumOf('monthKwh', 'monthEndsAt').as('monthKwh'),
      sumOf('yearKwh', 'yearEndsAt').as('yearKwh'),
    ])
    .select([
      sumOf('dayIncome', 'dayEndsAt').as('dayIncome'),
      sumOf('monthIncome', 'monthEndsAt').as('monthIncome'),
    ])
    .select([
      sumOf('yearIncome', 'yearEndsAt').as('yearIncome'),
      sql<number | null>`sum(standing."totalIncome")`.as('totalIncome'),
    ])
    .select(sql<Instant>`min(standing."workedOutAt")`.as('workedOutAt'))
    .groupBy('plant.currency')
    .orderBy('plant.currency')
    .execute();
}
