import type { Channel, Energies, PeriodEnergies, QuantityName, Values } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import { monthOf, yearOf } from '../telemetry/plant-day.ts';
import type { MonthRollup } from '../telemetry/telemetry.ts';
import { bestSums, ofMonths } from './energy-rows.ts';
import { lastReportOf, sumEnergies, type MeasuredStretch } from './figures.ts';
import { channelSources, meanSources, powerSources, weatherQuantities, type Sources } from './plant-sources.ts';
import { dayRecord, tellingKind } from './telling-kinds.ts';

/** For how long before the plant's last reading a device's value still counts beside it. */
const FRESH_MS = 45 * 60_000;

/** A plant's devices by kind: those that stand in it, and all that ever did. */
export interface KindGroup {
  readonly all: MeasuredStretch[];
  readonly standing: MeasuredStretch[];
}

export type KindGroups = ReadonlyMap<DeviceKind, KindGroup>;

export function groupByKind(stretches: readonly MeasuredStretch[]): KindGroups {
  const groups = new Map<DeviceKind, KindGroup>();
  for (const measured of stretches) {
    const { kind, toAt } = measured.stretch;
    let group = groups.get(kind);
    if (!group) groups.set(kind, (group = { all: [], standing: [] }));
    group.all.push(measured);
    if (toAt === null) group.standing.push(measured);
  }
  return groups;
}

/** The sums of each kind over all that ever stood in the plant. */
const sumsByKind = (groups: KindGroups): ReadonlyMap<DeviceKind, Energies> => new Map([...groups].map(([kind, { all }]) => [kind, sumEnergies(all)]));

/** Whether more than one kind of devices tells a channel of the plant: then it depends on the period whose word counts. */
export const isToldTwice = (groups: KindGroups): boolean => {
  const tells = (kind: DeviceKind, channel: Channel): boolean => groups.get(kind)?.all.some(({ energies }) => energies[channel]) ?? false;
  return channelSources.some(([channel, sources]) => sources.filter((kind) => tells(kind, channel)).length > 1);
};

/** Energies of a plant: the sums over all that ever stood in it. `months` are needed where a channel is told twice. */
export function plantEnergies(groups: KindGroups, today: number, months: readonly MonthRollup[]): Energies {
  const sums = sumsByKind(groups);
  const energies: { [C in Channel]?: Energies[C] } = {};
  for (const [channel, sources] of channelSources) {
    const [kind, other] = sources.filter((one) => sums.get(one)?.[channel] !== undefined);
    if (kind === undefined) continue;
    energies[channel] = other === undefined ? sums.get(kind)![channel] : toldByPeriod(groups, today, months, channel, sums.get(kind)![channel]!);
  }
  return energies;
}

/** Day and months from the kind that tells each best; the total is what they give together, or what the best kind counted in its life. */
function toldByPeriod(groups: KindGroups, today: number, months: readonly MonthRollup[], channel: Channel, ofBest: PeriodEnergies): PeriodEnergies {
  const sources = channelSources.find(([name]) => name === channel)![1];
  const now = new Map([...groups].map(([kind, { all }]) => [kind, all.filter(({ latest }) => latest?.day === today)]));
  const recordsNow = (kind: DeviceKind) => now.get(kind)?.map(({ latest }) => dayRecord(latest!));
  const kindNow = tellingKind(sources, recordsNow, channel);
  const ofToday = kindNow && sumEnergies(now.get(kindNow)!)[channel];
  const kinds = new Map([...groups].flatMap(([kind, { all }]) => all.map(({ stretch }) => [stretch.no, kind] as const)));
  const row = (of: (month: number) => boolean) => bestSums(kinds, ofMonths(months.filter(({ month }) => of(month))))[channel];
  const [ofMonth, ofYear, ofAll] = [row((month) => month === monthOf(today)), row((month) => yearOf(month * 100) === yearOf(today)), row(() => true)];
  const life = (ofBest.totalKwh ?? 0) > (ofAll?.kwh ?? 0);
  return {
    todayKwh: ofToday?.todayKwh ?? 0,
    monthKwh: ofMonth?.kwh ?? 0,
    yearKwh: ofYear?.kwh ?? 0,
    totalKwh: life ? ofBest.totalKwh : ofAll?.kwh,
    ...(ofAll?.amount !== undefined && {
      amounts: {
        today: ofToday?.amounts?.today ?? 0,
        month: ofMonth?.amount ?? 0,
        year: ofYear?.amount ?? 0,
        total: life ? ofBest.amounts?.total : ofAll.amount,
      },
    }),
  };
}

/** Powers of a plant as of its last reading: the sums over what stands in it now and reported then. */
export function plantValues(groups: KindGroups): Values {
  let last = -Infinity;
  for (const { standing } of groups.values()) last = Math.max(last, lastReportOf(standing) ?? -Infinity);
  const values: { [Name in QuantityName]?: number } = {};
  for (const [name, sources] of powerSources) {
    const fresh = sumFresh(groups, sources, name, last - FRESH_MS);
    if (fresh) values[name] = fresh.sum;
  }
  for (const [name, sources] of meanSources) {
    const fresh = sumFresh(groups, sources, name, last - FRESH_MS);
    if (fresh) values[name] = fresh.sum / fresh.count;
  }
  const station = newestOf(groups.get('weather')?.standing ?? []);
  for (const name of weatherQuantities) {
    const value = station?.values[name];
    if (value !== undefined && station!.valuesAt[name]! >= last - FRESH_MS) values[name] = value;
  }
  return values;
}

/** The newest that is known of the device that reported last. */
function newestOf(stretches: readonly MeasuredStretch[]): MeasuredStretch['latest'] {
  let newest: MeasuredStretch['latest'];
  for (const { latest } of stretches) if (latest && latest.lastAt > (newest?.lastAt ?? -Infinity)) newest = latest;
  return newest;
}

/** The values since a time of the best kind that has any. */
function sumFresh(groups: KindGroups, sources: Sources, name: QuantityName, since: number): { sum: number; count: number } | undefined {
  for (const kind of sources) {
    let [sum, count] = [0, 0];
    for (const { latest } of groups.get(kind)?.standing ?? []) {
      const value = latest?.values[name];
      if (value === undefined || latest!.valuesAt[name]! < since) continue;
      sum += value;
      count += 1;
    }
    if (count > 0) return { sum, count };
  }
  return undefined;
}
