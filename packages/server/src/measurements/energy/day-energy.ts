import { PRODUCTION } from './channels.ts';
import { GAP_MS, keptOf, MWH_PER_KWH, newCounter, stepOf, type Counter } from './counter.ts';
import type { ChannelState, DayState, PowerTrace } from './day-state.ts';
import type { DayPrice } from './plant-prices.ts';
import {
  POWER_SOURCE,
  receivedBy,
  TODAY_SOURCE,
  TOTAL_SOURCE,
  type Receipt,
  type Received,
} from './receipts.ts';

/** A channel's energy on one day. */
export interface DayEnergy {
  readonly mwh: number;
  /** Whether it was integrated from power, is a share of a longer gap, or was capped at what the day can have yielded. */
  readonly estimated: boolean;
  /** The energy's value on a day with more than one price, millionths of the currency. */
  readonly amount: number;
}

/** The information that a counter gives about a day. */
interface CounterEnergy extends DayEnergy {
  readonly counter: Counter;
  /** The part that was counted between the readings of the day, and the part that is growth across a later roll-over or reset. */
  readonly ownMwh: number;
  readonly acrossMwh: number;
  readonly broken: boolean;
  /** Whether a later reading covered the rest of the day. */
  readonly closed: boolean;
}

// Counters of whole kWh can lag behind power by this much.
const STUCK_MWH = 2 * MWH_PER_KWH;

/** Whether a counter is stuck while other sources show energy. */
export const isStuck = (mwh: number, otherMwh: number): boolean =>
  mwh === 0 && otherMwh >= STUCK_MWH;

/** A total counter that grows by less than this part of what the daily counter shows counts in another unit, such as MWh. */
const OTHER_UNIT = 1 / 10;
const isOtherUnit = ({ ownMwh }: CounterEnergy, today: CounterEnergy): boolean =>
  today.ownMwh >= STUCK_MWH && !today.counter.assumed && ownMwh < today.ownMwh * OTHER_UNIT;

/** Energies that differ by no more than this part of the larger one, and two steps of a counter, agree. */
const AGREEMENT = 0.2;
const agree = (mwh: number, otherMwh: number, stepMwh: number): boolean =>
  Math.abs(mwh - otherMwh) <= AGREEMENT * Math.max(mwh, otherMwh) + 2 * stepMwh;

/**
 * The total counter's energy as far as the daily counter and power do not contradict it together; undefined if they do. Compared is what each of
 * them counted between the readings of the day, since what grew after the last one is known to the total counter alone.
 */
function believable(
  total: CounterEnergy,
  today: CounterEnergy | undefined,
  power: PowerTrace | undefined,
): CounterEnergy | undefined {
  if (!today) return total;
  if (isOtherUnit(total, today)) return undefined;
  if (!power?.seen) return total;
  const powerMwh = Math.round(power.areaWms / 3600);
  const { left } = today.counter;
  // Daily counter and power may have missed the same time.
  if (left && left.leftAt - left.at > GAP_MS) return total;
  const [step, todayStep] = [stepOf(total.counter.base, 0), stepOf(today.counter.base, 0)];
  if (!agree(today.ownMwh, powerMwh, todayStep)) return total;
  const coarser = Math.max(step, todayStep);
  if (!agree(total.ownMwh, today.ownMwh, coarser) && !agree(total.ownMwh, powerMwh, coarser))
    return undefined;
  // A little more across a roll-over or reset in the night after: it may be another unit.
  if (total.acrossMwh <= 0 || total.acrossMwh > AGREEMENT * total.ownMwh) return total;
  const mwh = total.mwh - total.acrossMwh;
  return { ...total, mwh, amount: (total.amount * mwh) / total.mwh };
}

/**
 * The energy of a channel (given by its number) on a day; undefined if unknown. Energy above what the day can have yielded is
 * capped at that and counts as estimated.
 */
export function energyOf(day: DayState, number: number): DayEnergy | undefined {
  const channel = day.channels[number];
  const atMost = day.atMost[number] ?? Infinity;
  const energy = channel && channelEnergyOf(channel, atMost);
  if (!energy || energy.mwh <= atMost) return energy;
  return { mwh: atMost, estimated: true, amount: (energy.amount * atMost) / energy.mwh };
}

/**
 * A channel's energy; undefined if unknown. It comes from the first suitable source: the total counter if it is plausible and covers the day, the
 * daily counter, or power. Power also fills in what a counter did not cover.
 */
