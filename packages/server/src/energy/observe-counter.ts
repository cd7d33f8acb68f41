import { DAY_MS } from '@helioport/contract/durations';
import {
  forget,
  GAP_MS,
  keptOf,
  MWH_PER_KWH,
  energyValue,
  type Counter,
  type CounterDay,
  type CounterLimits,
  type Crossing,
  type LeftLevel,
  type Level,
} from './counter.ts';

// Counters that update every quarter of an hour, or that count whole kWh, grow in steps.
const REFRESH_MS = 900_000;
const STEP_MWH = 1 * MWH_PER_KWH;
const FINE_STEP_MWH = 0.1 * MWH_PER_KWH;

// Levels at which counters roll over: 16 and 32 bits at the usual scales, and displays of 3 to 9 digits (1,000 to 1,000,000,000 kWh).
const MODULI = [
  ...[2 ** 16, 2 ** 32].flatMap((range) =>
    [0.001, 0.01, 0.1, 1].map((scale) => Math.round(range * scale * MWH_PER_KWH)),
  ),
  ...[3, 4, 5, 6, 7, 8, 9].map((digits) => 10 ** digits * MWH_PER_KWH),
].toSorted((a, b) => a - b);

/** Maximum energy that flows at `powerW` in a time, plus one step, mWh. W x ms / 3600 = mWh. */
export const limitMwh = (powerW: number, elapsedMs: number): number =>
  (powerW * Math.max(elapsedMs, REFRESH_MS)) / 3600 + STEP_MWH;

/** Processes a level that is newer than all before it. Returns growth that began before the day, which the caller must divide among days. */
export function observeCounter(
  counter: Counter,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): Crossing | undefined {
  counter.seen = true;
  if (counter.base < 0) return begin(counter, level, at, day, limits);
  const { base, baseAt } = counter;
  const { startAt } = day;
  if (limits.daily && baseAt < startAt && at - baseAt > GAP_MS) {
    if (level === base) return settle(counter, level, at);
    // The counter was reset at a midnight in between, so the level itself is today's growth.
    if (at - baseAt >= DAY_MS && level <= limitMwh(limits.limitW, at - startAt)) {
      add(counter, level, startAt, at, day);
      return settle(counter, level, at);
    }
  }
  const jitters = isJitter(counter, level, day, limits);
  const { left, pending } = counter;
  if (left && !jitters && isBack(counter, left, level, at, limits))
    return comeBack(counter, left, level, at, day);
  const growth = level - base;
  if (growth >= 0 && growth <= limitMwh(limits.limitW, at - baseAt))
    return grow(counter, growth, level, at, day, limits);
  if (jitters) return settle(counter, base, at);
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
  counter: Counter,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): undefined {
  if (limits.daily) {
    if (day.sinceAt <= day.startAt && level <= limitMwh(limits.limitW, at - day.startAt))
      add(counter, level, day.startAt, at, day);
    counter.complete = true;
  } else {
    counter.opening = { level, energy: 0 };
    counter.complete = at - day.startAt <= GAP_MS;
  }
  settle(counter, level, at);
  counter.reread = false;
}

const stepOf = (a: number, b: number): number =>
  a % STEP_MWH === 0 && b % STEP_MWH === 0 ? STEP_MWH : FINE_STEP_MWH;
/** How far a level may be below the highest one and still count as jitter. */
const jitterOf = (base: number, level: number, daily: boolean): number =>
  daily ? stepOf(base, level) : STEP_MWH;

function isJitter(
  { base, baseAt }: Counter,
  level: number,
  { startAt }: CounterDay,
  { daily }: CounterLimits,
): boolean {
  if (level === 0 || level > base || (daily && baseAt < startAt)) return false;
  return base - level <= jitterOf(base, level, daily);
}

