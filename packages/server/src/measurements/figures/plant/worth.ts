import type {
  ChannelName,
  Energies,
  PeriodAmounts,
  PlantWorth,
  WorthOf,
} from '@helioport/contract';
import {
  calendarOf,
  dayOf,
  daysOfMonth,
  dayWindow,
  monthOf,
  yearOf,
  type Zones,
} from '../../../platform/calendar/plant-calendar.ts';
import { plantPrices } from '../../energy/plant-prices.ts';
import { tariffsOf, type Priced, type TariffUse } from '../../../fleet/plants/tariffs/tariffs.ts';
import type { Instant } from '../../../platform/storage/database.ts';

/** Energies of a plant in one period, with their value at the prices of that time. */
export type Valued = {
  readonly [C in ChannelName]?: {
    readonly kwh?: number | null | undefined;
    readonly amount?: number | null | undefined;
  };
};

/** What the energy of one period was worth, in the plant's currency; undefined = unknown. */
export interface Worth {
  /** What did not have to be bought, at the price of buying. */
  readonly saved: number | undefined;
  /** What was received for energy sold. */
  readonly sold: number | undefined;
  /** A tariff for every kWh produced, wherever it goes. */
  readonly produced: number | undefined;
}

/**
 * The rule by which the energy of a plant is worth something. What was saved is what all consumption would have cost, less what was paid; where
 * consumption is not measured, it is what was produced and not sold, at the mean price of buying, which `ownKwhWorth` knows.
 */
export function worthOf(energies: Valued, ownKwhWorth: () => number | undefined): Worth {
  const amount = (channel: ChannelName): number | undefined =>
    energies[channel]?.amount ?? undefined;
  const [consumed, paid] = [amount('load'), amount('gridImport')];
  const saved =
    consumed !== undefined && paid !== undefined
      ? consumed + (amount('backup') ?? 0) - paid
      : ownKwhWorth();
  return {
    // A battery may be charged from the grid one day and save the next; without one, less than nothing is noise.
    saved: saved !== undefined && !energies.batteryCharge?.kwh ? Math.max(0, saved) : saved,
    sold: amount('gridExport'),
    produced: amount('production'),
  };
}

/** One figure of the parts: saved and sold or, where neither is known, the tariff of what was produced, which would else count own use twice. */
export const sumOfWorth = ({ saved, sold, produced }: Worth): number | undefined =>
  saved === undefined && sold === undefined ? produced : (saved ?? 0) + (sold ?? 0);

/** What the sum consists of. */
export const worthPartsOf = ({ saved, sold }: Worth): WorthOf =>
  saved === undefined
    ? sold === undefined
      ? 'produced'
      : 'sold'
    : sold === undefined
      ? 'saved'
      : 'savedAndSold';

/** What was produced and not sold; undefined where one of them is not known. */
export function ownKwh({ production, gridExport }: Valued): number | undefined {
  const [produced, sold] = [production?.kwh, gridExport?.kwh];
  return typeof produced === 'number' && typeof sold === 'number'
    ? Math.max(0, produced - sold)
    : undefined;
}

/** The mean price of buying in a local day (yyyymmdd) or month (yyyymm), as far as it is over. */
export function buyPriceIn(
  priced: Priced,
  zones: Zones,
  period: number,
  now: Instant,
): number | undefined {
  const isMonth = period < 1_000_000;
  const { fromDay, toDay } = isMonth ? daysOfMonth(period) : { fromDay: period, toDay: period };
  const fromAt = dayWindow(zones, fromDay).startAt;
  const toAt = Math.max(fromAt + 1, Math.min(now, dayWindow(zones, toDay).endAt));
  return plantPrices(priced, calendarOf(zones)).mean('import', fromAt, toAt);
}

/** Whether the price of buying was ever another one. */
export function buyPriceVaries(priced: Priced): boolean {
  const versions = tariffsOf(priced).import ?? [];
  return versions.length > 1 || versions.some(({ fromAt, windows }) => fromAt > 0 || windows);
}

/** A plant of whose energy the worth is asked. */
interface Asked {
  readonly priced: Priced;
  readonly zones: Zones;
  /** yyyymmdd */
  readonly today: number;
  readonly now: Instant;
  readonly firstReportAt: Instant | undefined;
  /** Energies since the plant was connected; asked for only if there are prices. */
  readonly recorded: () => Energies;
  /** What was produced and not sold in each month (yyyymm), if the price of buying varies. */
  readonly ownKwhByMonth: ReadonlyMap<number, number> | undefined;
}

const PERIODS = {
  today: 'todayKwh',
  month: 'monthKwh',
  year: 'yearKwh',
  total: 'totalKwh',
} as const satisfies Record<keyof PeriodAmounts, string>;

/** What the energy of a plant was worth; undefined without prices, or without what they apply to. */
export function plantWorth(asked: Asked): PlantWorth | undefined {
  const { priced, zones, now, firstReportAt } = asked;
  if ((priced.tariffs === null && priced.pricePerKwh === null) || firstReportAt === undefined)
    return undefined;
  const recorded = asked.recorded();
  const worths = Object.entries(PERIODS).map(([period, kwhName]) => {
    const energies: Valued = Object.fromEntries(
      Object.entries(recorded).map(([channel, of]) => [
        channel,
        { kwh: of?.[kwhName], amount: of?.amounts?.[period as keyof PeriodAmounts] },
      ]),
    );
    return [
      period,
      worthOf(energies, () => ownWorthIn(period as keyof PeriodAmounts, energies, asked)),
    ] as const;
  });
  const ever = worths.at(-1)![1];
  if (sumOfWorth(ever) === undefined) return undefined;
  const of = worthPartsOf(ever);
  return {
    sum: Object.fromEntries(worths.map(([period, worth]) => [period, sumOfWorth(worth)])),
    of,
    sinceDay: dayOf(zones, Math.min(now, Math.max(firstReportAt, beginOf(priced, of)))),
  };
}

function ownWorthIn(
  period: keyof PeriodAmounts,
  energies: Valued,
  { priced, zones, today, now, ownKwhByMonth }: Asked,
): number | undefined {
  const own = ownKwh(energies);
  if (own === undefined) return undefined;
  if (period === 'today' || !ownKwhByMonth) {
    const price = buyPriceIn(priced, zones, today, now);
    return price === undefined ? undefined : own * price;
  }
  const isMeant = {
    month: (month: number) => month === monthOf(today),
    year: (month: number) => yearOf(month * 100) === yearOf(today),
    total: () => true,
  }[period];
  let sum: number | undefined;
  for (const [month, kwh] of ownKwhByMonth) {
    const price = isMeant(month) ? buyPriceIn(priced, zones, month, now) : undefined;
    if (price !== undefined) sum = (sum ?? 0) + kwh * price;
  }
  return sum;
}

const USES: Readonly<Record<WorthOf, readonly TariffUse[]>> = {
  savedAndSold: ['import', 'export'],
  saved: ['import'],
  sold: ['export'],
  produced: ['production'],
};

/** When the first of the prices that a worth follows from came into force. */
const beginOf = (priced: Priced, of: WorthOf): Instant => {
  const tariffs = tariffsOf(priced);
  return Math.min(...USES[of].flatMap((use) => tariffs[use]?.[0]?.fromAt ?? []));
};
