import { sql } from 'kysely';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Reach } from '../access.ts';
import { presence } from '../presence.ts';
import { selectedRanking } from './ranking.ts';

/** Sums over plants with one currency; null if it is known of none of them. */
export interface CurrencySums {
  readonly currency: string;
  /** Of the plants that measure what they produce: of others it is not known what share of it they produce. */
  readonly capacityKwp: number;
  /** How many others there are: without devices, or with devices that have not measured anything yet. */
  readonly unmeasured: number;
  /** How many should report and do not. */
  readonly disconnected: number;
  readonly powerW: number | null;
  readonly dayKwh: number | null;
  readonly monthKwh: number | null;
  readonly yearKwh: number | null;
  readonly totalKwh: number | null;
  readonly dayWorth: number | null;
  readonly monthWorth: number | null;
  readonly yearWorth: number | null;
  readonly totalWorth: number | null;
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
  return selectedRanking(db, { reach, states: undefined, search: undefined })
    .select([
      'plant.currency',
      sql<number>`sum(case when ${isMeasured} then standing."capacityKwp" else 0 end)`.as(
        'capacityKwp',
      ),
    ])
    .select(sql<number>`sum(case when ${isMeasured} then 0 else 1 end)`.as('unmeasured'))
    .select(
      sql<number>`sum(case when plant.state = ${sql.lit(presence.offline)} and plant."abnormalDevices" > 0 then 1 else 0 end)`.as(
        'disconnected',
      ),
    )
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
      sumOf('dayWorth', 'dayEndsAt').as('dayWorth'),
      sumOf('monthWorth', 'monthEndsAt').as('monthWorth'),
    ])
    .select([
      sumOf('yearWorth', 'yearEndsAt').as('yearWorth'),
      sql<number | null>`sum(standing."totalWorth")`.as('totalWorth'),
    ])
    .select(sql<Instant>`min(standing."workedOutAt")`.as('workedOutAt'))
    .groupBy('plant.currency')
    .orderBy('plant.currency')
    .execute();
}