function channelEnergyOf(channel: ChannelState, atMost: number): DayEnergy | undefined {
  const { power, receipts } = channel;
  const flow = receivedBy(receipts, POWER_SOURCE);
  const areaWms = (power?.seen ? power.areaWms : 0) + flow.energy;
  const areaAmount = (power?.seen ? power.amountWms : 0) + flow.amount;
  const areaMwh = Math.round(areaWms / 3600);
  const total = counterEnergyOf(channel.total, receipts, TOTAL_SOURCE);
  const today = counterEnergyOf(channel.today, receipts, TODAY_SOURCE);
  const todaySound =
    today && !today.broken && today.mwh <= atMost && !isStuck(today.mwh, areaMwh)
      ? today
      : undefined;
  const others = Math.max(todaySound?.mwh ?? 0, areaMwh);
  const totalSound =
    total && !total.broken && total.mwh <= atMost && !isStuck(total.mwh, others) && isKnown(total)
      ? believable(total, todaySound, power)
      : undefined;
  const lastAt = Math.max(
    power?.seen ? power.lastAt : 0,
    total?.counter.baseAt ?? 0,
    today?.counter.baseAt ?? 0,
  );
  const covers = (one: CounterEnergy): boolean =>
    one.closed || lastAt - one.counter.baseAt <= GAP_MS;
  if (totalSound?.counter.complete && covers(totalSound)) return totalSound;
  if (todaySound && covers(todaySound)) return todaySound;
  const longest =
    totalSound && todaySound && todaySound.counter.baseAt > totalSound.counter.baseAt + GAP_MS
      ? todaySound
      : (totalSound ?? todaySound);
  if (longest) return filled(longest, channel, flow);
  if (power?.seen && (power.paired || flow.some))
    return { mwh: areaMwh, estimated: true, amount: areaAmount / 3600 };
  return total && isKnown(total) ? total : today;
}

/** Whether a counter shows energy. A device's very first level shows none until a second one follows. */
const isKnown = ({ counter: { opening, reread }, closed }: CounterEnergy): boolean =>
  !opening || reread || closed;

function counterEnergyOf(
  read: Counter | undefined,
  receipts: readonly Receipt[] | undefined,
  source: number,
): CounterEnergy | undefined {
  const received = receivedBy(receipts, source);
  if (!read?.seen && !received.some) return undefined;
  // On the day before its first reading, a counter has been given what that reading brought.
  const counter = read ?? newCounter();
  const { energy, amount, broken } = received.takenBack ? keptOf(counter) : counter;
  return {
    counter,
    mwh: Math.max(0, energy + received.energy),
    ownMwh: energy,
    acrossMwh: received.across,
    amount: Math.max(0, amount + received.amount),
    estimated: counter.spread || received.spread,
    broken,
    closed: received.some,
  };
}

/** Adds the energy from power after the counter's last level. */
function filled(one: CounterEnergy, { power }: ChannelState, flow: Received): DayEnergy {
  const { counter, closed } = one;
  if (!power?.seen || closed || power.lastAt - counter.baseAt <= GAP_MS) return one;
  const mwh = Math.round((power.areaWms + flow.energy - counter.baseWms) / 3600);
  if (mwh <= 0) return one;
  return {
    mwh: one.mwh + mwh,
    estimated: true,
    amount: one.amount + (power.amountWms + flow.amount - counter.baseAmountWms) / 3600,
  };
}

/** Energy as a share of what the whole plant can produce on the day, in thousandths, rounded up; 0 = unknown, or not the production channel. */
export const shareOf = ({ plantAtMost }: DayState, number: number, mwh: number): number =>
  number === PRODUCTION && plantAtMost ? Math.ceil((1000 * mwh) / plantAtMost) : 0;

/** The value of a channel's energy on a day, millionths of the currency; undefined if no price is known. */
export const moneyOf = (
  price: DayPrice | undefined,
  { mwh, amount }: Pick<DayEnergy, 'mwh' | 'amount'>,
): number | undefined =>
  // 1 mWh at a price of 1 per kWh has a value of one millionth of the currency.
  price && Math.round(price.varies ? amount : mwh * price.price);

/**
 * Energy that a device had counted before its first recorded day, mWh. This is the amount by which its first level exceeds all energy recorded before
 * that level.
 */
export const countedBefore = (energyBefore: number, opening: number): number =>
  opening >= 0 ? Math.max(0, opening - energyBefore) : 0;
