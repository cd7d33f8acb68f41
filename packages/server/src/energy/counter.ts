/** Energies are whole milliwatt-hours inside: sums of them are exact in any order. 1 kWh = 1e6 mWh. */
export const MWH_PER_KWH = 1_000_000;

/** Increments and power count across a gap, or are split at midnight, up to this length. */
export const GAP_MS = 3_600_000;

/** What is remembered of one energy counter of a device, and what it grew on one local day. */
export interface Counter {
  /** The level that growth counts from, mWh, and when it was read; -1 before the first. */
  base: number;
  baseAt: number;
  /** A level that cannot follow from `base` and that no second sample has confirmed yet; -1 for none. */
  pending: number;
  pendingAt: number;
  /** Growth on this day, mWh. */
  energy: number;
  /** What that growth was worth, millionths of the currency; kept on days of more than one price alone. */
  amount: number;
  /** The level of the device's first reading, on the day of that reading; -1 on others. */
  opening: number;
  /** Read on this day at all. */
  seen: boolean;
  /** On this day the level changed in a way that tells no energy. */
  broken: boolean;
  /** Growth counts from the day's beginning (at most GAP_MS is missing). */
  complete: boolean;
}

/** How a counter is judged. */
export interface CounterLimits {
  /** Power above which growth is not believed, W. */
  readonly limitW: number;
  /** Power above which the level after a fall is not believed to have grown since a reset, W. */
  readonly resetLimitW: number;
  /** The counter begins anew each day, at the device's idea of midnight. */
  readonly daily: boolean;
}

const DAY_MS = 86_400_000;
// Counters that are refreshed every quarter of an hour or count whole kWh grow in steps.
const REFRESH_MS = 900_000;
const STEP_MWH = 1 * MWH_PER_KWH;

// 16 and 32 bits at the usual scales, and what fits on a display: 1,000 to 1,000,000,000 kWh.
const MODULI = [
  ...[2 ** 16, 2 ** 32].flatMap((range) => [0.001, 0.01, 0.1, 1].map((scale) => Math.round(range * scale * MWH_PER_KWH))),
  ...[3, 4, 5, 6, 7, 8, 9].map((digits) => 10 ** digits * MWH_PER_KWH),
].toSorted((a, b) => a - b);

export const newCounter = (): Counter => ({
  base: -1,
  baseAt: 0,
  pending: -1,
  pendingAt: 0,
  energy: 0,
  amount: 0,
  opening: -1,
  seen: false,
  broken: false,
  complete: false,
});

/** A counter’s state at the start of the next day with samples. */
export const nextDayCounter = (counter: Counter): Counter => ({
  ...counter,
  energy: 0,
  amount: 0,
  opening: -1,
  seen: false,
  broken: false,
  complete: true,
});

/** Energy that `powerW` yields at most in a time, mWh. W x ms / 3600 = mWh. */
const limitMwh = (powerW: number, elapsedMs: number): number => (powerW * Math.max(elapsedMs, REFRESH_MS)) / 3600 + STEP_MWH;

/**
 * Takes in the counter's level at a time after all before it, on the local day that began at `startAt`.
 * @returns what of the growth belongs to the day before, mWh
 */
export function observeCounter(counter: Counter, level: number, at: number, startAt: number, limits: CounterLimits): number {
  const begins = counter.base < 0;
  counter.seen = true;
  if (begins) return begin(counter, level, at, startAt, limits);
  if (limits.daily && counter.baseAt < startAt && at - counter.baseAt > GAP_MS) {
    if (level === counter.base) return settle(counter, level, at);
    // It was reset at some midnight in between, so the level itself is the growth since.
    if (at - counter.baseAt >= DAY_MS && level <= limitMwh(limits.limitW, at - startAt)) {
      counter.energy += level;
      return settle(counter, level, at);
    }
  }
  const growth = level - counter.base;
  if (growth >= 0 && growth <= limitMwh(limits.limitW, at - counter.baseAt)) return grow(counter, growth, counter.baseAt, level, at, startAt);
  const { pending, pendingAt } = counter;
  if (pending >= 0 && level >= pending && level - pending <= limitMwh(limits.limitW, at - pendingAt)) return confirm(counter, level, at, startAt, limits);
  // One sample changes nothing: it may be a glitch.
  counter.pending = level;
  counter.pendingAt = at;
  return 0;
}

function begin(counter: Counter, level: number, at: number, startAt: number, limits: CounterLimits): number {
  if (limits.daily) {
    if (level <= limitMwh(limits.limitW, at - startAt)) counter.energy += level;
    counter.complete = true;
  } else {
    counter.opening = level;
    counter.complete = at - startAt <= GAP_MS;
  }
  return settle(counter, level, at);
}

/** A second sample stands on the level that the one before had jumped or fallen to. */
function confirm(counter: Counter, level: number, at: number, startAt: number, limits: CounterLimits): number {
  const { base, baseAt, pending, pendingAt } = counter;
  if (level < base) {
    const modulus = limits.daily ? undefined : MODULI.find((range) => range > base);
    const rolled = modulus === undefined ? Infinity : modulus - base + level;
    if (rolled <= limitMwh(limits.limitW, at - baseAt)) return grow(counter, rolled, baseAt, level, at, startAt);
    if (level <= limitMwh(limits.resetLimitW, at - baseAt)) {
      counter.energy += level;
      return settle(counter, level, at);
    }
  }
  // Some other device's level, or an error in the one before: only what grew on the new level is known.
  if (counter.opening >= 0 && counter.energy === 0) counter.opening = pending;
  else counter.broken = true;
  return grow(counter, level - pending, pendingAt, level, at, startAt);
}

function grow(counter: Counter, growth: number, fromAt: number, level: number, at: number, startAt: number): number {
  const before = fromAt < startAt && at - fromAt <= GAP_MS ? Math.round((growth * (startAt - fromAt)) / (at - fromAt)) : 0;
  counter.energy += growth - before;
  settle(counter, level, at);
  return before;
}

function settle(counter: Counter, level: number, at: number): 0 {
  counter.base = level;
  counter.baseAt = at;
  counter.pending = -1;
  counter.pendingAt = 0;
  return 0;
}
