import type { ChannelName, QuantityName } from '@helioport/contract';
import { daysOfMonth, monthOf } from '../../../platform/calendar/plant-calendar.ts';
import { energyChannels } from '../../energy/channels.ts';
import { MWH_PER_KWH } from '../../energy/counter.ts';
import { growthLimit } from '../../energy/growth-limit.ts';
import { dayRules, type BoundDevice } from '../../bindings/bound-device.ts';
import { agreeing } from './agree.ts';
import type { HistoryDoubts } from './account.ts';
import {
  askDays,
  askMonths,
  askTotals,
  dayCounterOf,
  toldChannels,
  totalCounterOf,
  type EnergiesThere,
  type EnergiesByPeriod,
  type Told,
} from './energies-there.ts';
import {
  boundOn,
  calendarOfDevice,
  countedAt,
  lastDayOf,
  storedAtEnd,
  storeHistory,
  type HistoryDeps,
  type HistoryReading,
  type MatchedDevice,
} from './matched-device.ts';

const MONTHS_OF_YEAR = Array.from({ length: 12 }, (_, i) => i + 1);

/** Months (yyyymm) of which the days are still to be asked for, ascending. */
export function monthsLeft(device: MatchedDevice, now: number): number[] {
  const { years, kept } = device;
  const thisMonth = monthOf(calendarOfDevice(device).dayOf(now));
  return [...years.keys()]
    .filter((year) => flowed(years.get(year)!))
    .toSorted((a, b) => a - b)
    .flatMap((year) => MONTHS_OF_YEAR.map((month) => year * 100 + month))
    .filter((month) => month <= thisMonth && !kept.hasAll('energies', month));
}

/**
 * Imports what a device has counted on each day, oldest first. What is stored is durable month by month, and not asked for again. `onMonths` is called
 * with the number of months left.
 */
export async function importEnergies(
  deps: HistoryDeps,
  device: MatchedDevice,
  onMonths: (left: number) => void,
): Promise<void> {
  const { account, clock, doubts } = deps;
  const { there, years } = device;
  const left = monthsLeft(device, clock.now());
  let today: EnergiesThere = {};
  for (const [year, ofYear] of Map.groupBy(left, (month) => Math.trunc(month / 100))) {
    const months = await askMonths(account, there, year, doubts);
    const present = toldChannels.filter((channel) =>
      [...months.values()].some((energies) => (energies[channel] ?? 0) > 0),
    );
    const agreed = agreedPeriods(months, present, years.get(year));
    for (const month of ofYear) {
      onMonths(left.length - left.indexOf(month));
      const whole = months.get(month) ?? {};
      if (flowed(whole)) {
        const days = possibleDays(device, await askDays(account, there, month, doubts), doubts);
        const channelsThere = present.filter((channel) =>
          fits(month, channel, days, whole, doubts),
        );
        await storeMonth(deps, device, days, channelsThere, agreed.get(month)!);
        today = days.get(calendarOfDevice(device).dayOf(clock.now())) ?? today;
      }
      await finish(device, month, clock.now());
    }
  }
  onMonths(0);
  await countBefore(deps, device, today);
}

const flowed = (energies: EnergiesThere): boolean =>
  toldChannels.some((channel) => (energies[channel] ?? 0) > 0);

/** Notes that a month has been looked at, but for its days of which something may still arrive. */
async function finish(device: MatchedDevice, month: number, now: number): Promise<void> {
  const { fromDay, toDay } = daysOfMonth(month);
  const over: number[] = [];
  for (let day = fromDay; day <= toDay && day < lastDayOf(device, now); day++) over.push(day);
  await device.kept.add('energies', over);
}

/** Energies of periods as they add up to those of the period around them. */
function agreedPeriods(
  periods: EnergiesByPeriod,
  present: readonly Told[],
  sums: EnergiesThere | undefined,
): Map<number, EnergiesThere> {
  const agreed = new Map<number, { [C in Told]?: number }>();
  for (const period of periods.keys()) agreed.set(period, {});
  for (const channel of present) {
    const kwh = new Map(
      [...periods].flatMap(([period, { [channel]: one }]) =>
        one === undefined ? [] : [[period, one] as const],
      ),
    );
    for (const [period, one] of agreeing(kwh, sums?.[channel])) agreed.get(period)![channel] = one;
  }
  return agreed;
}

// Days that add up to so much more or less than their month are in another unit.
const OTHER_UNIT = 10;
// Differences up to these are not worth a word.
const [DIFFERS_KWH, DIFFERS_PART] = [1, 0.02] as const;

/** Whether the days of a channel can belong to the month of which the year tells. */
function fits(
  month: number,
  channel: Told,
  days: EnergiesByPeriod,
  answered: EnergiesThere,
  doubts: HistoryDoubts,
): boolean {
  const sum = [...days.values()].reduce((all, { [channel]: one = 0 }) => all + one, 0);
  const whole = answered[channel];
  if (whole === undefined || sum === 0 || whole === 0) return true;
  const differs = `in ${month}, days of ${channel} add up to ${sum.toFixed(1)} kWh, but the month is ${whole.toFixed(1)} kWh`;
  const isOtherUnit = sum > whole * OTHER_UNIT || sum < whole / OTHER_UNIT;
  if (isOtherUnit) doubts.add(`${differs}: left out`);
  else if (Math.abs(sum - whole) > Math.max(DIFFERS_KWH, DIFFERS_PART * whole)) doubts.add(differs);
  return !isOtherUnit;
}

