import type { WireData } from '@helioport/contract';

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
export function recordStartOf(
  { recordedSince: day, recordedKwh, energies }: WireData<'plant/show'>,
  today: string,
): RecordStart | undefined {
  const totalKwh = energies.production?.totalKwh;
  const hasMoreBefore =
    totalKwh !== undefined && recordedKwh !== undefined && totalKwh - recordedKwh > ROUNDING_KWH;
  return day !== undefined && (hasMoreBefore || today.startsWith(day.slice(0, 4)))
    ? { day, hasMoreBefore }
    : undefined;
}
