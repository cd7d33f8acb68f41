import type { WireData } from '@helioport/contract';
import { useOperation } from '../../../wire/queries.ts';

/** What rounding may make of the sums of years, kWh. */
const ROUNDING_KWH = 1;

/** The beginning of a plant's record. */
export interface RecordStart {
  /** The first recorded day, such as `2026-10-24`. */
  readonly day: string;
  /** Whether the counters of its devices say more than was recorded. */
  readonly hasMoreBefore: boolean;
}

/** When a plant's record began, where that explains its figures: where they have more, or where it began in the year of `today`; else undefined. */
export function useRecordStart(
  plantId: string,
  totalKwh: number | undefined,
  today: string,
): RecordStart | undefined {
  const { data: years } = useOperation(
    'stationAll',
    { id: plantId },
    { enabled: totalKwh !== undefined },
  );
  const recordedKwh = years?.reduce((sum, { energy }) => sum + (energy ?? 0), 0);
  const hasMoreBefore =
    totalKwh !== undefined && recordedKwh !== undefined && totalKwh - recordedKwh > ROUNDING_KWH;
  const year = years?.map((row) => String(row.year)).toSorted()[0];
  const isAsked = year !== undefined && (hasMoreBefore || today.startsWith(year));
  const { data: months } = useOperation(
    'stationYear',
    { id: plantId, year: year ?? '' },
    { enabled: isAsked },
  );
  const month = firstDate(months)?.slice(0, 7);
  const { data: days } = useOperation(
    'stationMonth',
    { id: plantId, month: month ?? '' },
    { enabled: isAsked && month !== undefined },
  );
  const day = isAsked ? firstDate(days) : undefined;
  return day === undefined ? undefined : { day, hasMoreBefore };
}

const firstDate = (rows: WireData<'stationMonth'> | undefined): string | undefined =>
  rows?.map(({ dateStr }) => dateStr!).toSorted()[0];
