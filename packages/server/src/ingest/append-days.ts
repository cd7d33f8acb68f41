import type { Db } from '../storage/database.ts';
import { NO_CARRY, openDay, silentDay, type DayState, type Sample } from '../energy/day-state.ts';
import { stepDay } from '../energy/energy-day.ts';
import { addDay, type MonthState } from '../energy/month-state.ts';
import { monthOf } from '../calendar/plant-calendar.ts';
import { dayRules, dayTerms, type BoundDevice } from './bound-device.ts';
import { DaysBefore, type DaysAtHand } from './earlier-days.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import { sumsAfter } from '../series/sums.ts';

/** What an append yields: the binding's newest day with samples added, and the days opened after it. */
export interface AppendedDays {
  readonly device: BoundDevice;
  /** Ascending; the first is the stored newest day, if there is one. */
  readonly days: DayRow[];
}

/** Whether samples from `at` on come after everything stored for the device. */
export function isAppend(device: BoundDevice, newest: DayRow | undefined, at: number): boolean {
  // Each binding continues from the state of the one before it, so a device that has moved needs more than an append.
  if (device.next || (!newest && device.former)) return false;
  return !newest || at > newest.state.last.at;
}

/**
 * Folds samples, all newer than the stored ones and ascending, onto the newest day. Reads and writes nothing.
 * @throws ReachesBack if the samples affect a day before the newest one; `newest` is then unusable
 */
export function appendDays(device: BoundDevice, newest: DayRow | undefined, samples: readonly Sample[]): AppendedDays {
  const { calendar, binding } = device;
  const days: DayRow[] = newest ? [newest] : [];
  const hand = new AppendedHand(device, days);
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
  return { device, days };
}

/**
 * Gives the fold the days of an append before the current one, and inserts days without readings among them. A class rather than
 * closures, since each report needs one per device.
 */
class AppendedHand implements DaysAtHand {
  readonly device: BoundDevice;
  readonly #days: DayRow[];

  constructor(device: BoundDevice, days: DayRow[]) {
    this.device = device;
    this.#days = days;
  }

  get fromDay(): number {
    return this.#days[0]!.day;
  }

  find(day: number): DayState | undefined {
    return this.#days.findLast((row) => row.day === day)?.state;
  }

  make(day: number): DayState {
    const { calendar, binding } = this.device;
    const after = this.#days.findIndex((row) => row.day > day);
    const { startAt } = calendar.dayWindow(day);
    const state = silentDay(this.#days[after - 1]!.state, startAt, dayTerms(this.device, day));
    this.#days.splice(after, 0, { binding, day, state });
    return state;
  }

  since(day: number): DayState[] {
    return this.#days.slice(0, -1).flatMap((row) => (row.day >= day ? [row.state] : []));
  }
}

/** For each binding, closes all days but the last: adds their sums to their month and to the next day's carry. Returns the months. */
export async function closeDays(db: Db, series: Series, appended: readonly AppendedDays[]): Promise<MonthRow[]> {
  const closing = appended.filter(({ days }) => days.length > 1);
  const firsts = closing.map(({ days }) => days[0]!);
  const months = new Map<string, MonthRow>();
  if (firsts.length > 0) {
    const wanted = firsts.map(({ day }) => monthOf(day));
    // Of these months, only that of the first day being closed can already be stored.
    const stored = await series.months(
      db,
      firsts.map(({ binding }) => binding),
      Math.min(...wanted),
      Math.max(...wanted),
    );
    for (const row of stored) months.set(`${row.binding} ${row.month}`, row);
  }
  const changed = new Set<MonthRow>();
  for (const { days } of closing) {
    for (const [i, next] of days.entries()) {
      const day = days[i - 1];
      if (!day) continue;
      next.state.carry = sumsAfter(day);
      day.state.carry = undefined;
      const key = `${day.binding} ${monthOf(day.day)}`;
      let row = months.get(key);
      if (!row) months.set(key, (row = { binding: day.binding, month: monthOf(day.day), state: [] as MonthState }));
      addDay(row.state, day.state);
      changed.add(row);
    }
  }
  for (const { days } of appended) days.at(-1)!.state.carry ??= NO_CARRY;
  return [...changed];
}
