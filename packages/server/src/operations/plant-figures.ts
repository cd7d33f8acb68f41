import type { Channel, Energies, QuantityName, Values } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import { GRACE_MS } from '../devices/reporting.ts';
import { lastReportOf, sumEnergies, type MeasuredStretch } from './figures.ts';

type Sources = readonly DeviceKind[];

// Who is asked for a figure, the best one first: what a meter at the grid connection measured is not counted again from the inverters.
const inverters: Sources = ['inverter'];
const invertersOrMeter: Sources = ['inverter', 'epm'];
const metersOrInverters: Sources = ['epm', 'ammeter', 'inverter'];

const channelSources: Record<Channel, Sources> = {
  production: invertersOrMeter,
  gridImport: metersOrInverters,
  gridExport: metersOrInverters,
  batteryCharge: inverters,
  batteryDischarge: inverters,
  load: metersOrInverters,
  backup: inverters,
  generator: inverters,
};

const powerSources = {
  acPowerW: invertersOrMeter,
  gridPowerW: metersOrInverters,
  loadPowerW: metersOrInverters,
  batteryPowerW: inverters,
  backupPowerW: inverters,
  generatorPowerW: inverters,
} as const satisfies Partial<Record<QuantityName, Sources>>;

const isStanding = ({ stretch }: MeasuredStretch): boolean => stretch.toAt === null;

/** Energies of a plant: the sums over all that ever stood in it. */
export function plantEnergies(stretches: readonly MeasuredStretch[]): Energies {
  const sums = new Map<DeviceKind, Energies>();
  const sumOf = (kind: DeviceKind): Energies => {
    let sum = sums.get(kind);
    if (!sum) sums.set(kind, (sum = sumEnergies(stretches.filter(({ stretch }) => stretch.kind === kind))));
    return sum;
  };
  const standing = stretches.filter(isStanding);
  const energies: { [C in Channel]?: Energies[C] } = {};
  for (const [channel, sources] of Object.entries(channelSources) as [Channel, Sources][]) {
    const has = (measured: MeasuredStretch): boolean => measured.energies[channel] !== undefined;
    // A meter that was taken away does not stand for the inverters that are left.
    const kind = bestKind(standing, sources, has) ?? bestKind(stretches, sources, has);
    if (kind !== undefined) energies[channel] = sumOf(kind)[channel];
  }
  return energies;
}

const bestKind = (stretches: readonly MeasuredStretch[], sources: Sources, has: (stretch: MeasuredStretch) => boolean): DeviceKind | undefined =>
  sources.find((kind) => stretches.some((measured) => measured.stretch.kind === kind && has(measured)));

/** Powers of a plant as of its last reading: the sums over what stands in it now and reported then. */
export function plantValues(stretches: readonly MeasuredStretch[]): Values {
  const standing = stretches.filter(isStanding);
  const since = (lastReportOf(standing) ?? Infinity) - GRACE_MS;
  const fresh = (name: QuantityName, sources: Sources): number[] => {
    const valueOf = ({ latest }: MeasuredStretch): number | undefined => ((latest?.valuesAt[name] ?? -Infinity) >= since ? latest?.values[name] : undefined);
    const kind = bestKind(standing, sources, (measured) => valueOf(measured) !== undefined);
    return standing.flatMap((measured) => (measured.stretch.kind === kind ? (valueOf(measured) ?? []) : []));
  };
  const values: { [Name in QuantityName]?: number } = {};
  for (const [name, sources] of Object.entries(powerSources) as [keyof typeof powerSources, Sources][]) {
    const powers = fresh(name, sources);
    if (powers.length > 0) values[name] = sum(powers);
  }
  const charges = fresh('batterySocPercent', inverters);
  if (charges.length > 0) values.batterySocPercent = sum(charges) / charges.length;
  return values;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
