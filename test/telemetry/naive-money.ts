/** What energy is worth, worked out minute by minute: everything in it happens at whole minutes. */

import type {
  Tariff,
  TariffVersion,
} from '../../packages/server/src/fleet/plants/tariffs/tariffs.ts';
import { localDate, localParts, type Readings } from './naive-model.ts';

const MINUTE = 60_000;
const HOUR = 60;

/** The price of each minute, by its number since 1970. */
export type PriceOfMinute = (minute: number) => number;

export function naivePrices(versions: readonly TariffVersion[], timeZone: string): PriceOfMinute {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    month: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const yesterday = {
    Mon: 'Sun',
    Tue: 'Mon',
    Wed: 'Tue',
    Thu: 'Wed',
    Fri: 'Thu',
    Sat: 'Fri',
    Sun: 'Sat',
  } as Record<string, string>;
  const known = new Map<number, number>();
  const priceOf = (tariff: Tariff, minute: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(minute * MINUTE).map(({ type, value }) => [type, value]),
    );
    const clock = `${parts['hour']}:${parts['minute']}`;
    for (const { days, start, end, pricePerKwh } of tariff.windows ?? []) {
      const wraps = end < start;
      const begun = clock >= start && (wraps || clock < end);
      const goesOn = wraps && clock < end;
      const day = begun ? parts['weekday']! : yesterday[parts['weekday']!]!;
      if ((begun || goesOn) && (!days || days.some((name) => name === day.toLowerCase())))
        return pricePerKwh;
    }
    return tariff.pricePerKwh;
  };
  return (minute) => {
    const version = versions.findLast(({ fromAt }) => fromAt <= minute * MINUTE);
    // Before the first price, energy is worth nothing.
    const price = known.get(minute) ?? (version ? priceOf(version, minute) : 0);
    known.set(minute, price);
    return price;
  };
}

const mean = (prices: PriceOfMinute, from: number, to: number): number => {
  let sum = 0;
  for (let minute = from; minute < to; minute++) sum += prices(minute);
  return sum / (to - from);
};

function midnightBetween(timeZone: string, before: number, after: number): number {
  const date = localDate(timeZone, after * MINUTE);
  let minute = after;
  while (minute > before && localDate(timeZone, (minute - 1) * MINUTE) === date) minute -= 1;
  return minute;
}

const pointsOf = (readings: Readings, quantity: string): { minute: number; value: number }[] =>
  [...readings]
    .filter(([, values]) => quantity in values)
    .map(([at, values]) => ({ minute: at / MINUTE, value: values[quantity]! }))
    .toSorted((a, b) => a.minute - b.minute);

/** Money by local day of a power in W: the area under each pair of readings at the mean price of its time. */
export function moneyFromPower(
  readings: Readings,
  quantity: string,
  timeZone: string,
  prices: PriceOfMinute,
): Map<number, number> {
  const days = new Map<number, number>();
  const add = (day: number, money: number): void =>
    void days.set(day, (days.get(day) ?? 0) + money);
  const worth = (w1: number, w2: number, from: number, to: number): number =>
    ((((w1 + w2) / 2) * (to - from)) / 60 / 1000) * mean(prices, from, to);
  const points = pointsOf(readings, quantity).map(({ minute, value }) => ({
    minute,
    value: Math.max(0, value),
  }));
  for (const [i, { minute, value }] of points.entries()) {
    const day = localDate(timeZone, minute * MINUTE);
    const before = points[i - 1];
    if (!before) continue;
    add(day, 0);
    if (minute - before.minute > HOUR) continue;
    const dayBefore = localDate(timeZone, before.minute * MINUTE);
    if (day === dayBefore) {
      add(day, worth(before.value, value, before.minute, minute));
      continue;
    }
    const midnight = midnightBetween(timeZone, before.minute, minute);
    const there =
      before.value +
      ((value - before.value) * (midnight - before.minute)) / (minute - before.minute);
    if (midnight > before.minute && before.value + there > 0)
      add(dayBefore, worth(before.value, there, before.minute, midnight));
    if (minute > midnight) add(day, worth(there, value, midnight, minute));
  }
  return days;
}

/** Money by local day of a counter that never falls and does not depend on the sun: growth divided by time, at the prices of each part. */
export function moneyFromCounter(
  readings: Readings,
  quantity: string,
  timeZone: string,
  prices: PriceOfMinute,
): Map<number, number> {
  const days = new Map<number, number>();
  const add = (day: number, money: number): void =>
    void days.set(day, (days.get(day) ?? 0) + money);
  const points = pointsOf(readings, quantity);
  for (const [i, { minute, value }] of points.entries()) {
    const before = points[i - 1];
    if (!before) continue;
    add(localDate(timeZone, minute * MINUTE), 0);
    const perMinute = (value - before.value) / (minute - before.minute);
    for (const part of localParts(timeZone, before.minute * MINUTE, minute * MINUTE)) {
      const [from, to] = [part.from / MINUTE, part.to / MINUTE];
      if (to > from && perMinute > 0)
        add(part.day, perMinute * (to - from) * mean(prices, from, to));
    }
  }
  return days;
}

/** The mean price of a local day by time. */
export function meanOfDay(timeZone: string, at: number, prices: PriceOfMinute): number {
  const date = localDate(timeZone, at);
  let [from, to] = [at / MINUTE, at / MINUTE];
  while (localDate(timeZone, (from - 1) * MINUTE) === date) from -= 1;
  while (localDate(timeZone, to * MINUTE) === date) to += 1;
  return mean(prices, from, to);
}
