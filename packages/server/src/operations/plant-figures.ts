import type { Channel, Energies, QuantityName, Values } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import { lastReportOf, sumEnergies, type MeasuredStretch } from './figures.ts';
import { channelSources, meanSources, powerSources, type Sources } from './plant-sources.ts';

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

/** Energies of a plant: the sums over all that ever stood in it. */
export function plantEnergies(groups: KindGroups): Energies {
  const sums = new Map<DeviceKind, Energies>();
  for (const [kind, { all }] of groups) sums.set(kind, sumEnergies(all));
  const energies: { [C in Channel]?: Energies[C] } = {};
  for (const [channel, sources] of channelSources) {
    // A meter that was taken away does not stand for the inverters that are left.
    const standing = sources.find((kind) => groups.get(kind)?.standing.some((measured) => measured.energies[channel] !== undefined));
    const kind = standing ?? sources.find((one) => sums.get(one)?.[channel] !== undefined);
    if (kind !== undefined) energies[channel] = sums.get(kind)![channel];
  }
  return energies;
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
  return values;
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
