import {
  addGrowth,
  flowMwh,
  forget,
  GAP_MS,
  jitterOf,
  keptOf,
  limitMwh,
  MWH_PER_KWH,
  settle,
  stepOf,
  type Counter,
  type CounterDay,
  type CounterLimits,
  type Crossing,
  type LeftLevel,
  type Level,
  type Revealed,
} from './counter.ts';
import { disownFirst, isAboutZero } from './daily-counter.ts';

// Levels at which counters roll over: 16 and 32 bits at the usual scales, and displays of 3 to 9 digits (1,000 to 1,000,000,000 kWh).
const RANGES = [
  ...[2 ** 16, 2 ** 32].flatMap((range) =>
    [0.001, 0.01, 0.1, 1].map((scale) => Math.round(range * scale * MWH_PER_KWH)),
  ),
  ...[3, 4, 5, 6, 7, 8, 9].map((digits) => 10 ** digits * MWH_PER_KWH),
].toSorted((a, b) => a - b);
/** A counter is believed to have rolled over only from this part of its range on. */
const LAST_PART = 0.9;

/** Whether a level continues from the one that the counter had left rather than from the current one. */
export function isBack(
  { base, baseAt }: Counter,
  left: LeftLevel,
  level: number,
  at: number,
  { limitW, daily }: CounterLimits,
): boolean {
  if (level === 0) return false;
  const above = level - left.level;
  if (above < -jitterOf(left.level, level, daily) || above > limitMwh(limitW, at - left.at))
    return false;
  // A daily counter that shows 0 for a while could not be read. After a longer gap, it may have grown as far again.
  if (base === 0 && at - baseAt <= GAP_MS) return true;
  return level < base || level - base > limitMwh(limitW, at - baseAt);
}

/** Discards what was counted since the counter left its old level. */
export function comeBack(
  counter: Counter,
  left: LeftLevel,
  level: number,
  at: number,
  day: CounterDay,
): Revealed | undefined {
  const { booked, given } = left;
  Object.assign(counter, keptOf(counter));
  forget(counter);
  counter.resetAt = 0;
  const growth = Math.max(0, level - left.level);
  settle(counter, Math.max(level, left.level), at);
  const crosses = left.at < day.startAt;
  if (!crosses) addGrowth(counter, growth, left.at, at, day);
  if (!booked && given.length === 0 && !(crosses && growth > 0)) return undefined;
  return {
    takenBack: { left },
    crossings: crosses ? [{ fromAt: left.at, toAt: at, growth }] : [],
  };
}

/** Accepts the level to which the previous sample jumped or fell, now that a second sample confirms it. */
export function leave(
  counter: Counter,
  pending: Level,
  level: number,
  at: number,
  day: CounterDay,
  limits: CounterLimits,
): Revealed | undefined {
  const { base, baseAt, left, opening, energy, amount, broken, assumed } = counter;
  const across = growthAcross(counter, pending, day, limits);
  if (opening && energy === opening.energy && typeof across !== 'number') {
    // The very first reading was wrong.
    counter.opening = {
      level: Math.max(0, pending.level - opening.energy),
      energy: opening.energy,
    };
    addGrowth(counter, level - pending.level, pending.at, at, day);
    return settle(counter, level, at);
  }
  // If the current level is 0 (unreadable), the counter may still return to the level before that.
  if (!left || base !== 0) {
    counter.left = { level: base, at: baseAt, leftAt: at, booked: false, given: [] };
    counter.kept = { energy, amount, broken, assumed };
  }
  const crossings: Crossing[] = [];
  const book = (mwh: number, fromAt: number, toAt: number): void => {
    if (fromAt >= day.startAt) addGrowth(counter, mwh, fromAt, toAt, day);
    else if (mwh > 0) crossings.push({ fromAt, toAt, growth: mwh, isLeaving: true });
  };
  if (across === 'corrected') {
    correct(counter, pending, day, limits);
  } else if (across === 'another') {
    // The counter is treated like that of another device: only growth from the new level on is known.
    counter.broken = true;
    if (assumed?.booked === false) counter.assumed = undefined;
  } else {
    if (limits.daily) {
      crossings.push(...disownFirst(counter, pending.at, day));
      counter.resetAt = pending.at;
    }
    book(across, baseAt, pending.at);
  }
  book(level - pending.level, pending.at, at);
  settle(counter, level, at);
  return crossings.length > 0 ? { crossings } : undefined;
}

/**
 * What a counter has grown from its last level to another one to which it jumped or fell, mWh: across the end of its range or a reset, within the bounds of
 * the time in between. Or else the day's growth was corrected, or it is another counter.
 */
function growthAcross(
  { base, baseAt, energy, assumed }: Counter,
  { level, at }: Level,
  { startAt }: CounterDay,
  { limitW, resetLimitW, daily }: CounterLimits,
): number | 'corrected' | 'another' {
  const fall = base - level;
  // A daily counter that was reset at midnight would show what has flowed since then.
  if (fall <= 0 || (daily && baseAt <= startAt)) return 'another';
  const atMost = flowMwh(resetLimitW, at - baseAt) + stepOf(base, level);
  const range = daily ? undefined : RANGES.find((end) => end > base);
  if (range !== undefined && base >= range * LAST_PART && range - fall <= atMost)
    return range - fall;
  const fallsFar = isAboutZero(level, base);
  // It may have grown again while it was not read.
  const grewAgain = fall > energy && (at - baseAt > GAP_MS || assumed?.booked === false);
  if ((fallsFar || grewAgain) && level <= atMost) return level;
  if (fall <= energy) return 'corrected';
  return daily && (!fallsFar || level <= limitMwh(limitW, at - startAt)) ? 'corrected' : 'another';
}

/** Lowers what the day has counted, after a fall to a level. */
function correct(
  counter: Counter,
  { level, at }: Level,
  day: CounterDay,
  { limitW }: CounterLimits,
): void {
  const { base, energy, amount, assumed } = counter;
  const fall = base - level;
  if (fall <= energy) {
    counter.energy = energy - fall;
    if (energy > 0) counter.amount = (amount * counter.energy) / energy;
    // What its first reading counted may be too much as well.
    if (assumed?.booked)
      counter.assumed = { ...assumed, level: Math.min(assumed.level, counter.energy) };
    return;
  }
  // It had not been reset before: now it shows what the day has yielded, if that can be.
  Object.assign(counter, { energy: 0, amount: 0, assumed: undefined });
  if (level <= limitMwh(limitW, at - day.startAt)) addGrowth(counter, level, day.startAt, at, day);
}
