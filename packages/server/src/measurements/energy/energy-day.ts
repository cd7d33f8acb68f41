import { GAP_MS, MWH_PER_KWH, type EnergyCounter, type CounterDay } from './counter.ts';
import { isStuck } from './day-energy.ts';
import { divideCrossing, giveShare } from './crossings.ts';
import type { DayRules, EarlierDays } from './day-rules.ts';
import {
  todayOf,
  dayTotalOf,
  type ChannelState,
  type DayState,
  type OlderValue,
  type DaySample,
} from './day-state.ts';
import type { ChannelFields } from './field-list.ts';
import { observeCounter } from './observe-counter.ts';
import { stepPower } from './power-trace.ts';
import { POWER_SOURCE, TODAY_SOURCE, TOTAL_SOURCE } from './receipts.ts';

// Levels and powers beyond these limits are garbage and must be kept out of the arithmetic: 9e9 kWh is about 2^53 mWh.
const COUNTER_END_KWH = 9e9;
export const POWER_END_W = 1e9;

/** Adds a sample, newer than all before it, to a day. What it reveals about earlier days goes to `earlier`; if that is undefined, it is dropped. */
export function stepDay(
  state: DayState,
  sample: DaySample,
  rules: DayRules,
  earlier: EarlierDays | undefined,
): void {
  const { at, fields, values } = sample;
  state.samples += 1;
  const acPowerW = fields.acPower < 0 ? Number.NaN : values[fields.acPower]!;
  // Negative power is the device's own consumption, not a peak. The comparison is negated because `peakPowerW` is NaN at first,
  // and comparisons with NaN are false.
  if (acPowerW >= 0 && !(acPowerW <= state.peakPowerW)) {
    state.peakPowerW = acPowerW;
    state.peakPowerAt = at;
  }
  for (const source of fields.channels) stepChannel(state, source, at, values, rules, earlier);
  if (fields !== state.last.fields || state.older.length > 0)
    state.older = olderValues(state, sample);
  state.last = sample;
}

function stepChannel(
  state: DayState,
  source: ChannelFields,
  at: number,
  values: Float64Array,
  rules: DayRules,
  earlier: EarlierDays | undefined,
): void {
  const number = source.channel;
  const isNew = state.channels[number] === undefined;
  const channel = (state.channels[number] ??= {
    total: undefined,
    today: undefined,
    power: undefined,
    receipts: undefined,
  });
  const day = counterDay(rules, number);
  const powerW = source.power < 0 ? Number.NaN : values[source.power]! * source.sign;
  if (powerW >= -POWER_END_W && powerW <= POWER_END_W) {
    const lastAt = channel.power?.lastAt ?? at;
    const shareWms = stepPower(channel, powerW > 0 ? powerW : 0, at, day, isNew);
    if (shareWms !== 0) {
      const finding = { number, source: POWER_SOURCE, at, rules, earlier };
      giveShare(finding, rules.calendar.dayOf(lastAt), shareWms, {
        fromAt: lastAt,
        toAt: rules.startAt,
        spread: false,
      });
    }
  }
  const todayMwh = mwhOf(values, source.today);
  let lastDayMwh = -1;
  if (todayMwh >= 0) {
    const today = todayOf(channel);
    const revealed = observeCounter(today, todayMwh, at, day, rules.limits.today[number]!);
    if (revealed)
      divideCrossing(today, revealed, { number, source: TODAY_SOURCE, at, rules, earlier }, -1);
    // Taken for jitter: whether the next levels are jitter too depends on those before it.
    if (today.base !== todayMwh && !today.pending) state.isSteady = false;
    if (today.baseAt === at) remember(today, channel);
    // Otherwise it was not reset at midnight, or still shows the level of the day before.
    if (today.energy === todayMwh) lastDayMwh = todayMwh;
  }
  const totalMwh = mwhOf(values, source.total);
  if (totalMwh < 0) return;
  const total = dayTotalOf(channel);
  const isFirst = total.base < 0;
  const revealed = observeCounter(total, totalMwh, at, day, rules.limits.total[number]!);
  if (revealed)
    divideCrossing(
      total,
      revealed,
      { number, source: TOTAL_SOURCE, at, rules, earlier },
      lastDayMwh,
    );
  if (isFirst && !total.complete)
    openTotal(channel, total, rules.prices.steps[number] !== undefined);
  // Energy that the device counted in another plant does not belong to this one.
  if (!rules.firstBinding && total.opening && total.opening.level > 0)
    total.opening = { ...total.opening, level: 0 };
  if (total.baseAt === at) remember(total, channel);
}

/** A counter's level; -1 if absent or impossible. */
export function mwhOf(values: Float64Array, index: number): number {
  const kwh = index < 0 ? -1 : values[index]!;
  return kwh >= 0 && kwh <= COUNTER_END_KWH ? Math.round(kwh * MWH_PER_KWH) : -1;
}

function counterDay(rules: DayRules, number: number): CounterDay {
  const steps = rules.prices.steps[number];
  if (!steps) return rules;
  const { startAt, sinceAt, calendar, position } = rules;
  return (rules.pricedDays[number] ??= { startAt, sinceAt, calendar, position, steps });
}

/** Notes the integral of power at this reading of the counter: from here on, power can fill in. */
function remember(counter: EnergyCounter, { power }: ChannelState): void {
  counter.baseWms = power?.areaWms ?? 0;
  counter.baseAmountWms = power?.amountWms ?? 0;
}

/** Processes a device's first level, which includes the day's yield so far, as known from other sources. */
function openTotal({ today, power }: ChannelState, total: EnergyCounter, isPriced: boolean): void {
  const areaMwh = Math.round((power?.areaWms ?? 0) / 3600);
  const isToday =
    today !== undefined && today.seen && !today.broken && !isStuck(today.energy, areaMwh);
  const before = isToday ? today.energy : areaMwh;
  total.opening = { level: Math.max(0, total.base - before), energy: before };
  total.energy = before;
  if (isPriced) total.amount = isToday ? today.amount : (power?.amountWms ?? 0) / 3600;
  total.complete = isToday || before > 0;
  total.spread = !isToday && before > 0;
}

function olderValues({ last, older }: DayState, sample: DaySample): OlderValue[] {
  const lacks = (name: string): boolean =>
    Number.isNaN(sample.values[sample.fields.indexOf.get(name) ?? -1] ?? Number.NaN);
  const kept = older.filter(
    ({ at, fields, index }) => sample.at - at <= GAP_MS && lacks(fields.names[index]!),
  );
  if (last.at === 0 || sample.at - last.at > GAP_MS) return kept;
  last.fields.names.forEach((name, index) => {
    const value = last.values[index]!;
    if (!Number.isNaN(value) && lacks(name))
      kept.push({ fields: last.fields, index, at: last.at, value });
  });
  return kept;
}
