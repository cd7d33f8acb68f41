import type { ChannelName, Energies, QuantityName, Values } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import type { Latest, MonthRollup } from '../../telemetry/telemetry.ts';
import { onlyRecorded, withoutForeignPast } from './counted-before.ts';
import { lastReportOfBinding, sumEnergy, type MeasuredBinding } from '../measured-bindings.ts';
import {
  channelPrecedence,
  meanPrecedence,
  partOfPlant,
  powerPrecedence,
  weatherQuantities,
  type SourcePrecedence,
} from './precedence.ts';
import type { Starts } from '../starts.ts';
import { isUneven, reconcileKinds, coverageByKind } from './reconciliation.ts';

/** A device's value counts only if it is at most this much older than the plant's last reading. */
const FRESH_MS = 45 * 60_000;

/** A plant's devices of one kind: all that were ever in it, and those that are there now. */
export interface KindGroup {
  readonly all: MeasuredBinding[];
  readonly current: MeasuredBinding[];
}

export type KindGroups = ReadonlyMap<DeviceKind, KindGroup>;

export function groupByKind(bindings: readonly MeasuredBinding[]): KindGroups {
  const groups = new Map<DeviceKind, KindGroup>();
  for (const measured of bindings) {
    const { kind, toAt } = measured.binding;
    let group = groups.get(kind);
    if (!group) groups.set(kind, (group = { all: [], current: [] }));
    group.all.push(measured);
    if (toAt === null) group.current.push(measured);
  }
  return groups;
}

/** Whether a plant's energies need its months: two kinds measured the same channel, and which of them is used depends on the month. */
export const needsMonths = (groups: KindGroups, starts: Starts): boolean =>
  groups.size > 1 &&
  channelPrecedence.some(([channel, sources]) =>
    isUneven(coverageByKind(channel, sources, groups, starts)),
  );

/** The facts from which a plant's energies are computed, besides its devices. */
export interface PlantHistory {
  readonly starts: Starts;
  /** yyyymmdd */
  readonly today: number;
  readonly months: readonly MonthRollup[];
  /** Energy that the plant had produced before it was connected, as stated by its owner. Undefined or null: use what its first devices had counted. */
  readonly energyOffsetKwh: number | null | undefined;
}

/** Energies of a plant: the sums over all devices that were ever in it. */
export function plantEnergies(
  groups: KindGroups,
  { starts, today, months, energyOffsetKwh }: PlantHistory,
): Energies {
  const isGiven = energyOffsetKwh !== undefined && energyOffsetKwh !== null;
  const energies = sumsOf(withoutForeignPast(groups, starts, isGiven), starts, today, months);
  const { production } = energies;
  if (!isGiven || !production) return energies;
  return {
    ...energies,
    production: { ...production, totalKwh: (production.totalKwh ?? 0) + energyOffsetKwh },
  };
}

/** Energies of a plant without what its devices or its owner tell of earlier times. */
export const recordedEnergies = (
  groups: KindGroups,
  { starts, today, months }: Omit<PlantHistory, 'energyOffsetKwh'>,
): Energies => sumsOf(onlyRecorded(groups), starts, today, months);

function sumsOf(
  groups: KindGroups,
  starts: Starts,
  today: number,
  months: readonly MonthRollup[],
): Energies {
  const energies: { [C in ChannelName]?: Energies[C] } = {};
  for (const [channel, sources] of channelPrecedence) {
    const [kind, ...others] = sources.filter((source) =>
      groups.get(source)?.all.some(({ energies: measured }) => measured[channel]),
    );
    if (!kind) continue;
    energies[channel] =
      others.length === 0
        ? sumEnergy(channel, groups.get(kind)!.all)
        : reconcileKinds(channel, coverageByKind(channel, sources, groups, starts), today, months);
  }
  return energies;
}

/** Values of a plant at its last reading: sums and means over those of its current devices that reported shortly before it. */
export function plantValues(groups: KindGroups): Values {
  let last = -Infinity;
  for (const { current } of groups.values())
    last = Math.max(last, lastReportOfBinding(current) ?? -Infinity);
  const values: { [Name in QuantityName]?: number } = {};
  for (const [name, sources] of powerPrecedence) {
    const fresh = sumFresh(groups, sources, name, last - FRESH_MS);
    if (fresh) values[name] = fresh.sum;
  }
  for (const [name, sources] of meanPrecedence) {
    const fresh = sumFresh(groups, sources, name, last - FRESH_MS);
    if (fresh) values[name] = fresh.sum / fresh.count;
  }
  const station = newestOf(groups.get('weather')?.current ?? []);
  for (const name of weatherQuantities) {
    const value = station?.values[name];
    if (value !== undefined && measuredAt(station!, name) >= last - FRESH_MS) values[name] = value;
  }
  return values;
}

const measuredAt = ({ lastAt, olderAt }: Latest, name: QuantityName): number =>
  olderAt[name] ?? lastAt;

/** The newest values of the device that reported last. */
function newestOf(bindings: readonly MeasuredBinding[]): MeasuredBinding['latest'] {
  let newest: MeasuredBinding['latest'];
  for (const { latest } of bindings)
    if (latest && latest.lastAt > (newest?.lastAt ?? -Infinity)) newest = latest;
  return newest;
}

/** Sum and number of a quantity's values since a time, from the first kind of device that has any. */
function sumFresh(
  groups: KindGroups,
  sources: SourcePrecedence,
  name: QuantityName,
  since: number,
): { sum: number; count: number } | undefined {
  for (const kind of sources) {
    let [sum, count] = [0, 0];
    for (const { latest } of groups.get(kind)?.current ?? []) {
      const value = latest?.values[name];
      if (value === undefined || measuredAt(latest!, name) < since) continue;
      sum += partOfPlant(name, value);
      count += 1;
    }
    if (count > 0) return { sum, count };
  }
  return undefined;
}
