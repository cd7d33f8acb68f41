import type { WireData } from '@helioport/contract';
import { useOperation } from '../../../wire/queries.ts';

/** What rounding may make of the sums of years, kWh. */
const ROUNDING_KWH = 1;

/** A plant's first recorded day, such as `2026-10-24`, if the counters of its devices say more than was recorded; else undefined. */
export function useRecordedSince(plantId: string, totalKwh: number | undefined): string | undefined {
  const { data: years } = useOperation('stationAll', { id: plantId }, { enabled: totalKwh !== undefined });
  const recordedKwh = years?.reduce((sum, { energy }) => sum + (energy ?? 0), 0);
  const isMore = totalKwh !== undefined && recordedKwh !== undefined && totalKwh - recordedKwh > ROUNDING_KWH;
  const year = years?.map((row) => String(row.year)).toSorted()[0];
  const { data: months } = useOperation('stationYear', { id: plantId, year: year ?? '' }, { enabled: isMore && year !== undefined });
  const month = firstDate(months)?.slice(0, 7);
  const { data: days } = useOperation('stationMonth', { id: plantId, month: month ?? '' }, { enabled: isMore && month !== undefined });
  return isMore ? firstDate(days) : undefined;
}

const firstDate = (rows: WireData<'stationMonth'> | undefined): string | undefined => rows?.map(({ dateStr }) => dateStr!).toSorted()[0];
