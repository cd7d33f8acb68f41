import type { PlantCalendar } from './plant-calendar.ts';

const HALF_DAY_MS = 43_200_000;

/** The instants after `fromAt` and before `toAt` at which the UTC offset changes; it is assumed to change at most once in half a day. */
export function offsetChanges(
  calendar: Pick<PlantCalendar, 'offsetAt'>,
  fromAt: number,
  toAt: number,
): number[] {
  const changes: number[] = [];
  for (let at = fromAt; at < toAt; at += HALF_DAY_MS) {
    let [low, high] = [at, Math.min(at + HALF_DAY_MS, toAt - 1)];
    const before = calendar.offsetAt(low);
    if (calendar.offsetAt(high) === before) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (calendar.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}
