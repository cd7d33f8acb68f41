import { isSunlit } from './channels.ts';
import { GAP_MS, energyValue, type Counter, type Crossing } from './counter.ts';
import type { DayRules, EarlierDays } from './day-rules.ts';
import type { DayState } from './day-state.ts';
import { divideGap } from './gap-shares.ts';
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

/** Gives each day its share of a counter's growth across midnight, and takes back growth that was an error. */
export function divideCrossing(
  counter: Counter,
  crossing: Crossing,
  finding: Finding,
  lastDayMwh: number,
): void {
  const { growth, takenBackFrom } = crossing;
  const { number, at, rules } = finding;
  if (takenBackFrom !== undefined) takeBack(finding, takenBackFrom);
  const fromAt = Math.max(crossing.fromAt, rules.sinceAt);
  const { startAt } = rules;
  if (growth === 0 || fromAt >= startAt) return book(counter, growth, finding);
  if (at - fromAt <= GAP_MS) {
    const before = Math.round((growth * (startAt - fromAt)) / (at - fromAt));
    giveShare(finding, rules.calendar.dayOf(fromAt), before, {
      fromAt,
      toAt: startAt,
      spread: false,
    });
    return book(counter, growth - before, finding);
  }
  const isTold = lastDayMwh >= 0 && lastDayMwh <= growth;
  const gap = {
    growth,
    fromAt,
    toAt: at,
    sunlit: isSunlit(number),
    lastDayMwh: isTold ? lastDayMwh : undefined,
  };
  const shares = divideGap(gap, rules.calendar, rules.position);
  const own = shares.pop()!.mwh;
  // If the device itself does not say how much belongs to which day, the shares are estimates, unless a single day gets everything.
  const spread = shares.filter(({ mwh }) => mwh > 0).length + (own > 0 && !isTold ? 1 : 0) > 1;
  for (const share of shares)
    if (share.mwh > 0) giveShare(finding, share.day, share.mwh, { ...share, spread });
  counter.spread ||= spread && own > 0 && !isTold;
  book(counter, own, finding);
}

function book(counter: Counter, mwh: number, { number, at, rules }: Finding): void {
  counter.energy += mwh;
  const steps = rules.prices.steps[number];
  if (steps) counter.amount += energyValue(mwh, steps, rules.startAt, at);
}

/** Days without readings are included, whether or not they have rows: a day's receipts must not depend on what is known of other days. */
function takeBack({ number, source, rules, earlier }: Finding, fromAt: number): void {
  if (!earlier) return;
  const { calendar } = rules;
  const receipt = {
    byDay: rules.day,
    source,
    energy: 0,
    amount: 0,
    spread: false,
    takesBack: true,
  };
  for (
    let day = calendar.dayOf(Math.max(fromAt, rules.sinceAt));
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
  }: { readonly fromAt: number; readonly toAt: number; readonly spread: boolean },
): void {
  if (energy === 0 || !earlier) return;
  const state = earlier.at(day);
  const steps = state.prices[number]?.varies
    ? rules.plantPrices.ofDay(rules.calendar.dayWindow(day)).steps[number]
    : undefined;
  const amount = steps ? energyValue(energy, steps, fromAt, toAt) : 0;
  addTo(state, number, { byDay: rules.day, source, energy, amount, spread, takesBack: false });
}