/** Stores the days of a month. `present`: the channels that the device measures; `sums`: what the days add up to. */
async function storeMonth(
  deps: HistoryDeps,
  device: MatchedDevice,
  answered: EnergiesByPeriod,
  present: readonly Told[],
  sums: EnergiesThere,
): Promise<void> {
  const { kept, own } = device;
  const lastDay = lastDayOf(device, deps.clock.now());
  const agreed = agreedPeriods(answered, present, sums);
  let begun = kept.all('claimed').length > 0;
  const days = [...agreed.keys()]
    .toSorted((a, b) => a - b)
    .filter((day) => {
      // What was there before the device was, the account may tell as 0.
      begun ||= flowed(agreed.get(day)!);
      return begun && day <= lastDay && !own.has(day) && boundOn(device, day) !== undefined;
    });
  const readings: HistoryReading[] = [];
  let running = await totalsBefore(deps, device, days[0]);
  for (const day of days) {
    const bound = boundOn(device, day)!;
    const energies = agreed.get(day)!;
    const known = kept.has('claimed', day) ? await storedAtEnd(deps, device, day) : {};
    running = totalsAfter(running, energies, known);
    readings.push(...dayReadings(bound, day, energies, running));
  }
  await kept.add('claimed', days);
  await storeHistory(deps, device, readings);
}

/** The energies of days without those that their device cannot have had. */
function possibleDays(
  device: MatchedDevice,
  days: EnergiesByPeriod,
  doubts: HistoryDoubts,
): EnergiesByPeriod {
  return new Map(
    [...days].map(([day, energies]) => {
      const bound = boundOn(device, day);
      return [day, bound ? possible(bound, day, energies, doubts) : energies];
    }),
  );
}

function possible(
  bound: BoundDevice,
  day: number,
  energies: EnergiesThere,
  doubts: HistoryDoubts,
): EnergiesThere {
  const rules = dayRules(bound, day);
  const [fromAt, toAt] = countedAt(bound, day);
  return Object.fromEntries(
    (Object.entries(energies) as [Told, number][]).filter(([channel, kwh]) => {
      const limits = rules.limits.today[energyChannels.indexOf(channel)]!;
      const isPossible = kwh * MWH_PER_KWH <= growthLimit(limits, rules, fromAt, toAt);
      if (!isPossible) doubts.add(`on ${day}, ${channel} of ${kwh} kWh is impossible: left out`);
      return isPossible;
    }),
  );
}

type Counted = { readonly [C in Told]?: number };

function dayReadings(
  bound: BoundDevice,
  day: number,
  energies: EnergiesThere,
  totals: Counted | undefined,
): HistoryReading[] {
  const counters = (Object.keys(energies) as Told[]).map(
    (one) => [one, dayCounterOf(one)] as const,
  );
  if (counters.length === 0) return [];
  const [fromAt, toAt] = countedAt(bound, day);
  return [
    { at: fromAt, values: Object.fromEntries(counters.map(([, name]) => [name, 0])) },
    {
      at: toAt,
      values: {
        ...Object.fromEntries(counters.map(([channel, name]) => [name, energies[channel]!])),
        ...namedTotals(totals ?? {}),
      },
    },
  ];
}

const namedTotals = (totals: Counted): { readonly [Name in QuantityName]?: number } =>
  Object.fromEntries(
    (Object.entries(totals) as [Told, number][]).map(([channel, kwh]) => [
      totalCounterOf(channel),
      kwh,
    ]),
  );

const totalsIn = (stored: { readonly [Name in QuantityName]?: number }): Counted | undefined => {
  const found = toldChannels.flatMap((channel) => {
    const kwh = stored[totalCounterOf(channel)];
    return kwh === undefined ? [] : [[channel, kwh] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
};

/** The total counters at the end of the last imported day before one; undefined if none are kept. */
async function totalsBefore(
  deps: HistoryDeps,
  device: MatchedDevice,
  day: number | undefined,
): Promise<Counted | undefined> {
  const before =
    day === undefined ? undefined : device.kept.all('claimed').findLast((one) => one < day);
  return before === undefined ? undefined : totalsIn(await storedAtEnd(deps, device, before));
}

/** Total counters at the end of a day: they have grown by its energies. `known` is what has been stored of that day before. */
function totalsAfter(
  before: Counted | undefined,
  energies: EnergiesThere,
  known: { readonly [Name in QuantityName]?: number },
): Counted | undefined {
  const stored = totalsIn(known);
  const at = before ?? stored;
  if (!at) return undefined;
  return Object.fromEntries(
    (Object.entries(at) as [Told, number][]).map(([channel, kwh]) => {
      const beforeDay = before ? kwh : kwh - (known[dayCounterOf(channel)] ?? 0);
      return [channel, beforeDay + (energies[channel] ?? 0)];
    }),
  );
}

/**
 * Energy that a device had counted before the account knew it: its total counter is reported once, at the end of the last imported day, and goes on from
 * there. A device that has reported here tells it itself.
 */
async function countBefore(
  deps: HistoryDeps,
  device: MatchedDevice,
  today: EnergiesThere,
): Promise<void> {
  const { account, doubts } = deps;
  const { kept, own, there, years } = device;
  const days = kept.all('claimed');
  const last = days.at(-1);
  if (last === undefined || own.size > 0) return;
  if (await totalsBefore(deps, device, last)) return;
  const totals = await askTotals(account, there, today, doubts);
  const before: { [C in Told]?: number } = {};
  for (const [channel, { total, today: soFar, step }] of Object.entries(totals) as [
    Told & ChannelName,
    { total: number; today: number; step: number },
  ][]) {
    const answered = [...years.values()].reduce((sum, { [channel]: kwh = 0 }) => sum + kwh, 0);
    if (answered > 0 && total - answered > 1.5 * step + 0.01) before[channel] = total - soFar;
  }
  if (Object.keys(before).length === 0) return;
  const at = countedAt(boundOn(device, last)!, last)[1];
  await storeHistory(deps, device, [{ at, values: namedTotals(before) }]);
}
