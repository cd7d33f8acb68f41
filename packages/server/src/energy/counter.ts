import { meanPrice, type PriceSteps } from './price-steps.ts';

/** Energies are whole milliwatt-hours internally, so sums are exact in any order. 1 kWh = 1e6 mWh. */
export const MWH_PER_KWH = 1_000_000;

/** The longest gap across which power is integrated, and growth is split at midnight in proportion to time. */
export const GAP_MS = 3_600_000;

/** The state of one energy counter of a device, and its growth on one local day. */
export interface Counter {
  /** The level from which growth is measured, the highest so far, mWh, and when it was last read; -1 before the first. */
  base: number;
  baseAt: number;
  /** A level that cannot follow from `base` and is not yet confirmed by a second sample; -1 for none. */
  pending: number;
  pendingAt: number;
  /** The level that the counter last left other than by growth, and when it was last read; -1 for none. */
  former: number;
  formerAt: number;
  /** When a second sample confirmed that the counter had left it. */
  leftAt: number;
  /** Earlier days have since booked growth that would be taken back if the counter returned. */
  booked: boolean;
  /** Growth on this day, mWh. */
  energy: number;
  /** The worth of that growth, millionths of the currency; kept only on days with more than one price. */
  amount: number;
  /** The values of `energy`, `amount` and `broken` before the counter left `former`. */
  keptEnergy: number;
  keptAmount: number;
  keptBroken: boolean;
  /** The level of the device's first reading minus the day's yield before it, on the day of that reading; -1 on all others. */
  opening: number;
  /** The day's yield before that reading according to other sources; it is part of `energy`. */
  openingEnergy: number;
  /** The day's integral of power up to the newest accepted reading of this counter, W x ms, and the worth of that energy. */
  baseWms: number;
  baseAmountWms: number;
  /** The counter was read on this day. */
  seen: boolean;
  /** It has been read again since the device's first reading. */
  reread: boolean;
  /** On this day the level changed in a way from which no energy can be derived. */
  broken: boolean;
  /** Growth is known from the beginning of the day (at most GAP_MS is missing). */
  complete: boolean;
  /** Part of the energy is this day's share of a longer gap, or comes from power. */
  spread: boolean;
}

/** The limits by which a counter's levels are judged. */
export interface CounterLimits {
  /** Power above which growth is rejected, W. */
  readonly limitW: number;
  /** Power above which the level after a fall cannot be growth since a reset, W. */
  readonly resetLimitW: number;
  /** The counter resets each day, at midnight by the device's clock. */
  readonly daily: boolean;
}

/** The local day on which a counter is read. */
export interface CounterDay {
  /** Its beginning, epoch ms. */
  readonly startAt: number;
  /** The device has been in this plant only since then; what it counted earlier on this day does not belong to this plant. */
  readonly sinceAt: number;
  /** The day's prices, if they vary. */
  readonly steps: PriceSteps | undefined;
}

/** Growth that began before the day and must be divided among days. */
export interface Crossing {
  readonly fromAt: number;
  /** mWh */
  readonly growth: number;
  /** Growth since this time is taken back; undefined = none. */
  readonly takenBackFrom: number | undefined;
}

const DAY_MS = 86_400_000;
// Counters that update every quarter of an hour, or that count whole kWh, grow in steps.
const REFRESH_MS = 900_000;
const STEP_MWH = 1 * MWH_PER_KWH;
const FINE_STEP_MWH = 0.1 * MWH_PER_KWH;
/** For how long a counter can return to a level that it left. */
const FORMER_HOLDS_MS = 31 * DAY_MS;

// Where counters roll over: 16 and 32 bits at the usual scales, and displays of 3 to 9 digits (1,000 to 1,000,000,000 kWh).
const MODULI = [
  ...[2 ** 16, 2 ** 32].flatMap((range) => [0.001, 0.01, 0.1, 1].map((scale) => Math.round(range * scale * MWH_PER_KWH))),
  ...[3, 4, 5, 6, 7, 8, 9].map((digits) => 10 ** digits * MWH_PER_KWH),
].toSorted((a, b) => a - b);

