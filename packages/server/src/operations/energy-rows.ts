import type { Channel, EnergyRow } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import type { ZoneSpan } from '../plants/zones.ts';
import type { DayRollup, Energies, MonthRollup } from '../telemetry/telemetry.ts';
import { channelSources } from './plant-sources.ts';
import { zoneRecord } from './zone-record.ts';

type Kwh = { [C in Channel]?: number };

/** The energies of one stretch in one period. */
export interface PeriodEnergies {
  readonly binding: number;
  /** First day of the period, yyyymmdd. */
  readonly firstDay: number;
  readonly energies: Energies;
}

export const ofDays = (days: readonly DayRollup[]): PeriodEnergies[] => days.map(({ binding, day, energies }) => ({ binding, energies, firstDay: day }));

export const ofMonths = (months: readonly MonthRollup[]): PeriodEnergies[] =>
  months.map(({ binding, month, energies }) => ({ binding, energies, firstDay: month * 100 + 1 }));

/** Months under the first day of their year. */
export const ofYears = (months: readonly MonthRollup[]): PeriodEnergies[] =>
  months.map(({ binding, month, energies }) => ({ binding, energies, firstDay: firstDayOfYear(Math.trunc(month / 100)) }));

export const firstDayOfYear = (year: number): number => year * 10_000 + 101;

/** Whose energies a row tells, and what it needs beside them. */
export interface EnergySubject {
  readonly id: string;
  readonly currency: string;
  readonly pricePerKwh: number | null;
  readonly ratedKw: number | null;
  readonly zones: readonly ZoneSpan[];
  /** The subject's stretches by number. */
  readonly kinds: ReadonlyMap<number, DeviceKind>;
  /** It is a plant: each channel is that of the best kind of devices. Else all stretches are those of one device. */
  readonly isPlant: boolean;
}

/** A row of a period from all that the subject's stretches have in it; `at` stands for the period. */
export function energyRow(subject: EnergySubject, firstDay: number, at: number, periods: readonly PeriodEnergies[], now: number): EnergyRow {
  const { id, currency, ratedKw, pricePerKwh, zones } = subject;
  const kwh = subject.isPlant ? bestSums(subject.kinds, periods) : sums(periods);
  const zone = zones.findLast(({ fromAt }) => fromAt <= at) ?? zones[0]!;
  return {
    id,
    at,
    currency,
    ratedKw,
    kwh,
    day: firstDay,
    standardOffsetMinutes: zoneRecord(zone.timeZone, now).standardOffsetMinutes,
    income: pricePerKwh === null || kwh.production === undefined ? undefined : kwh.production * pricePerKwh,
  };
}

function sums(periods: readonly PeriodEnergies[]): Kwh {
  const kwh: Kwh = {};
  for (const { energies } of periods) {
    for (const [channel, { energyKwh }] of Object.entries(energies) as [Channel, { energyKwh: number }][]) kwh[channel] = (kwh[channel] ?? 0) + energyKwh;
  }
  return kwh;
}

function bestSums(kinds: EnergySubject['kinds'], periods: readonly PeriodEnergies[]): Kwh {
  const byKind = new Map([...Map.groupBy(periods, ({ binding }) => kinds.get(binding))].map(([kind, own]) => [kind, sums(own)]));
  const kwh: Kwh = {};
  for (const [channel, sources] of channelSources) {
    const best = sources.find((kind) => byKind.get(kind)?.[channel] !== undefined);
    if (best !== undefined) kwh[channel] = byKind.get(best)![channel]!;
  }
  return kwh;
}
