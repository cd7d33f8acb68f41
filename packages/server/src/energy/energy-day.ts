import { channelSources, channels } from './channels.ts';
import { GAP_MS, MWH_PER_KWH, observeCounter, type Counter, type CounterLimits } from './counter.ts';
import { todayOf, totalOf, type ChannelState, type DayState, type OlderValue, type Sample } from './day-state.ts';
import type { ChannelFields } from './field-list.ts';
import type { DayPrice, DayPrices } from './plant-prices.ts';
import { meanPrice, type PriceSteps } from './price-steps.ts';

/** Limits of one device's counters, by channel number. */
export interface DeviceLimits {
  readonly total: readonly CounterLimits[];
  readonly today: readonly CounterLimits[];
}

/** What the fold must know beside the samples. */
export interface DayRules {
  /** Start of the local day, epoch ms. */
  readonly startAt: number;
  readonly limits: DeviceLimits;
  readonly prices: DayPrices;
  /** The binding is the device's first, so that its total counter's first level belongs to the plant's total. */
  readonly firstBinding: boolean;
}

const MARGIN = 1.5;
// Where the rated power is unknown: the largest string inverters and small central ones stay below.
const UNRATED_W = 2_000_000;
const UNRATED_RESET_W = 100_000;

/** Limits that follow from a device's rated power. */
export function limitsOf(ratedPowerW: number | null): DeviceLimits {
  const of = (daily: boolean): CounterLimits[] =>
    channels.map((name) => {
      const ratedW = channelSources[name].rated && ratedPowerW !== null && ratedPowerW > 0 ? ratedPowerW * MARGIN : undefined;
      return { limitW: ratedW ?? UNRATED_W, resetLimitW: ratedW ?? UNRATED_RESET_W, daily };
    });
  return { total: of(false), today: of(true) };
}

// Levels and powers beyond these are garbage that arithmetic should not meet: 9e9 kWh is 2^53 mWh.
const COUNTER_END_KWH = 9e9;
const POWER_END_W = 1e9;

/**
 * Takes one more sample into a day, later than all before it. `previous`, the day before, receives what
 * an interval across midnight yielded there; it may be missing when nothing reaches back.
 */
export function stepDay(state: DayState, sample: Sample, rules: DayRules, previous: DayState | undefined): void {
  const { at, fields, values } = sample;
  state.samples += 1;
  const acPowerW = fields.acPower < 0 ? Number.NaN : values[fields.acPower]!;
  // Also true for the first: nothing compares with NaN.
  if (acPowerW > state.peakPowerW || (Number.isNaN(state.peakPowerW) && !Number.isNaN(acPowerW))) {
    state.peakPowerW = acPowerW;
    state.peakPowerAt = at;
  }
  for (const source of fields.channels) stepChannel(state, source, at, values, rules, previous);
  if (fields !== state.last.fields || state.older.length > 0) state.older = olderValues(state, sample);
  state.last = sample;
}

function stepChannel(state: DayState, source: ChannelFields, at: number, values: Float64Array, rules: DayRules, previous: DayState | undefined): void {
  const { startAt, limits, firstBinding, prices } = rules;
  const number = source.channel;
  const channel = (state.channels[number] ??= { total: undefined, today: undefined, power: undefined });
  const before = previous?.channels[number];
  const steps = prices.steps[number];
  const stepsBefore = previous?.prices[number]?.varies ? prices.stepsBefore[number] : undefined;
  const totalKwh = source.total < 0 ? -1 : values[source.total]!;
  if (totalKwh >= 0 && totalKwh <= COUNTER_END_KWH) {
    const total = totalOf(channel);
    const { baseAt, energy } = total;
    const share = observeCounter(total, Math.round(totalKwh * MWH_PER_KWH), at, startAt, limits.total[number]!);
    if (!firstBinding) total.opening = -1;
    if (steps) total.amount += worth(total.energy - energy, steps, Math.max(baseAt, startAt), at);
    if (share !== 0 && before?.total) receive(before.total, share, stepsBefore, baseAt, startAt);
  }
  const todayKwh = source.today < 0 ? -1 : values[source.today]!;
  if (todayKwh >= 0 && todayKwh <= COUNTER_END_KWH) {
    const today = todayOf(channel);
    const { baseAt, energy } = today;
    const share = observeCounter(today, Math.round(todayKwh * MWH_PER_KWH), at, startAt, limits.today[number]!);
    if (steps) today.amount += worth(today.energy - energy, steps, Math.max(baseAt, startAt), at);
    if (share !== 0 && before?.today) receive(before.today, share, stepsBefore, baseAt, startAt);
  }
  const powerW = source.power < 0 ? Number.NaN : values[source.power]! * source.sign;
  if (powerW >= -POWER_END_W && powerW <= POWER_END_W) {
    const lastAt = channel.power?.lastAt ?? at;
    const areaWms = channel.power?.areaWms ?? 0;
    const share = integrate(channel, powerW > 0 ? powerW : 0, at, startAt);
    if (steps) channel.power!.amountWms += worth(channel.power!.areaWms - areaWms, steps, Math.max(lastAt, startAt), at);
    if (share !== 0 && before?.power) {
      before.power.areaWms += share;
      if (stepsBefore) before.power.amountWms += worth(share, stepsBefore, lastAt, startAt);
    }
  }
}

