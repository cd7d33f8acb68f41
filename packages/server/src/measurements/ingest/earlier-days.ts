import type { DayState } from '../energy/day-state.ts';
import type { EarlierDays } from '../energy/day-rules.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';

/** Thrown if a day is needed that lies before those loaded. */
export class ReachesBack extends Error {
  /** yyyymmdd */
  readonly day: number;
  constructor(day: number) {
    super(`day ${day} has to be loaded`);
    this.day = day;
  }
}

/** Days of a binding that may change when a later day is folded. */
export interface DaysAtHand {
  readonly device: BoundDevice;
  /** The first loaded day. It is not known whether earlier days have rows. */
  readonly fromDay: number;
  find(day: number): DayState | undefined;
  /** Creates the row of a day without readings. */
  make(day: number): DayState;
}

/** Access to earlier days for the fold of a day. Throws ReachesBack if a day is needed that is not loaded. */
export class DaysBefore implements EarlierDays {
  readonly #state: DayState;
  readonly #hand: DaysAtHand;

  constructor(state: DayState, hand: DaysAtHand) {
    this.#state = state;
    this.#hand = hand;
  }

  at(day: number): DayState {
    if (day < this.#hand.fromDay) throw new ReachesBack(day);
    const { reachesTo } = this.#state;
    this.#state.reachesTo = reachesTo === 0 ? day : Math.min(reachesTo, day);
    return this.#hand.find(day) ?? this.#hand.make(day);
  }
}
