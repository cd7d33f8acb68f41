import type { PlantCalendar } from '../../../platform/calendar/plant-calendar.ts';
import type { DaySample } from '../../energy/day-state.ts';

/** How many samples of a device in a plant are stored of one local day, unless set otherwise: one a second, and some more for a day of 25 hours. */
export const DAY_READINGS = 100_000;

/** How many samples are stored of a local day (yyyymmdd). */
export interface StoredCounts {
  of(day: number): number;
  /** The largest of these numbers. */
  readonly most: number;
}

/** Readings for which their days have room, and those for which they have none. */
export interface Roomy<R> {
  readonly kept: readonly R[];
  readonly surplus: readonly R[];
}

/** Why a reading for which its day has no room is refused. */
export const noRoom = (atMost: number): string =>
  `the device already has ${atMost} readings on that day, which are the most that are stored`;

/** Divides readings, ascending, by whether their days have room. Those of instants that are stored need none. */
export function withinDays<R extends Pick<DaySample, 'at'>>(
  readings: readonly R[],
  calendar: Pick<PlantCalendar, 'dayOf' | 'dayWindow'>,
  atMost: number,
  stored: StoredCounts,
  isStored: (at: number) => boolean,
): Roomy<R> {
  if (stored.most + readings.length <= atMost) return { kept: readings, surplus: [] };
  const [kept, surplus]: [R[], R[]] = [[], []];
  let [count, endAt] = [0, Number.NEGATIVE_INFINITY];
  for (const reading of readings) {
    const { at } = reading;
    if (at >= endAt) {
      const day = calendar.dayOf(at);
      [count, endAt] = [stored.of(day), calendar.dayWindow(day).endAt];
    }
    const needsRoom = kept.at(-1)?.at !== at && !isStored(at);
    if (needsRoom && count >= atMost) {
      surplus.push(reading);
      continue;
    }
    if (needsRoom) count += 1;
    kept.push(reading);
  }
  return { kept, surplus };
}