/** Energy that flowed evenly from one instant to another, at the prices of that time. */
const worth = (energy: number, steps: PriceSteps, fromAt: number, toAt: number): number => (energy === 0 ? 0 : energy * meanPrice(steps, fromAt, toAt));

/** Gives a counter of the day before what it grew there, no more than GAP_MS before midnight. */
function receive(counter: Counter, share: number, steps: PriceSteps | undefined, baseAt: number, startAt: number): void {
  counter.energy += share;
  if (steps) counter.amount += worth(share, steps, Math.max(baseAt, startAt - GAP_MS), startAt);
}

/** Trapezoid from the last power to this one, split at midnight; returns what belongs to the day before, W x ms. */
function integrate(channel: ChannelState, powerW: number, at: number, startAt: number): number {
  const trace = channel.power;
  if (!trace) {
    channel.power = { lastW: powerW, lastAt: at, areaWms: 0, amountWms: 0, seen: true };
    return 0;
  }
  const { lastW, lastAt } = trace;
  const elapsed = at - lastAt;
  trace.seen = true;
  trace.lastW = powerW;
  trace.lastAt = at;
  if (elapsed > GAP_MS) return 0;
  if (lastAt >= startAt) {
    trace.areaWms += ((lastW + powerW) / 2) * elapsed;
    return 0;
  }
  const midnightW = lastW + ((powerW - lastW) * (startAt - lastAt)) / elapsed;
  trace.areaWms += ((midnightW + powerW) / 2) * (at - startAt);
  return ((lastW + midnightW) / 2) * (startAt - lastAt);
}

function olderValues({ last, older }: DayState, sample: Sample): OlderValue[] {
  const lacks = (name: string): boolean => Number.isNaN(sample.values[sample.fields.indexOf.get(name) ?? -1] ?? Number.NaN);
  const kept = older.filter(({ at, fields, index }) => sample.at - at <= GAP_MS && lacks(fields.names[index]!));
  if (last.at === 0 || sample.at - last.at > GAP_MS) return kept;
  last.fields.names.forEach((name, index) => {
    const value = last.values[index]!;
    if (!Number.isNaN(value) && lacks(name)) kept.push({ fields: last.fields, index, at: last.at, value });
  });
  return kept;
}

/** The energy of a channel on a day. */
export interface DayEnergy {
  readonly mwh: number;
  readonly estimated: boolean;
  /** What it was worth on a day of more than one price, millionths of the currency. */
  readonly amount: number;
}

const STUCK_MWH = 2 * MWH_PER_KWH;

/**
 * From the total counter where it is sane, else the device's counter of the day, else power; undefined
 * when the day holds no sample of the channel.
 */
export function energyOf({ total, today, power }: ChannelState): DayEnergy | undefined {
  const areaMwh = power?.seen ? Math.round(power.areaWms / 3600) : 0;
  const counted = today?.seen && !today.broken ? today.energy : undefined;
  const totalSane = total?.seen && !total.broken && !(total.energy === 0 && (counted ?? areaMwh) >= STUCK_MWH);
  if (totalSane && total.complete) return counterEnergy(total);
  if (counted !== undefined) return counterEnergy(today!);
  if (totalSane) return counterEnergy(total);
  if (power?.seen) return { mwh: areaMwh, estimated: true, amount: power.amountWms / 3600 };
  const left = total?.seen ? total : today?.seen ? today : undefined;
  return left && counterEnergy(left);
}

const counterEnergy = ({ energy, amount }: Counter): DayEnergy => ({ mwh: energy, estimated: false, amount });

/** What energy of a channel was worth on a day, millionths of the currency; undefined where no price is known. */
export const moneyOf = (price: DayPrice | undefined, { mwh, amount }: Pick<DayEnergy, 'mwh' | 'amount'>): number | undefined =>
  // 1 mWh at a price of 1 for a kWh is a millionth.
  price && Math.round(price.varies ? amount : mwh * price.price);

/** The total after a day, mWh: at the counter's first level where the device had one, plus what it grew since. */
export function totalAfter(totalBefore: number, channel: ChannelState, energy: DayEnergy): number {
  const { total } = channel;
  return total && total.opening >= 0 ? Math.max(totalBefore, total.opening) + total.energy : totalBefore + energy.mwh;
}

/** What a day adds to the worth of a total: what came before the counter's first level at the price of that day. */
export function totalMoneyOf(price: DayPrice, totalBefore: number, { total }: ChannelState, energy: DayEnergy): number {
  if (!total || total.opening < 0) return moneyOf(price, energy)!;
  return openingMoney(price.price, totalBefore, total.opening) + moneyOf(price, { mwh: total.energy, amount: total.amount })!;
}

/** What the part of a counter's first level is worth that no earlier day had. */
export const openingMoney = (price: number, totalBefore: number, opening: number): number => Math.round(Math.max(0, opening - totalBefore) * price);
