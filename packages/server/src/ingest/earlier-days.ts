import type { DayState } from '../energy/day-state.ts';
import type { EarlierDays } from '../energy/day-rules.ts';

/** A day before those loaded is needed. */
export class ReachesBack extends Error {
  /** yyyymmdd */
  readonly day: number;
  constructor(day: number) {
    super(`the day ${day} is wanted`);
    this.day = day;
  }
}

/** Days of a binding that the fold of a later one may change. */
export interface DaysAtHand {
  /** The first day for which it is known whether there is a row. */
  readonly fromDay: number;
  find(day: number): DayState | undefined;
  /** Creates the row of a day without readings. */
  make(day: number): DayState;
  /** The existing days from a day on, before the one being folded. */
  since(day: number): Iterable<DayState>;
}

/** What the fold of `state` may find out about earlier days. Its methods throw ReachesBack. */
export function earlierDays(state: DayState, at: DaysAtHand, dayOf: (at: number) => number): EarlierDays {
  const reach = (day: number): void => {
    if (day < at.fromDay) throw new ReachesBack(day);
    state.reachesTo = state.reachesTo === 0 ? day : Math.min(state.reachesTo, day);
  };
  return {
    at(day) {
      reach(day);
      return at.find(day) ?? at.make(day);
    },
    since(instant) {
      reach(dayOf(instant));
      return at.since(dayOf(instant));
    },
  };
}