export const newCounter = (): Counter => ({
  base: -1,
  baseAt: 0,
  pending: -1,
  pendingAt: 0,
  former: -1,
  formerAt: 0,
  leftAt: 0,
  booked: false,
  ...FRESH_DAY,
  complete: false,
});

const FRESH_DAY = {
  energy: 0,
  amount: 0,
  keptEnergy: 0,
  keptAmount: 0,
  keptBroken: false,
  opening: -1,
  openingEnergy: 0,
  baseWms: 0,
  baseAmountWms: 0,
  seen: false,
  reread: false,
  broken: false,
  complete: true,
  spread: false,
};

/** A total counter at the beginning of the next day with samples, the first of which is at `at`. */
export function nextDayTotal(counter: Counter, at: number): Counter {
  if (counter.former < 0 || at - counter.formerAt > FORMER_HOLDS_MS) return nextDayToday(counter);
  const booked = counter.booked || counter.energy !== counter.keptEnergy || counter.broken !== counter.keptBroken;
  return { ...counter, ...FRESH_DAY, booked };
}

/** Discards all levels except the one from which growth is measured. */
export function forget(counter: Counter): void {
  counter.pending = -1;
  counter.pendingAt = 0;
  counter.former = -1;
  counter.formerAt = 0;
  counter.leftAt = 0;
  counter.booked = false;
}

/** A daily counter at the beginning of the next day; it never returns to a level of another day. */
export const nextDayToday = (counter: Counter): Counter => ({ ...counter, ...FRESH_DAY, former: -1, formerAt: 0, leftAt: 0, booked: false });

/** Maximum energy at `powerW` over a time, plus one step, mWh. W x ms / 3600 = mWh. */
const limitMwh = (powerW: number, elapsedMs: number): number => (powerW * Math.max(elapsedMs, REFRESH_MS)) / 3600 + STEP_MWH;

/** Worth of energy that flowed evenly from one instant to another, at the prices of that time. */
export const worth = (energy: number, steps: PriceSteps, fromAt: number, toAt: number): number => (energy === 0 ? 0 : energy * meanPrice(steps, fromAt, toAt));

/** Processes a level that is newer than all before. Growth that began before the day is returned for the caller to divide. */
export function observeCounter(counter: Counter, level: number, at: number, day: CounterDay, limits: CounterLimits): Crossing | undefined {
  counter.seen = true;
  if (counter.base < 0) return begin(counter, level, at, day, limits);
  const { base, baseAt } = counter;
  const { startAt } = day;
  if (limits.daily && baseAt < startAt && at - baseAt > GAP_MS) {
    if (level === base) return settle(counter, level, at);
    // It was reset at a midnight in between, so the level itself is today's growth.
    if (at - baseAt >= DAY_MS && level <= limitMwh(limits.limitW, at - startAt)) {
      add(counter, level, startAt, at, day);
      return settle(counter, level, at);
    }
  }
  const jitters = isJitter(counter, level, day, limits);
  if (counter.former >= 0 && !jitters && isBack(counter, level, at, limits)) return comeBack(counter, level, at, day);
  const growth = level - base;
  if (growth >= 0 && growth <= limitMwh(limits.limitW, at - baseAt)) return grow(counter, growth, level, at, day, limits);
  if (jitters) return settle(counter, base, at);
  const { pending, pendingAt } = counter;
  if (pending >= 0 && level >= pending && level - pending <= limitMwh(limits.limitW, at - pendingAt)) return leave(counter, level, at, day, limits);
  // A single sample changes nothing: it may be a glitch.
  counter.pending = level;
  counter.pendingAt = at;
  return undefined;
}

function begin(counter: Counter, level: number, at: number, day: CounterDay, limits: CounterLimits): undefined {
  if (limits.daily) {
    if (day.sinceAt <= day.startAt && level <= limitMwh(limits.limitW, at - day.startAt)) add(counter, level, day.startAt, at, day);
    counter.complete = true;
  } else {
    counter.opening = level;
    counter.complete = at - day.startAt <= GAP_MS;
  }
  settle(counter, level, at);
  counter.reread = false;
}

