import type { Db } from '../../platform/storage/database.ts';
import type { Series } from '../series/port.ts';
import type { LateReadings } from './load-amended.ts';

/** How many stored samples late readings may have read and folded anew in one transaction: a hundred days of one every five minutes. */
export const LATE_SAMPLES = 30_000;

/** So few days of devices are not worth a look at how many samples they have. */
const DAYS_UNSEEN = 10;

/** Late readings are of days with too many samples for one transaction; nothing was written. */
export class TooManyLate extends Error {}

/** Makes sure that a transaction does not fold more samples anew than it may. Throws TooManyLate. */
export async function boundLate(
  db: Db,
  series: Series,
  late: readonly LateReadings[],
  most: number,
): Promise<void> {
  const daysOf = late.map(({ device: { calendar }, readings }) => [
    ...new Set(readings.map(({ at }) => calendar.dayOf(at))),
  ]);
  if (daysOf.reduce((sum, { length }) => sum + length, 0) <= DAYS_UNSEEN) return;
  let samples = 0;
  for (const [i, { device }] of late.entries()) {
    const days = new Set(daysOf[i]);
    for (const { day, state } of await series.days(
      db,
      [device.binding],
      daysOf[i]![0]!,
      daysOf[i]!.at(-1)!,
    ))
      if (days.has(day)) samples += state.samples;
    if (samples > most) throw new TooManyLate();
  }
}
