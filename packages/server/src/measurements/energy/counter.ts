import { meanPrice, type PriceSteps } from './price-steps.ts';

/** Energies are whole milliwatt-hours internally, so sums are exact in any order. 1 kWh = 1e6 mWh. */
export const MWH_PER_KWH = 1_000_000;

/** The longest gap across which power is integrated, and growth is split at midnight in proportion to time. */
export const GAP_MS = 3_600_000;

/** A reading of a counter, and its time. */
export interface Level {
  /** mWh */
  readonly level: number;
  readonly at: number;
}

/** The level that a counter last left by jumping or falling, and when that level was last read. */
export interface LeftLevel extends Level {
  /** When a second sample confirmed that the counter had left it. */
  readonly leftAt: number;
  /** Whether earlier days have since counted growth that will be subtracted again if the counter returns. */
  readonly booked: boolean;
}

/** What a day had counted before its counter left a level. */
export interface Kept {
  readonly energy: number;
  readonly amount: number;
  readonly broken: boolean;
}

/** What a device's total counter showed at its very first reading. */
export interface Opening {
  /** The level of that reading minus the day's yield before it, mWh. */
  readonly level: number;
  /** The day's yield before that reading according to other sources; it is part of the day's energy. */
  readonly energy: number;
}

/** The state of one energy counter of a device, and its growth on one local day. Rarely used parts are objects of their own. */
export interface Counter {
  /** The level from which growth is measured (the highest so far, mWh; -1 before the first), and when it was last read. */
  base: number;
  baseAt: number;
  /** A level that cannot follow from `base` and is not yet confirmed by a second sample. */
  pending: Level | undefined;
  left: LeftLevel | undefined;
  /** Growth on this day, mWh. */
  energy: number;
  /** The value of that growth, millionths of the currency; kept only on days with more than one price. */
  amount: number;
  /** What the day had counted before the counter left its old level; undefined = nothing. */
  kept: Kept | undefined;
  /** Set on the day of the device's first reading. */
  opening: Opening | undefined;
  /** The day's integral of power up to the newest accepted reading of this counter, W x ms, and the value of that energy. */
  baseWms: number;
  baseAmountWms: number;
  /** Whether the counter was read on this day. */
  seen: boolean;
  /** Whether the counter has been read again since the device's first reading. */
  reread: boolean;
  /** Whether the level changed on this day in a way that says nothing about energy. */
  broken: boolean;
  /** Whether growth is known from the beginning of the day (at most GAP_MS is missing). */
  complete: boolean;
  /** Whether part of the energy is this day's share of a longer gap, or comes from power. */
  spread: boolean;
}

/** The limits by which a counter's levels are judged. */
export interface CounterLimits {
  /** Power above which growth is rejected, W. */
  readonly limitW: number;
  /** Power above which the level after a fall cannot be growth since a reset, W. */
  readonly resetLimitW: number;
  /** Whether the counter resets each day, at midnight by the device's clock. */
  readonly daily: boolean;
}

/** The local day on which a counter is read. */
export interface CounterDay {
  /** Beginning of the day, epoch ms. */
  readonly startAt: number;
  /** The time since which the device has been in this plant. What it counted earlier on this day does not belong to the plant. */
  readonly sinceAt: number;
  /** The day's prices, if they vary. */
  readonly steps: PriceSteps | undefined;
}

/** Growth that began before the day and must be divided among days. */
export interface Crossing {
  readonly fromAt: number;
  /** mWh */
  readonly growth: number;
  /** Growth since this time is subtracted again; undefined = none. */
  readonly takenBackFrom: number | undefined;
}

/** How long after leaving a level a counter can still return to it. */
const LEFT_HOLDS_MS = 31 * 86_400_000;

export const newCounter = (): Counter => startOf(-1, 0, undefined, undefined, false);

/** A total counter at the beginning of the next day with samples. `at`: the time of that day's first sample. */
export function nextDayTotal(counter: Counter, at: number): Counter {
  const { base, baseAt, pending, left } = counter;
  if (!left || at - left.at > LEFT_HOLDS_MS) return nextDayToday(counter);
  const { energy, broken } = keptOf(counter);
  const booked = left.booked || counter.energy !== energy || counter.broken !== broken;
  return startOf(base, baseAt, pending, { ...left, booked }, true);
}

/** A daily counter at the beginning of the next day; it never returns to a level of another day. */
export const nextDayToday = ({ base, baseAt, pending }: Counter): Counter =>
  startOf(base, baseAt, pending, undefined, true);

/** A counter at the beginning of a day. The fields are written out instead of copied with `...`, for speed: each report creates one per counter. */
function startOf(
  base: number,
  baseAt: number,
  pending: Level | undefined,
  left: LeftLevel | undefined,
  complete: boolean,
): Counter {
  return {
    base,
    baseAt,
    pending,
    left,
    energy: 0,
    amount: 0,
    kept: undefined,
    opening: undefined,
    baseWms: 0,
    baseAmountWms: 0,
    seen: false,
    reread: false,
    broken: false,
    complete,
    spread: false,
  };
}

const NOTHING: Kept = { energy: 0, amount: 0, broken: false };
export const keptOf = ({ kept }: Counter): Kept => kept ?? NOTHING;

/** Discards all levels except the one from which growth is measured. */
export function forget(counter: Counter): void {
  counter.pending = undefined;
  counter.left = undefined;
}

/** The value of energy that flowed evenly from one instant to another, at the prices of that time. */
export const energyValue = (
  energy: number,
  steps: PriceSteps,
  fromAt: number,
  toAt: number,
): number => (energy === 0 ? 0 : energy * meanPrice(steps, fromAt, toAt));
