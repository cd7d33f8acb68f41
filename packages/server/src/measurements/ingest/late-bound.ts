import type { Db } from '../../platform/storage/database.ts';
import type { Series } from '../series/port.ts';
import type { LateReadings } from './load-amended.ts';

/** How many stored samples late readings may have read and folded anew in one transaction: a hundred days of one every five minutes. */
export const LATE_SAMPLES = 30_000;

/** So many devices may go on in their newest days, whatever these have: usually what is around late readings suffices. */
const NEWEST_UNSEEN = 10;

/** Late readings are of days with too many samples for one transaction; nothing was written. */
export class TooManyLate extends Error {}

/** Makes sure that a transaction does not fold more samples anew than it may. Throws TooManyLate. */
export async function boundLate(
  db: Db,
  series: Series,
  late: readonly LateReadings[],
  most: number,
): Promise<void> {
  const stretches = late.map(({ device, readings, newest }) => {
    const days = new Set(readings.map(({ at }) => device.calendar.dayOf(at)));
    return { binding: device.binding, newest, days, ends: [Math.min(...days), Math.max(...days)] };
  });
  const daysOfAll = stretches.reduce((sum, { days }) => sum + days.size, 0);
  if (daysOfAll <= 1) return;
  let samples = 0;
  const count = (number: number): void => {
    samples += number;
    if (samples > most) throw new TooManyLate();
  };
  // Of the newest day, which is known, few are folded anew as a whole. Devices with the same other days share a question.
  const others = stretches.filter(({ newest, days }) => {
    if (!newest || days.size > 1 || !days.has(newest.day)) return true;
    if (daysOfAll > NEWEST_UNSEEN) count(newest.state.samples);
    return false;
  });
  for (const alike of Map.groupBy(others, ({ ends }) => ends.join(' ')).values()) {
    const [first, last] = alike[0]!.ends;
    const daysOf = new Map(alike.map(({ binding, days }) => [binding, days]));
    for (const { binding, day, state } of await series.days(db, [...daysOf.keys()], first!, last!))
      if (daysOf.get(binding)!.has(day)) count(state.samples);
  }
}
