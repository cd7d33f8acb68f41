import {
  addGrowth,
  GAP_MS,
  jitterOf,
  limitMwh,
  settleCounter,
  type EnergyCounter,
  type CounterDay,
  type CounterLimits,
  type Revealed,
} from './counter.ts';
import { beginDaily, startDay } from './daily-counter.ts';
import { growthLimit } from './growth-limit.ts';
import { comeBack, isBack, leave } from './left-levels.ts';

/** Processes a level that is newer than all before it. Returns what it reveals about days before this one. */
export function observeCounter(
  counter: EnergyCounter,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): Revealed | undefined {
  // A device that cannot read its counter reports 0.
  if (level === 0 && !limits.daily && counter.base > 0) return undefined;
  counter.seen = true;
  if (counter.base < 0) return begin(counter, level, at, day, limits);
  if (limits.daily && counter.baseAt <= day.startAt) {
    const started = startDay(counter, level, at, day, limits);
    if (started !== 'goesOn') return started;
  }
  const { base, baseAt, left, pending } = counter;
  const jitters = isJitter(counter, level, limits);
  if (left && !jitters && isBack(counter, left, level, at, limits))
    return comeBack(counter, left, level, at, day);
  const growth = level - base;
  if (growth >= 0 && growth <= growthLimit(limits, day, baseAt, at))
    return grow(counter, growth, level, at, day);
  if (jitters) return settleCounter(counter, base, at);
  if (
    pending &&
    level >= pending.level &&
    level - pending.level <= limitMwh(limits.limitW, at - pending.at)
  )
    return leave(counter, pending, level, at, day, limits);
  // A single sample changes nothing: it may be a glitch.
  counter.pending = { level, at };
  return undefined;
}

function begin(
  counter: EnergyCounter,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): Revealed | undefined {
  let revealed: Revealed | undefined;
  if (limits.daily) {
    revealed = beginDaily(counter, level, at, day, limits);
    counter.complete = true;
  } else {
    counter.opening = { level, energy: 0 };
    counter.complete = at - day.startAt <= GAP_MS;
  }
  settleCounter(counter, level, at);
  counter.reread = false;
  return revealed;
}

function isJitter({ base }: EnergyCounter, level: number, { daily }: CounterLimits): boolean {
  if (level === 0 || level > base) return false;
  return base - level <= jitterOf(base, level, daily);
}

function grow(
  counter: EnergyCounter,
  growth: number,
  level: number,
  at: number,
  day: CounterDay,
): Revealed | undefined {
  const { baseAt, left, assumed } = counter;
  settleCounter(counter, level, at);
  if (growth === 0) return undefined;
  if (baseAt < day.startAt) {
    if (left) counter.left = { ...left, booked: true };
    return { crossings: [{ fromAt: baseAt, toAt: at, growth }] };
  }
  if (assumed && !assumed.booked) {
    // It goes on without a reset: its first level was the day's own.
    addGrowth(counter, assumed.level, day.startAt, assumed.at, day);
    counter.assumed = { ...assumed, booked: true };
  }
  addGrowth(counter, growth, baseAt, at, day);
  return undefined;
}