const stepOf = (a: number, b: number): number => (a % STEP_MWH === 0 && b % STEP_MWH === 0 ? STEP_MWH : FINE_STEP_MWH);
/** How far a level may be below the highest one and still count as jitter. */
const jitterOf = (base: number, level: number, daily: boolean): number => (daily ? stepOf(base, level) : STEP_MWH);

function isJitter({ base, baseAt }: Counter, level: number, { startAt }: CounterDay, { daily }: CounterLimits): boolean {
  if (level === 0 || level > base || (daily && baseAt < startAt)) return false;
  return base - level <= jitterOf(base, level, daily);
}

/** Whether a level continues from the one that the counter had left rather than from the current one. */
function isBack({ base, baseAt, former, formerAt }: Counter, level: number, at: number, { limitW, daily }: CounterLimits): boolean {
  // A device that cannot read its counter reports 0.
  if (level === 0) return false;
  const above = level - former;
  if (above < -jitterOf(former, level, daily) || above > limitMwh(limitW, at - formerAt)) return false;
  if (base === 0) return true;
  return level < base || level - base > limitMwh(limitW, at - baseAt);
}

/** Discards what was booked since the counter left its old level. */
function comeBack(counter: Counter, level: number, at: number, day: CounterDay): Crossing | undefined {
  const { former, formerAt, leftAt, booked } = counter;
  counter.energy = counter.keptEnergy;
  counter.amount = counter.keptAmount;
  counter.broken = counter.keptBroken;
  forget(counter);
  // A single step is not growth since then: it may already have been due when the counter left.
  const growth = level - former > stepOf(former, level) ? level - former : 0;
  settle(counter, Math.max(level, former), at);
  const takenBackFrom = booked ? leftAt : undefined;
  if (formerAt < day.startAt && (growth > 0 || booked)) return { fromAt: formerAt, growth, takenBackFrom };
  add(counter, growth, Math.max(formerAt, day.startAt), at, day);
  return undefined;
}

/** Accepts the level to which the previous sample jumped or fell, now that a second sample confirms it. */
function leave(counter: Counter, level: number, at: number, day: CounterDay, limits: CounterLimits): undefined {
  const { base, baseAt, pending, pendingAt, former } = counter;
  if (counter.opening >= 0 && counter.energy === counter.openingEnergy && !isReset(counter, level, at, limits)) {
    // The very first reading was the error.
    counter.opening = Math.max(0, pending - counter.openingEnergy);
    add(counter, level - pending, pendingAt, at, day);
    return settle(counter, level, at);
  }
  // If the current level is 0 (unreadable), the counter may still return to the level before that.
  if (former < 0 || base !== 0) {
    counter.former = base;
    counter.formerAt = baseAt;
    counter.leftAt = at;
    counter.booked = false;
    counter.keptEnergy = counter.energy;
    counter.keptAmount = counter.amount;
    counter.keptBroken = counter.broken;
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
  // As if from another device: only growth from the new level on is known.
  counter.broken = true;
  add(counter, level - pending, pendingAt, at, day);
  return settle(counter, level, at);
}

const isReset = ({ base, baseAt }: Counter, level: number, at: number, { resetLimitW }: CounterLimits): boolean =>
  level < base && level <= limitMwh(resetLimitW, at - baseAt);

function grow(counter: Counter, growth: number, level: number, at: number, day: CounterDay, { daily }: CounterLimits): Crossing | undefined {
  const { baseAt } = counter;
  settle(counter, level, at);
  if (growth === 0) return undefined;
  // A daily counter that was not read at midnight says nothing about the day before.
  if (baseAt < day.startAt && !(daily && at - baseAt > GAP_MS)) return { fromAt: baseAt, growth, takenBackFrom: undefined };
  add(counter, growth, baseAt, at, day);
  return undefined;
}

/** Adds growth to the day, including growth that began before it. */
function add(counter: Counter, mwh: number, fromAt: number, at: number, { startAt, steps }: CounterDay): void {
  counter.energy += mwh;
  if (steps) counter.amount += worth(mwh, steps, Math.max(fromAt, startAt), at);
}

function settle(counter: Counter, level: number, at: number): undefined {
  counter.base = level;
  counter.baseAt = at;
  counter.pending = -1;
  counter.pendingAt = 0;
  counter.reread = true;
}