/** Whether a level continues from the one that the counter had left rather than from the current one. */
function isBack(
  { base, baseAt }: Counter,
  left: LeftLevel,
  level: number,
  at: number,
  { limitW, daily }: CounterLimits,
): boolean {
  // A device that cannot read its counter reports 0.
  if (level === 0) return false;
  const above = level - left.level;
  if (above < -jitterOf(left.level, level, daily) || above > limitMwh(limitW, at - left.at))
    return false;
  if (base === 0) return true;
  return level < base || level - base > limitMwh(limitW, at - baseAt);
}

/** Discards what was counted since the counter left its old level. */
function comeBack(
  counter: Counter,
  left: LeftLevel,
  level: number,
  at: number,
  day: CounterDay,
): Crossing | undefined {
  const { leftAt, booked } = left;
  Object.assign(counter, keptOf(counter));
  forget(counter);
  // A single step does not count as growth, because it may already have been due when the counter left.
  const growth = level - left.level > stepOf(left.level, level) ? level - left.level : 0;
  settle(counter, Math.max(level, left.level), at);
  const takenBackFrom = booked ? leftAt : undefined;
  if (left.at < day.startAt && (growth > 0 || booked))
    return { fromAt: left.at, growth, takenBackFrom };
  add(counter, growth, Math.max(left.at, day.startAt), at, day);
  return undefined;
}

/** Accepts the level to which the previous sample jumped or fell, now that a second sample confirms it. */
function leave(
  counter: Counter,
  pending: Level,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): undefined {
  const { base, baseAt, left, opening, energy, amount, broken } = counter;
  if (opening && energy === opening.energy && !isReset(counter, level, at, limits)) {
    // The very first reading was wrong.
    counter.opening = {
      level: Math.max(0, pending.level - opening.energy),
      energy: opening.energy,
    };
    add(counter, level - pending.level, pending.at, at, day);
    return settle(counter, level, at);
  }
  // If the current level is 0 (unreadable), the counter may still return to the level before that.
  if (!left || base !== 0) {
    counter.left = { level: base, at: baseAt, leftAt: at, booked: false };
    counter.kept = { energy, amount, broken };
  }
  if (level < base) {
    const modulus = limits.daily ? undefined : MODULI.find((range) => range > base);
    const rolled = modulus === undefined ? Infinity : modulus - base + level;
    if (rolled <= limitMwh(limits.resetLimitW, at - baseAt)) {
      add(counter, rolled, baseAt, at, day);
      return settle(counter, level, at);
    }
    if (level <= limitMwh(limits.resetLimitW, at - baseAt)) {
      add(counter, level, baseAt, at, day);
      return settle(counter, level, at);
    }
  }
  // The counter is treated like that of another device: only growth from the new level on is known.
  counter.broken = true;
  add(counter, level - pending.level, pending.at, at, day);
  return settle(counter, level, at);
}

const isReset = (
  { base, baseAt }: Counter,
  level: number,
  at: number,
  { resetLimitW }: CounterLimits,
): boolean => level < base && level <= limitMwh(resetLimitW, at - baseAt);

function grow(
  counter: Counter,
  growth: number,
  level: number,
  at: number,
  day: CounterDay,
  { daily }: CounterLimits,
): Crossing | undefined {
  const { baseAt, left } = counter;
  settle(counter, level, at);
  if (growth === 0) return undefined;
  // A daily counter that was not read at midnight says nothing about the day before.
  if (baseAt < day.startAt && !(daily && at - baseAt > GAP_MS)) {
    if (left) counter.left = { ...left, booked: true };
    return { fromAt: baseAt, growth, takenBackFrom: undefined };
  }
  add(counter, growth, baseAt, at, day);
  return undefined;
}

/** Adds growth to the day, including growth that began before it. */
function add(
  counter: Counter,
  mwh: number,
  fromAt: number,
  at: number,
  { startAt, steps }: CounterDay,
): void {
  counter.energy += mwh;
  if (steps) counter.amount += energyValue(mwh, steps, Math.max(fromAt, startAt), at);
}

function settle(counter: Counter, level: number, at: number): undefined {
  counter.base = level;
  counter.baseAt = at;
  counter.pending = undefined;
  counter.reread = true;
}
