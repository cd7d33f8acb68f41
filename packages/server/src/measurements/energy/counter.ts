import type { PlantCalendar } from '../../platform/calendar/plant-calendar.ts';
import type { GapPosition } from './gap-shares.ts';
import { meanPrice, type PriceSteps } from './price-steps.ts';

/** Energies are whole milliwatt-hours internally, so sums are exact in any order. 1 kWh = 1e6 mWh. */
export const MWH_PER_KWH = 1_000_000;

/** The longest gap across which power is integrated, and growth is split at midnight in proportion to time. */
export const GAP_MS = 3_600_000;

/** A reading of a counter, and its time. */
export interface CounterLevel {
  /** mWh */
  readonly level: number;
  readonly at: number;
}

/** The level that a counter last left by jumping or falling, and when that level was last read. */
export interface LeftLevel extends CounterLevel {
  /** When a second sample confirmed that the counter had left it. */
  readonly leftAt: number;
  /** Whether earlier days have since counted growth that will be subtracted again if the counter returns. */
  readonly booked: boolean;
  /** What days before that of `leftAt` were given when the counter left; they lose it again if the counter returns. */
  readonly given: readonly CounterGiven[];
}

/** Growth that was divided among days. */
export interface CounterGiven {
  readonly fromAt: number;
  readonly toAt: number;
  /** mWh */
  readonly growth: number;
  /** The part that was known to belong to the last day; -1 = unknown. */
  readonly lastDayMwh: number;
}

/** The first level of a daily counter on a day, taken for that day's growth since midnight unless a later reset shows that it was older. */
export interface Assumed extends CounterLevel {
  /** False while it may just as well be the level of the day before that is still shown. */
  readonly booked: boolean;
  /** The reading before it; a level of -1 = none. */
  readonly before: CounterLevel;
}

/** What a day had counted before its counter left a level. */
export interface CounterKept {
  readonly energy: number;
  readonly amount: number;
  readonly broken: boolean;
  readonly assumed: Assumed | undefined;
}

/** What a device's total counter showed at its very first reading. */
export interface Opening {
  /** The level of that reading minus the day's yield before it, mWh. */
  readonly level: number;
  /** The day's yield before that reading according to other sources; it is part of the day's energy. */
  readonly energy: number;
}

/** The state of one energy counter of a device, and its growth on one local day. Rarely used parts are objects of their own. */
export interface EnergyCounter {
  /** The level from which growth is measured (the highest so far, mWh; -1 before the first), and when it was last read. */
  base: number;
  baseAt: number;
  /** A level that cannot follow from `base` and is not yet confirmed by a second sample. */
  pending: CounterLevel | undefined;
  left: LeftLevel | undefined;
  /** Growth on this day, mWh. */
  energy: number;
  /** The value of that growth, millionths of the currency; kept only on days with more than one price. */
  amount: number;
  /** What the day had counted before the counter left its old level; undefined = nothing. */
  kept: CounterKept | undefined;
  /** Set on the day of the device's first reading. */
  opening: Opening | undefined;
  /** Of a daily counter: what this day owes to its first reading; undefined = nothing, or it is certain. */
  assumed: Assumed | undefined;
  /** Of a daily counter: the first reading after its last reset, if that was not at the plant's midnight; 0 = it was. */
  resetAt: number;
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
  /** What the sun gives at its height at most, W; undefined for energy that need not come from the sun, or if the size of the plant is unknown. */
  readonly sunW?: number | undefined;
  /** Power above which the level after a fall cannot be growth since a reset, W. */
  readonly resetLimitW: number;
  /** Whether the counter resets each day, at midnight by the device's clock. */
  readonly daily: boolean;
}

/** The local day on which a counter is read. */
export interface CounterDay {
  /** Beginning of the day, epoch ms. */
  readonly startAt: number;
  readonly calendar: PlantCalendar;
  /** The time since which the device has been in this plant. What it counted earlier on this day does not belong to the plant. */
  readonly sinceAt: number;
  /** The day's prices, if they vary. */
  readonly steps: PriceSteps | undefined;
  /** Of the plant; absent if unknown. */
  readonly position?: GapPosition;
}

/** Growth that began before the day and must be divided among days. */
export interface Crossing {
  readonly fromAt: number;
  readonly toAt: number;
  /** mWh */
  readonly growth: number;
  /** Whether the counter has just left its level, so that days lose this growth again if it returns. */
  readonly isLeaving?: boolean;
}

