import type { EnergyRow } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { dayOf } from '../../../platform/calendar/plant-calendar.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { ChartSpan } from './energy-charts.ts';

/** From when on figures of a plant are of before, since they are being recalculated; undefined = none are. */
export async function recalculatedFrom(db: Db, plantId: string): Promise<Instant | undefined> {
  const { fromAt } = await db
    .selectFrom('recalculation')
    .innerJoin('binding', 'binding.no', 'recalculation.binding')
    .select((eb) => eb.fn.min('recalculation.fromAt').as('fromAt'))
    .where('binding.plantId', '=', plantId)
    .executeTakeFirstOrThrow();
  return fromAt ?? undefined;
}

/** Digits of a day (yyyymmdd) behind those of its period. */
const BEHIND = { day: 1, month: 100, year: 10_000 } as const;

/** Marks the rows of a plant whose figures are being recalculated. */
export async function withRecalculated(
  db: Db,
  plant: VisiblePlant,
  { each }: ChartSpan,
  rows: EnergyRow[],
): Promise<EnergyRow[]> {
  const fromAt = await recalculatedFrom(db, plant.id);
  if (fromAt === undefined) return rows;
  const zones = await zonesOf(db, [{ ...plant, plantId: plant.id }]);
  const periodOf = (day: number): number => Math.floor(day / BEHIND[each]);
  const from = periodOf(dayOf(zones.get(plant.id)!, fromAt));
  return rows.map((row) => (periodOf(row.day) >= from ? { ...row, recalculating: true } : row));
}
