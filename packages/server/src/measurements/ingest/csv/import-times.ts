import { DAY_MS } from '@helioport/contract/durations';
import { createLocalZone, type LocalZone } from '../../../platform/calendar/local-zone.ts';
import { readStamp, type Stamp } from './import-stamps.ts';

/** How the times of a file are written. */
export interface TimeForm {
  /** An IANA zone, or null when each time carries its own offset. */
  readonly zone: string | null;
  /** Whether dates with slashes put the day first. */
  readonly dayFirst: boolean;
  /** Whether the file itself shows what comes first: then years may have two digits. */
  readonly isShown?: boolean;
  /** How times follow one another; by default, the oldest first. */
  readonly order?: 'oldestFirst' | 'newestFirst' | 'mixed';
}

/** An instant, or why a text is not one. */
export type ReadTime =
  | { readonly at: number; readonly ambiguous: boolean }
  | { readonly fault: string };

/**
 * Reads times one after another. When clocks go back, a local time occurs twice: of the two instants, the first one after the previous time is used,
 * or where the newest come first, the last one before it. A local time that the clocks skipped is refused.
 */
export function createTimeReader({
  zone,
  order = 'oldestFirst',
  ...dates
}: TimeForm): (text: string) => ReadTime {
  const dayFirst = orderOfDates(dates);
  const local = zone === null ? null : createLocalZone(zone);
  const instants = local && createInstants(local);
  const isBackward = order === 'newestFirst';
  let last = isBackward ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;

  return (text) => {
    const read = readTime(text.trim());
    if ('at' in read) last = read.at;
    return read;
  };

  function readTime(text: string): ReadTime {
    const stamp = readStamp(text, dayFirst);
    if ('fault' in stamp) return stamp;
    if (stamp.offsetMs !== undefined) return { at: stamp.wall - stamp.offsetMs, ambiguous: false };
    if (!instants) return { fault: 'the time carries no offset: say which zone it is in' };
    const [first, second] = instants(stamp.wall);
    if (first === undefined)
      return { fault: `${text} does not exist in ${zone}: the clocks were put forward` };
    if (second === undefined) return { at: first, ambiguous: false };
    if (order === 'mixed')
      return {
        fault: `${text} occurs twice in ${zone}, and the rows are in no order that shows which is meant: sort them by time`,
      };
    return { at: isBackward ? before(first, second) : after(first, second), ambiguous: true };
  }

  function after(first: number, second: number): number {
    if (first > last) return first;
    return second > last ? second : first;
  }

  function before(first: number, second: number): number {
    if (second < last) return second;
    return first < last ? first : second;
  }
}

/** What comes first in dates of which that is not fixed; undefined if only custom says it. */
const orderOfDates = ({
  dayFirst,
  isShown = false,
}: Pick<TimeForm, 'dayFirst' | 'isShown'>): boolean | undefined =>
  dayFirst || isShown ? dayFirst : undefined;

/** The local day (yyyymmdd) that a text names; for an instant, that of the clock on the wall. */
export function createDayReader(
  dates: Pick<TimeForm, 'dayFirst' | 'isShown'>,
  dayOf: (at: number) => number,
): (text: string) => { readonly day: number } | { readonly fault: string } {
  return (text) => {
    const stamp = readStamp(text.trim(), orderOfDates(dates));
    if ('fault' in stamp) return stamp;
    return {
      day: stamp.offsetMs === undefined ? dayOn(stamp) : dayOf(stamp.wall - stamp.offsetMs),
    };
  };
}

const dayOn = ({ wall }: Stamp): number =>
  Number(new Date(wall).toISOString().slice(0, 10).replaceAll('-', ''));

/** The instants with a given local time: usually one, two when clocks go back, none when they go forward. */
function createInstants(zone: LocalZone): (wall: number) => readonly number[] {
  let plain = { day: Number.NaN, offset: 0 };
  return (wall) => {
    const day = Math.floor(wall / DAY_MS);
    if (day === plain.day) return [wall - plain.offset];
    const offsets = [
      zone.offsetAt(day * DAY_MS - DAY_MS),
      zone.offsetAt(day * DAY_MS + 2 * DAY_MS),
    ];
    if (offsets[0] === offsets[1]) {
      plain = { day, offset: offsets[0]! };
      return [wall - plain.offset];
    }
    return [...new Set(offsets.map((offset) => wall - offset))]
      .filter((at) => at + zone.offsetAt(at) === wall)
      .toSorted((a, b) => a - b);
  };
}
