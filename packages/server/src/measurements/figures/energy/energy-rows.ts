import type { Channel, EnergyRow } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import type { Priced } from '../../../fleet/plants/tariffs/tariffs.ts';
import { timeZoneAt, yearOf, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { DayRollup, ChannelEnergies, Energy, MonthRollup } from '../../telemetry/telemetry.ts';
import { channelPrecedence, irradiations } from '../plant/precedence.ts';
import { onlyPeak, type Peak } from '../plant/peak.ts';
import { buyPriceIn, ownKwh, partsOf, sumOfWorth, worthOf } from '../plant/worth.ts';
import { modulesLimit, type Modules } from '../plant/modules.ts';
import {
  dayCoverage,
  monthCoverage,
  preferredKind,
  type PeriodCoverage,
} from '../plant/preferred-kind.ts';
import { added, type Sum } from './sums.ts';
import { zoneRecord } from '../../../platform/calendar/zone-record.ts';

type Sums = { [C in Channel]?: Sum };

/** The energies of one binding in one period. */
export interface BindingPeriod {
  readonly bindingNo: number;
  /** First day of the period, yyyymmdd. */
  readonly firstDay: number;
  readonly coverage: PeriodCoverage;
  readonly energies: ChannelEnergies;
  /** Highest AC power. Only for days: roll-ups of months do not hold it. */
  readonly peak?: Peak;
}

export const ofDays = (days: readonly DayRollup[]): BindingPeriod[] =>
  days.map((rollup) => {
    const { bindingNo, energies, day, peakPowerW, peakPowerAt } = rollup;
    return {
      bindingNo,
      energies,
      firstDay: day,
      coverage: dayCoverage(rollup),
      ...(peakPowerW !== null && { peak: { peakPowerW, peakPowerAt } }),
    };
  });

export const ofMonths = (months: readonly MonthRollup[]): BindingPeriod[] =>
  months.map((rollup) => ({
    bindingNo: rollup.bindingNo,
    energies: rollup.energies,
    firstDay: rollup.month * 100 + 1,
    coverage: monthCoverage(rollup),
  }));

/** Months as periods that begin on the first day of their year, so that they can be added up to years. */
export const ofYears = (months: readonly MonthRollup[]): BindingPeriod[] =>
  ofMonths(months).map((period) => ({
    ...period,
    firstDay: firstDayOfYear(yearOf(period.firstDay)),
  }));

export const firstDayOfYear = (year: number): number => year * 10_000 + 101;

/** The plant or device whose energies a row shows, with other facts that the row needs. */
export interface EnergySubject {
  readonly id: string;
  readonly currency: string;
  readonly ratedKw: number | null;
  readonly zones: Zones;
  /** The kind of device of each of the subject's bindings, by the binding's number. */
  readonly kinds: ReadonlyMap<number, DeviceKind>;
  /** Set for a plant, where each channel comes from the preferred kind of device; undefined for a single device, to which all the bindings then belong. */
  readonly modules: Modules | undefined;
  /** The prices of a plant; undefined for a single device. */
  readonly priced?: Priced | undefined;
}

/** The row of one period, from all energies of the subject's bindings in it; `at` is the row's time. */
export function energyRow(
  subject: EnergySubject,
  firstDay: number,
  at: number,
  periods: readonly BindingPeriod[],
  now: number,
): EnergyRow {
  const { id, currency, ratedKw, zones } = subject;
  const sums = subject.modules
    ? plantSums(subject.modules, subject, firstDay, periods)
    : sumsOf(periods);
  return {
    id,
    at,
    currency,
    ratedKw,
    kwh: Object.fromEntries(Object.entries(sums).map(([channel, { kwh }]) => [channel, kwh])),
    day: firstDay,
    standardOffsetMinutes: zoneRecord(timeZoneAt(zones, at), now).standardOffsetMinutes,
    estimated: isEstimated(sums),
    income: sums.production?.amount,
    importCost: sums.gridImport?.amount,
    exportIncome: sums.gridExport?.amount,
    ...worthOfRow(subject, sums, periods, now),
    ...(subject.modules
      ? onlyPeak(
          periods.flatMap(({ bindingNo, peak }) =>
            peak ? [{ kind: subject.kinds.get(bindingNo), peak }] : [],
          ),
        )
      : highestPeak(periods)),
  };
}

/** What the energy of a plant in the row's period was worth. */
function worthOfRow(
  { priced, kinds, zones }: EnergySubject,
  sums: Sums,
  periods: readonly BindingPeriod[],
  now: number,
): Pick<EnergyRow, 'saved' | 'worth' | 'worthOf'> {
  if (!priced) return {};
  const worth = worthOf(sums, () => {
    let sum: number | undefined;
    for (const [period, own] of Map.groupBy(periods, ({ coverage }) => coverage.period)) {
      const kwh = ownKwh(bestSums(kinds, own));
      const price = kwh === undefined ? undefined : buyPriceIn(priced, zones, period, now);
      if (price !== undefined) sum = (sum ?? 0) + kwh! * price;
    }
    return sum;
  });
  const sum = sumOfWorth(worth);
  return {
    saved: worth.saved,
    worth: sum,
    worthOf: sum === undefined ? undefined : partsOf(worth),
  };
}

/** Whether the production is estimated or, without production, any energy. */
const isEstimated = (sums: Sums): boolean =>
  sums.production
    ? sums.production.estimated
    : Object.values(sums).some(({ estimated }) => estimated);

/** The highest peak; a device that left and came back has several. */
const highestPeak = (periods: readonly BindingPeriod[]): Peak | undefined =>
  periods.flatMap(({ peak }) => peak ?? []).toSorted((a, b) => b.peakPowerW! - a.peakPowerW!)[0];

function sumsOf(periods: readonly BindingPeriod[]): Sums {
  const sums: Sums = {};
  for (const { energies } of periods) {
    for (const [channel, { energyKwh, amount, estimated }] of Object.entries(energies) as [
      Channel,
      Energy,
    ][]) {
      sums[channel] = added(sums[channel], { kwh: energyKwh, amount, estimated });
    }
  }
  return sums;
}

function plantSums(
  modules: Modules,
  { kinds, zones }: EnergySubject,
  firstDay: number,
  periods: readonly BindingPeriod[],
): Sums {
  const sums = bestSums(kinds, periods);
  const isOneDay = periods.every(({ coverage }) => coverage.period === firstDay);
  return isOneDay && sums.production
    ? { ...sums, production: modulesLimit(modules, zones, firstDay)(sums.production) }
    : sums;
}

/** The sums over all days or months, each taken from the preferred kind of device. */
export function bestSums(kinds: EnergySubject['kinds'], periods: readonly BindingPeriod[]): Sums {
  const sums: Sums = {};
  for (const ofOne of Map.groupBy(periods, ({ coverage }) => coverage.period).values()) {
    const byKind = Map.groupBy(ofOne, ({ bindingNo }) => kinds.get(bindingNo)!);
    const sumsByKind = new Map([...byKind].map(([kind, own]) => [kind, sumsOf(own)]));
    for (const [channel, sources] of channelPrecedence) {
      const best = preferredKind(
        sources,
        (kind) => byKind.get(kind)?.map(({ coverage }) => coverage),
        channel,
      );
      const sum = best && sumsByKind.get(best)![channel];
      if (sum) sums[channel] = added(sums[channel], sum);
    }
    for (const channel of irradiations) {
      const fullest = fullestOf(ofOne, channel)?.energies[channel];
      if (fullest)
        sums[channel] = added(sums[channel], {
          kwh: fullest.energyKwh,
          amount: undefined,
          estimated: fullest.estimated,
        });
    }
  }
  return sums;
}

/** Measurements of several weather stations are not added up: each day or month uses the station that covered most of it. */
function fullestOf(periods: readonly BindingPeriod[], channel: Channel): BindingPeriod | undefined {
  let [fullest, most] = [undefined as BindingPeriod | undefined, -Infinity];
  for (const period of periods) {
    const extent = period.coverage.extent(channel) ?? -Infinity;
    if (extent > most) [fullest, most] = [period, extent];
  }
  return fullest;
}
