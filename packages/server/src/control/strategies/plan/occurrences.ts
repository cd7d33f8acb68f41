import { MINUTE_MS } from '@helioport/contract/durations';
import { offsetChanges } from '../../../platform/calendar/offset-changes.ts';
import { calendarOf, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import { WEEK_MINUTES, type WeekSpan } from './week-spans.ts';

/** A stretch of time in which an interval of a plan applies, epoch ms. */
export interface Occurrence {
  /** Position of the interval in the plan. */
  readonly index: number;
  readonly fromAt: number;
  /** Excluded. */
  readonly toAt: number;
}

const WEEK_MS = WEEK_MINUTES * MINUTE_MS;
/** Monday 1970-01-05, 00:00 on the wall clock, as if it showed UTC. */
const FIRST_MONDAY_MS = 4 * 86_400_000;

/**
 * When the spans apply between two instants, in order. A span applies whenever the plant's wall clock shows a time within it, as a device's own time
 * slots do: an hour that the clocks skip is left out, and one that they repeat counts twice, in which case a span may apply in two pieces.
 */
export function occurrences(
  zones: Zones,
  spans: readonly WeekSpan[],
  fromAt: number,
  toAt: number,
): Occurrence[] {
  const calendar = calendarOf(zones);
  const found = new Map<string, Occurrence[]>();
  const changes = offsetChanges(calendar, fromAt, toAt);
  for (const [i, segmentFrom] of [fromAt, ...changes].entries()) {
    const segmentTo = changes[i] ?? toAt;
    const offset = calendar.offsetAt(segmentFrom);
    // Spans of the week before may last into the segment.
    const firstWeek = Math.floor((segmentFrom + offset - FIRST_MONDAY_MS) / WEEK_MS) - 1;
    for (let week = firstWeek; FIRST_MONDAY_MS + week * WEEK_MS - offset < segmentTo; week += 1) {
      const monday = FIRST_MONDAY_MS + week * WEEK_MS - offset;
      for (const { index, fromMinute, toMinute } of spans) {
        const piece = {
          index,
          fromAt: Math.max(segmentFrom, monday + fromMinute * MINUTE_MS),
          toAt: Math.min(segmentTo, monday + toMinute * MINUTE_MS),
        };
        if (piece.fromAt < piece.toAt) joinOrAdd(found, `${index} ${week} ${fromMinute}`, piece);
      }
    }
  }
  return [...found.values()].flat().toSorted((a, b) => a.fromAt - b.fromAt || a.index - b.index);
}

/** Adds a piece to those of one span; if the clocks only changed within it, it continues the one before. */
function joinOrAdd(found: Map<string, Occurrence[]>, key: string, piece: Occurrence): void {
  const pieces = found.get(key) ?? [];
  const before = pieces.at(-1);
  if (before?.toAt === piece.fromAt) pieces[pieces.length - 1] = { ...before, toAt: piece.toAt };
  else pieces.push(piece);
  found.set(key, pieces);
}

/** Minutes since Monday 00:00 that the plant's wall clock shows. */
export const weekMinuteAt = (zones: Zones, at: number): number => {
  const wall = at + calendarOf(zones).offsetAt(at) - FIRST_MONDAY_MS;
  return (wall - Math.floor(wall / WEEK_MS) * WEEK_MS) / MINUTE_MS;
};
