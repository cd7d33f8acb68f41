import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';
import {
  tariffsOf,
  versionAt,
  weekDays,
  type Priced,
  type TariffUse,
  type TariffVersion,
  type TariffWindow,
} from '../../fleet/plants/tariffs/tariffs.ts';
import { energyChannels, type EnergyChannel } from './channels.ts';
import { offsetChanges } from '../../platform/calendar/offset-changes.ts';
import type { DayWindow, PlantCalendar } from '../../platform/calendar/plant-calendar.ts';
import { meanPrice, type PriceSteps } from './price-steps.ts';

/** The energy channels that have a monetary value, and the tariff that applies to each. */
const channelUses: { readonly [C in EnergyChannel]?: TariffUse } = {
  production: 'production',
  gridImport: 'import',
  gridExport: 'export',
  // What was consumed would have cost as much; less what was bought, that is what was saved.
  load: 'import',
  backup: 'import',
};

/** The price per kWh of a channel on a day. */
export interface DayPrice {
  /** The only price of the day, or the time-weighted mean of its prices. */
  readonly price: number;
  readonly varies: boolean;
}

/** The prices that the fold of a day needs, by channel number. */
export interface DayPrices {
  readonly prices: readonly (DayPrice | undefined)[];
  /** The day's price steps; undefined if there is no price, or only one. */
  readonly steps: readonly (PriceSteps | undefined)[];
}

/** The prices of one plant in its calendar. */
export interface PlantPrices {
  ofDay(day: DayWindow): DayPrices;
  /** The price per kWh at an instant; undefined if unknown. */
  at(use: TariffUse, at: number): number | undefined;
  /** The time-weighted mean price between two instants; undefined if none was known by then. */
  mean(use: TariffUse, fromAt: number, toAt: number): number | undefined;
}

const NONE: DayPrices = { prices: [], steps: [] };
/** The prices of plants for which no price is known. */
export const NO_PRICES: PlantPrices = {
  ofDay: () => NONE,
  at: () => undefined,
  mean: () => undefined,
};

const byText = new Map<
  string | number,
  { readonly priced: Priced; readonly byCalendar: WeakMap<PlantCalendar, PlantPrices> }
>();
const TEXTS_KEPT = 2_000;

/** The prices of a plant. Plants with the same prices and calendar share an instance. */
export function plantPrices(
  { tariffs, pricePerKwh }: Priced,
  calendar: PlantCalendar,
): PlantPrices {
  if (tariffs === null && pricePerKwh === null) return NO_PRICES;
  const text = tariffs === null ? pricePerKwh! : `${pricePerKwh} ${tariffs}`;
  let known = byText.get(text);
  if (!known) {
    if (byText.size >= TEXTS_KEPT) byText.clear();
    byText.set(text, (known = { priced: { tariffs, pricePerKwh }, byCalendar: new WeakMap() }));
  }
  let prices = known.byCalendar.get(calendar);
  if (!prices) known.byCalendar.set(calendar, (prices = createPlantPrices(known.priced, calendar)));
  return prices;
}

// Number of days kept: enough to recalculate a month and some days around it.
const DAYS_KEPT = 40;

function createPlantPrices(priced: Priced, calendar: PlantCalendar): PlantPrices {
  const tariffs = tariffsOf(priced);
  const plans = energyChannels.map((name) => {
    const use = channelUses[name];
    const versions = use && tariffs[use];
    return versions && versions.length > 0 ? createPricePlan(versions, calendar) : undefined;
  });
  const days = new Map<number, DayPrices>();
  const planOf = (use: TariffUse): PricePlan | undefined =>
    plans[energyChannels.findIndex((name) => channelUses[name] === use)];
  const at: PlantPrices['at'] = (use, instant) => planOf(use)?.priceAt(instant);
  const mean: PlantPrices['mean'] = (use, fromAt, toAt) => {
    const steps = planOf(use)?.stepsBetween(fromAt, toAt);
    return steps && meanPrice(steps, fromAt, toAt);
  };
  const make = ({ startAt, endAt }: DayWindow): DayPrices => {
    const steps = plans.map((plan) => plan?.stepsBetween(startAt, endAt));
    return {
      prices: steps.map(
        (of) => of && { price: meanPrice(of, startAt, endAt), varies: of.prices.length > 1 },
      ),
      steps: steps.map((of) => (of && of.prices.length > 1 ? of : undefined)),
    };
  };
  if (plans.every((plan) => plan === undefined || plan.constant)) {
    const always = make({ startAt: 0, endAt: 0 });
    return { at, mean, ofDay: () => always };
  }
  return {
    at,
    mean,
    ofDay(day) {
      let prices = days.get(day.startAt);
      if (!prices) {
        if (days.size >= DAYS_KEPT) days.clear();
        days.set(day.startAt, (prices = make(day)));
      }
      return prices;
    },
  };
}

