import { DAY_MS, HOUR_MS } from '@helioport/contract/durations';
import {
  addGrowth,
  energyValue,
  flowMwh,
  GAP_MS,
  settleCounter,
  stepOf,
  type EnergyCounter,
  type CounterDay,
  type CounterLimits,
  type Crossing,
  type CounterLevel,
  type Revealed,
} from './counter.ts';
import { growthLimit } from './growth-limit.ts';

// A device that sleeps at night shows the level of the evening until it wakes up, and is awake at noon.
const STALE_AT_MOST_MS = 20 * HOUR_MS;
const MORNING_MS = 12 * HOUR_MS;
/** The very first reading of a device is doubted only if the counter is reset until then. */
const FIRST_DOUBTED_MS = 10 * HOUR_MS;
/** A counter that was reset shows no more than this part of its former level. */
const RESET_TO = 1 / 4;

/** Whether a level is about zero, compared with the one before it. */
export const isAboutZero = (level: number, base: number): boolean => level <= base * RESET_TO;

/** The beginning of the day before. */
const dayBefore = ({ startAt, calendar }: CounterDay): number =>
  calendar.dayWindow(calendar.dayOf(startAt - 1)).startAt;

const UNREAD: CounterLevel = { level: -1, at: 0 };

/** Processes the very first level of a daily counter, which tells what the day has yielded; at exactly midnight, it is that of the day before. */
export function beginDaily(
  counter: EnergyCounter,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): Revealed | undefined {
  const isMidnight = at === day.startAt;
  const sinceAt = isMidnight ? dayBefore(day) : day.startAt;
  if (level === 0 || day.sinceAt > sinceAt || level > growthLimit(limits, day, sinceAt, at))
    return undefined;
  if (isMidnight) return { crossings: [{ fromAt: sinceAt, toAt: at, growth: level }] };
  addGrowth(counter, level, sinceAt, at, day);
  counter.assumed = { level, at, booked: true, before: UNREAD };
  return undefined;
}

/**
 * Processes a daily counter's first level since the end of the day before. The counter was reset at the midnight in between, unless its
 * level or its last reset says otherwise: then it goes on from the level before, or waits for a second sample.
 */
export function startDay(
  counter: EnergyCounter,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): Revealed | undefined | 'goesOn' {
  const { base, baseAt, resetAt } = counter;
  const { startAt } = day;
  const isMidnight = at === startAt;
  // Its own midnight is another one, and has not come yet.
  if (resetAt > 0 && at < resetAt + DAY_MS && level >= base - stepOf(base, level)) return 'goesOn';
  const { limitW, resetLimitW } = limits;
  const elapsed = at - startAt;
  const inSun = growthLimit(limits, day, startAt, at);
  // A fall shows that it was reset. Otherwise its level must be what can have flowed since midnight.
  const atMost =
    level < base ? inSun : Math.min(inSun, flowMwh(limitW, elapsed) + stepOf(base, level));
  if (!isMidnight && level <= atMost) {
    if (isStale(counter, level, at, day)) {
      counter.assumed = { level, at, booked: false, before: { level: base, at: baseAt } };
      return settleCounter(counter, level, at);
    }
    return startAnew(counter, level, at, day);
  }
  const sinceAt = dayBefore(day);
  if (
    baseAt <= sinceAt &&
    day.sinceAt <= sinceAt &&
    level <= growthLimit(limits, day, sinceAt, at)
  ) {
    // Today cannot have yielded this: it is what the day before has yielded.
    settleCounter(counter, level, at);
    return level === 0
      ? undefined
      : { crossings: [{ fromAt: sinceAt, toAt: startAt, growth: level }] };
  }
  if (!isMidnight || level >= base - stepOf(base, level)) return 'goesOn';
  if (
    level > 0 &&
    isAboutZero(level, base) &&
    level <= flowMwh(resetLimitW, at - baseAt) + stepOf(base, level)
  ) {
    counter.resetAt = at;
    settleCounter(counter, level, at);
    return { crossings: [{ fromAt: baseAt, toAt: at, growth: level }] };
  }
  counter.pending = { level, at };
  return undefined;
}

const isStale = (
  { base, baseAt }: EnergyCounter,
  level: number,
  at: number,
  { startAt }: CounterDay,
): boolean =>
  level === base && level > 0 && at - baseAt < STALE_AT_MOST_MS && at - startAt < MORNING_MS;

function startAnew(counter: EnergyCounter, level: number, at: number, day: CounterDay): undefined {
  const { base, baseAt } = counter;
  counter.resetAt = nextReset(counter, at);
  addGrowth(counter, level, day.startAt, at, day);
  // A fall from a level of the day before shows that it was reset in between.
  const isCertain = level < base && counter.resetAt === 0 && baseAt > dayBefore(day);
  if (level > 0 && !isCertain)
    counter.assumed = { level, at, booked: true, before: { level: base, at: baseAt } };
  return settleCounter(counter, level, at);
}

/** When a counter that is not reset at midnight was reset between two readings; 0 if its own midnight was not among them, so that it has another one now. */
function nextReset({ resetAt, baseAt }: EnergyCounter, at: number): number {
  if (resetAt === 0) return 0;
  const next = resetAt + Math.ceil((baseAt - resetAt + 1) / DAY_MS) * DAY_MS;
  return next <= at ? next : 0;
}

/**
 * Takes back what the day owed to its first reading, since a reset shows that this level was still that of the counter's day before.
 * Returns what it had grown since the last reading of the day before.
 */
export function disownFirst(counter: EnergyCounter, resetAt: number, day: CounterDay): Crossing[] {
  const { assumed } = counter;
  counter.assumed = undefined;
  if (!assumed) return [];
  const { level, at, booked, before } = assumed;
  const { startAt, steps } = day;
  if (before.level < 0 && resetAt - startAt > FIRST_DOUBTED_MS) return [];
  if (booked) {
    counter.energy = Math.max(0, counter.energy - level);
    if (steps)
      counter.amount = Math.max(0, counter.amount - energyValue(level, steps, startAt, at));
  }
  if (before.level < 0 || level <= before.level) return [];
  if (before.at >= startAt) {
    addGrowth(counter, level - before.level, before.at, at, day);
    return [];
  }
  // After more than a day, it is not known how often it was reset.
  if (before.at <= dayBefore(day)) return [];
  const toAt = at - before.at <= GAP_MS ? at : startAt;
  return [{ fromAt: before.at, toAt, growth: level - before.level, isLeaving: true }];
}
