import {
  dayBeforeAll,
  openDay,
  silentDay,
  type DayState,
  type DaySample,
} from '../energy/day-state.ts';
import { stepDay } from '../energy/energy-day.ts';
import { dayRules, dayTerms, type BoundDevice } from '../bindings/bound-device.ts';
import { DaysBefore, type DaysAtHand } from './earlier-days.ts';
import type { DayRow } from '../series/port.ts';

/** The result of an append: the binding's newest day with samples added, and the days opened after it. */
export interface AppendedDays {
  readonly device: BoundDevice;
  readonly samples: readonly DaySample[];
  /** Ascending; the first is the stored newest day, if there is one. */
  readonly days: DayRow[];
  /** Whether the binding has no stored days yet. */
  readonly isFirst: boolean;
}

/** Whether samples from `at` on come after everything stored for the device. */
export function isAppend(device: BoundDevice, newest: DayRow | undefined, at: number): boolean {
  // Each binding continues from the state of the one before it, so an append is not enough for a device that has moved.
  if (device.next || (!newest && device.former)) return false;
  return !newest || at > newest.state.last.at;
}

/**
 * Folds samples, all newer than the stored ones and ascending, onto the newest day. Reads and writes nothing.
 * @throws ReachesBack if the samples affect a day before the newest one; `newest` is then unusable
 */
export function appendDays(
  device: BoundDevice,
  newest: DayRow | undefined,
  samples: readonly DaySample[],
): AppendedDays {
  const { calendar, binding } = device;
  const days: DayRow[] = newest ? [newest] : [];
  const hand = new AppendedHand(device, days, samples[0]!);
  let current = newest?.state;
  let rules = newest && dayRules(device, newest.day);
  let earlier = current && new DaysBefore(current, hand);
  let endAt = newest ? calendar.dayWindow(newest.day).endAt : 0;
  for (const sample of samples) {
    if (!current || sample.at >= endAt) {
      const day = calendar.dayOf(sample.at);
      rules = dayRules(device, day);
      current = openDay(current, sample, dayTerms(device, day));
      days.push({ binding, day, state: current });
      earlier = new DaysBefore(current, hand);
      ({ endAt } = calendar.dayWindow(day));
    }
    stepDay(current, sample, rules!, earlier);
  }
  return { device, samples, days, isFirst: newest === undefined };
}

/**
 * Gives the fold the days of an append before the current one, and inserts days without readings among them. A class rather than
 * closures, since each report needs one per device.
 */
class AppendedHand implements DaysAtHand {
  readonly device: BoundDevice;
  /** The first loaded day; nothing is stored of a new device. */
  readonly fromDay: number;
  readonly #days: DayRow[];
  readonly #first: DaySample;

  constructor(device: BoundDevice, days: DayRow[], first: DaySample) {
    this.device = device;
    this.fromDay = days[0]?.day ?? 0;
    this.#days = days;
    this.#first = first;
  }

  find(day: number): DayState | undefined {
    return this.#days.findLast((row) => row.day === day)?.state;
  }

  make(day: number): DayState {
    const { calendar, binding } = this.device;
    const after = this.#days.findIndex((row) => row.day > day);
    const { startAt } = calendar.dayWindow(day);
    const before = this.#days[after - 1];
    const terms = dayTerms(this.device, day);
    const state = before
      ? silentDay(before.state, startAt, terms)
      : dayBeforeAll(this.#first, terms);
    this.#days.splice(after, 0, { binding, day, state });
    return state;
  }
}
