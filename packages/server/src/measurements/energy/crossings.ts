import { isSunlit } from './channels.ts';
import {
  GAP_MS,
  energyValue,
  type Counter,
  type Given,
  type LeftLevel,
  type Revealed,
} from './counter.ts';
import type { DayRules, EarlierDays } from './day-rules.ts';
import type { DayState } from './day-state.ts';
import { divideGap, type GapShare } from './gap-shares.ts';
import { addReceipt, type Receipt } from './receipts.ts';

/** The reading that reveals something about earlier days. */
export interface Finding {
  /** Number of the channel. */
  readonly number: number;
  readonly source: number;
  readonly at: number;
  readonly rules: DayRules;
  readonly earlier: EarlierDays | undefined;
}

/** Gives days their shares of a counter's growth, and takes back growth that was an error. `lastDayMwh`: what the day has yielded so far; -1 = unknown. */
export function divide(
  counter: Counter,
  { crossings, takenBack }: Revealed,
  finding: Finding,
  lastDayMwh: number,
): void {
  if (takenBack) takeBack(finding, takenBack.left);
  for (const { fromAt, toAt, growth, isLeaving } of crossings) {
    // Part of it may have been booked already.
    const given = { fromAt, toAt, growth, lastDayMwh: Math.max(-1, lastDayMwh - counter.energy) };
    const { shares, own, spread, isLastDayKnown } = sharesOf(given, finding, finding.rules.day);
    for (const share of shares)
      giveShare(finding, share.day, share.mwh, { ...share, spread, isAcross: isLeaving });
    counter.spread ||= spread && own > 0 && !isLastDayKnown;
    book(counter, own, finding);
    const { left } = counter;
    if (isLeaving && left) counter.left = { ...left, given: [...left.given, given] };
  }
}

/** Growth divided among a day (`own`) and the days before it. */
interface Divided {
  readonly shares: readonly GapShare[];
  readonly own: number;
  /** Whether the shares are estimates, and whether the device itself said what `own` is. */
  readonly spread: boolean;
  readonly isLastDayKnown: boolean;
}

function sharesOf(
  { fromAt: beganAt, toAt, growth, lastDayMwh }: Given,
  { number, rules: { sinceAt, calendar, position } }: Finding,
  lastDay: number,
): Divided {
  const fromAt = Math.max(beganAt, sinceAt);
  const { startAt } = calendar.dayWindow(lastDay);
  if (growth === 0 || fromAt >= startAt)
    return { shares: [], own: growth, spread: false, isLastDayKnown: false };
  const isGap = toAt - fromAt > GAP_MS;
  const isLastDayKnown = isGap && toAt > startAt && lastDayMwh >= 0 && lastDayMwh <= growth;
  const shares = divideGap(
    {
      growth,
      fromAt,
      toAt,
      sunlit: isGap && isSunlit(number),
      lastDayMwh: isLastDayKnown ? lastDayMwh : undefined,
    },
    calendar,
    position,
  );
  const own = shares.at(-1)!.day === lastDay ? shares.pop()!.mwh : 0;
  // If the device itself does not say how much belongs to which day, the shares are estimates, unless a single day gets everything.
  const spread =
    isGap && shares.filter(({ mwh }) => mwh > 0).length + (own > 0 && !isLastDayKnown ? 1 : 0) > 1;
  return { shares: shares.filter(({ mwh }) => mwh > 0), own, spread, isLastDayKnown };
}

function book(counter: Counter, mwh: number, { number, at, rules }: Finding): void {
  counter.energy += mwh;
  const steps = rules.prices.steps[number];
  if (steps) counter.amount += energyValue(mwh, steps, rules.startAt, at);
}

/**
 * Takes back what was counted since a counter left a level. Days without readings are included, whether or not they have rows: a day's receipts must not
 * depend on what is known of other days.
 */
function takeBack(finding: Finding, { leftAt, booked, given }: LeftLevel): void {
  const { number, source, rules, earlier } = finding;
  if (!earlier) return;
  const { calendar } = rules;
  const leftDay = calendar.dayOf(leftAt);
  for (const one of given) {
    const { shares, spread } = sharesOf(one, finding, leftDay);
    for (const share of shares)
      giveShare(finding, share.day, -share.mwh, { ...share, spread, isAcross: true });
  }
  if (!booked) return;
  const receipt = {
    byDay: rules.day,
    source,
    energy: 0,
    amount: 0,
    spread: false,
    isAcross: false,
    takesBack: true,
  };
  for (
    let day = calendar.dayOf(Math.max(leftAt, rules.sinceAt));
    day < rules.day;
    day = calendar.dayOf(calendar.dayWindow(day).endAt)
  ) {
    addTo(earlier.at(day), number, receipt);
  }
}

function addTo({ channels }: DayState, number: number, receipt: Receipt): void {
  const channel = (channels[number] ??= {
    total: undefined,
    today: undefined,
    power: undefined,
    receipts: undefined,
  });
  channel.receipts = addReceipt(channel.receipts, receipt);
}

/** Gives an earlier day its share of the energy of a period (mWh; for power, W x ms); `fromAt` to `toAt` is the part of the period that lies in that day. */
export function giveShare(
  { number, source, rules, earlier }: Finding,
  day: number,
  energy: number,
  {
    fromAt,
    toAt,
    spread,
    isAcross = false,
  }: {
    readonly fromAt: number;
    readonly toAt: number;
    readonly spread: boolean;
    readonly isAcross?: boolean | undefined;
  },
): void {
  if (energy === 0 || !earlier) return;
  const state = earlier.at(day);
  const steps = state.prices[number]?.varies
    ? rules.plantPrices.ofDay(rules.calendar.dayWindow(day)).steps[number]
    : undefined;
  const amount = steps ? energyValue(energy, steps, fromAt, toAt) : 0;
  addTo(state, number, {
    byDay: rules.day,
    source,
    energy,
    amount,
    spread,
    isAcross,
    takesBack: false,
  });
}
