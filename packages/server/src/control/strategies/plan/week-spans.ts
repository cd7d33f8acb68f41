import { weekDays, type PlanInterval } from '@helioport/contract';

/** Hours of the wall clock that are repeated on days of the week: those of an interval, or those in which the owner allows no strategy. */
export type Hours = Pick<PlanInterval, 'days' | 'start' | 'end'>;

/** Hours on one day of the week, in minutes since Monday 00:00 of the wall clock. Those that begin on a Sunday may end in the next week. */
export interface WeekSpan {
  /** Position of the hours in the list that they come from. */
  readonly index: number;
  readonly fromMinute: number;
  /** Excluded. */
  readonly toMinute: number;
}

export const DAY_MINUTES = 1_440;
export const WEEK_MINUTES = 10_080;

/** Minutes since midnight of a clock time `HH:MM`. */
export const minuteOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The clock time of a minute, counted from any midnight. */
export function wallClockOf(minute: number): string {
  const ofDay = modulo(minute, DAY_MINUTES);
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}

/** The remainder of a division, never negative. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Each of the hours on each of their days, by their beginning. */
export function weekSpans(hours: readonly Hours[]): WeekSpan[] {
  const spans = hours.flatMap(({ days = weekDays, start, end }, index) => {
    const from = minuteOf(start);
    const to = minuteOf(end) > from ? minuteOf(end) : minuteOf(end) + DAY_MINUTES;
    return days.map((day) => {
      const midnight = weekDays.indexOf(day) * DAY_MINUTES;
      return { index, fromMinute: midnight + from, toMinute: midnight + to };
    });
  });
  return spans.toSorted(byBeginning);
}

/** What is left of spans outside of others, such as those in which nothing is allowed. */
export function outside(spans: readonly WeekSpan[], others: readonly WeekSpan[]): WeekSpan[] {
  const taken = everyWeek(others);
  return spans.flatMap((span) => {
    let pieces = [span];
    for (const { fromMinute, toMinute } of taken) {
      if (toMinute <= span.fromMinute || fromMinute >= span.toMinute) continue;
      pieces = pieces.flatMap((piece) =>
        [
          { ...piece, toMinute: Math.min(piece.toMinute, fromMinute) },
          { ...piece, fromMinute: Math.max(piece.fromMinute, toMinute) },
        ].filter((left) => left.fromMinute < left.toMinute),
      );
    }
    return pieces;
  });
}

/** The first two spans that have a minute in common, if any; `span` begins later. With `others`: a span and one of these. */
export function firstOverlap(
  spans: readonly WeekSpan[],
  others?: readonly WeekSpan[],
): { readonly span: WeekSpan; readonly other: WeekSpan } | undefined {
  if (others) {
    const weeks = everyWeek(others);
    for (const span of spans) {
      const other = weeks.find(
        ({ fromMinute, toMinute }) => fromMinute < span.toMinute && toMinute > span.fromMinute,
      );
      if (other) return { span, other };
    }
    return undefined;
  }
  let longest: WeekSpan | undefined;
  for (const span of everyWeek(spans).toSorted(byBeginning)) {
    if (longest && longest.toMinute > span.fromMinute) return { span, other: longest };
    if (!longest || span.toMinute > longest.toMinute) longest = span;
  }
  return undefined;
}

/** Spans of a week, and those of the weeks before and after it, since the last ones may end in the next week. */
const everyWeek = (spans: readonly WeekSpan[]): WeekSpan[] =>
  [-WEEK_MINUTES, 0, WEEK_MINUTES].flatMap((shift) =>
    spans.map((span) => ({
      ...span,
      fromMinute: span.fromMinute + shift,
      toMinute: span.toMinute + shift,
    })),
  );

const byBeginning = (a: WeekSpan, b: WeekSpan): number =>
  a.fromMinute - b.fromMinute || a.toMinute - b.toMinute;