/** The prices of one use over all time. */
interface PricePlan {
  /** Whether there is one price for all time. */
  readonly constant: boolean;
  priceAt(at: number): number | undefined;
  /** undefined if there is no price before `toAt`; what lies before the first price is worth nothing. */
  stepsBetween(fromAt: number, toAt: number): PriceSteps | undefined;
}

function createPricePlan(versions: readonly TariffVersion[], calendar: PlantCalendar): PricePlan {
  const windows = new Map(
    versions.map((version) => [version, (version.windows ?? []).map(compile)]),
  );
  const beginsAt = versions[0]!.fromAt;
  const priceAt = (at: number): number | undefined => {
    const version = versionAt(versions, at);
    if (!version) return undefined;
    const own = windows.get(version)!;
    if (own.length === 0) return version.pricePerKwh;
    const wall = at + calendar.offsetAt(at);
    return own.find((window) => window.holdsAt(wall))?.pricePerKwh ?? version.pricePerKwh;
  };
  return {
    constant: versions.length === 1 && beginsAt === 0 && !versions[0]!.windows,
    priceAt,
    stepsBetween(fromAt, toAt) {
      if (beginsAt > 0 && beginsAt >= toAt) return undefined;
      const changes = new Set([fromAt]);
      for (const version of versions)
        if (version.fromAt > fromAt && version.fromAt < toAt) changes.add(version.fromAt);
      const inForce = versions.filter(
        (version, i) => version.fromAt < toAt && (versions[i + 1]?.fromAt ?? Infinity) > fromAt,
      );
      const minutes = new Set(
        inForce.flatMap((version) => windows.get(version)!.flatMap(({ edges }) => edges)),
      );
      if (minutes.size > 0)
        for (const at of wallInstants(calendar, fromAt, toAt, [...minutes])) changes.add(at);
      const steps = { fromAts: [] as number[], prices: [] as number[] };
      for (const at of [...changes].toSorted((a, b) => a - b)) {
        const price = priceAt(at) ?? 0;
        if (price === steps.prices.at(-1)) continue;
        steps.fromAts.push(at);
        steps.prices.push(price);
      }
      return steps;
    },
  };
}

interface CompiledWindow {
  readonly pricePerKwh: number;
  /** Minutes of the day at which the price may change. */
  readonly edges: readonly number[];
  /** Whether the window applies at a local time (milliseconds as if it were UTC). */
  holdsAt(wall: number): boolean;
}

function compile({ start, end, days, months, pricePerKwh }: TariffWindow): CompiledWindow {
  const [from, to] = [minuteOf(start), minuteOf(end)];
  const beginsOn = (wall: number): boolean => {
    const date = new Date(wall);
    return (
      (days?.includes(weekDays[(date.getUTCDay() + 6) % 7]!) ?? true) &&
      (months?.includes(date.getUTCMonth() + 1) ?? true)
    );
  };
  return {
    pricePerKwh,
    edges: [from, to],
    holdsAt(wall) {
      const minute = Math.floor((wall % DAY_MS) / MINUTE_MS);
      if (from < to) return minute >= from && minute < to && beginsOn(wall);
      return (minute >= from && beginsOn(wall)) || (minute < to && beginsOn(wall - DAY_MS));
    },
  };
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The instants within a period at which local time reaches one of the given minutes of the day or midnight, or jumps. */
function wallInstants(
  calendar: PlantCalendar,
  fromAt: number,
  toAt: number,
  minutes: readonly number[],
): number[] {
  const instants: number[] = [];
  const jumps = offsetChanges(calendar, fromAt, toAt);
  for (const [i, segmentFrom] of [fromAt, ...jumps].entries()) {
    const segmentTo = jumps[i] ?? toAt;
    const offset = calendar.offsetAt(segmentFrom);
    for (
      let midnight = Math.floor((segmentFrom + offset) / DAY_MS) * DAY_MS;
      midnight - offset < segmentTo;
      midnight += DAY_MS
    ) {
      for (const minute of [0, ...minutes]) {
        const at = midnight + minute * MINUTE_MS - offset;
        if (at > segmentFrom && at < segmentTo) instants.push(at);
      }
    }
  }
  return [...instants, ...jumps];
}