/** What an earlier day has counted in error. */
export interface TakenBack {
  /** The level to which the counter has returned, with what days before `leftAt` were given. */
  readonly left: LeftLevel;
}

/** What a reading reveals about days before its own. */
export interface Revealed {
  readonly crossings: readonly Crossing[];
  readonly takenBack?: TakenBack;
}

/** How long after leaving a level a counter can still return to it. */
const LEFT_HOLDS_MS = 31 * 86_400_000;

export const newCounter = (): EnergyCounter => startOf(-1, 0, undefined, undefined, 0, false);

/** A total counter at the beginning of the next day with samples. `at`: the time of that day's first sample. */
export function nextDayTotal(counter: EnergyCounter, at: number): EnergyCounter {
  const { base, baseAt, pending, left } = counter;
  if (!left || at - left.at > LEFT_HOLDS_MS)
    return startOf(base, baseAt, pending, undefined, 0, true);
  const { energy, broken } = keptOf(counter);
  const booked = left.booked || counter.energy !== energy || counter.broken !== broken;
  return startOf(base, baseAt, pending, { ...left, booked }, 0, true);
}

/** A daily counter at the beginning of the next day; it never returns to a level of another day. */
export const nextDayToday = ({ base, baseAt, pending, resetAt }: EnergyCounter): EnergyCounter =>
  startOf(base, baseAt, pending, undefined, resetAt, true);

/** A counter at the beginning of a day. The fields are written out instead of copied with `...`, for speed: each report creates one per counter. */
function startOf(
  base: number,
  baseAt: number,
  pending: CounterLevel | undefined,
  left: LeftLevel | undefined,
  resetAt: number,
  complete: boolean,
): EnergyCounter {
  return {
    base,
    baseAt,
    pending,
    left,
    energy: 0,
    amount: 0,
    kept: undefined,
    opening: undefined,
    assumed: undefined,
    resetAt,
    baseWms: 0,
    baseAmountWms: 0,
    seen: false,
    reread: false,
    broken: false,
    complete,
    spread: false,
  };
}

const NOTHING: CounterKept = { energy: 0, amount: 0, broken: false, assumed: undefined };
export const keptOf = ({ kept }: EnergyCounter): CounterKept => kept ?? NOTHING;

/** Discards all levels except the one from which growth is measured. */
export function forget(counter: EnergyCounter): void {
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

// Counters that update every quarter of an hour, or that count whole kWh, grow in steps.
const REFRESH_MS = 900_000;
const STEP_MWH = 1 * MWH_PER_KWH;
const FINE_STEP_MWH = 0.1 * MWH_PER_KWH;

/** One step of a counter: 1 kWh if both of its levels are whole kWh, else 0.1 kWh. */
export const stepOf = (a: number, b: number): number =>
  a % STEP_MWH === 0 && b % STEP_MWH === 0 ? STEP_MWH : FINE_STEP_MWH;

/** How far a level may be below the highest one and still count as jitter. */
export const jitterOf = (base: number, level: number, daily: boolean): number =>
  daily ? stepOf(base, level) : STEP_MWH;

/** Maximum energy that flows at `powerW` in a time, mWh. W x ms / 3600 = mWh. */
export const flowMwh = (powerW: number, elapsedMs: number): number => (powerW * elapsedMs) / 3600;

/** Maximum growth of a counter in a time, mWh: what can flow in it, or in a quarter of an hour, and one step. */
export const limitMwh = (powerW: number, elapsedMs: number): number =>
  flowMwh(powerW, Math.max(elapsedMs, REFRESH_MS)) + STEP_MWH;

/** Adds growth to the day, including growth that began before it. */
export function addGrowth(
  counter: EnergyCounter,
  mwh: number,
  fromAt: number,
  toAt: number,
  { startAt, steps }: CounterDay,
): void {
  counter.energy += mwh;
  if (steps) counter.amount += energyValue(mwh, steps, Math.max(fromAt, startAt), toAt);
}

/** Makes a level the one from which growth is measured. */
export function settleCounter(counter: EnergyCounter, level: number, at: number): undefined {
  counter.base = level;
  counter.baseAt = at;
  counter.pending = undefined;
  counter.reread = true;
}
