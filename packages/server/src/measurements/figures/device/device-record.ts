import type {
  ChannelName,
  CollectorSummary,
  DeviceFacts,
  DeviceRecord,
  Energies,
  PeriodEnergies,
  PlantFacts,
  PlantSummary,
  Values,
} from '@helioport/contract';
import { bindingsOfDevices } from '../../../fleet/plants/bindings.ts';
import type { VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { addDays, dayOf, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { DayRollup, Ends } from '../../telemetry/telemetry.ts';
import { mayHaveStart } from '../starts.ts';
import type { FigureSources } from '../sources.ts';
import {
  lastReportOfBinding,
  measured,
  sumEnergies,
  type MeasuredBinding,
} from '../measured-bindings.ts';
import { isAbnormal, presenceOf, shownStateOf } from '../states.ts';
import { zoneRecord } from '../../../platform/calendar/zone-record.ts';
import { observedFacts } from './observed-facts.ts';

/** A device and its measurements in its current plant. */
export interface DeviceMeasurements {
  readonly device: VisibleDevice;
  readonly bindings: readonly MeasuredBinding[];
  readonly zones: Zones;
  /** The plant's local day, yyyymmdd. */
  readonly today: number;
  readonly now: number;
  /** The result of `endsOf` for the bindings of all these devices, if it was requested. */
  readonly ends: Ends | undefined;
}

/** The measurements of devices in their current plants. The number of statements does not depend on the number of devices. */
export async function deviceMeasurements(
  { db, clock, telemetry }: FigureSources,
  devices: readonly VisibleDevice[],
  wanted: { readonly ends: boolean } = { ends: false },
): Promise<DeviceMeasurements[]> {
  if (devices.length === 0) return [];
  const now = clock.now();
  const standsIn = new Map(devices.map(({ id, plantId }) => [id, plantId]));
  const [everywhere, zonesByPlant] = await Promise.all([
    bindingsOfDevices(db, [...standsIn.keys()]),
    zonesOf(db, devices),
  ]);
  // The measurements of a device in other plants belong to those plants.
  const here = everywhere.filter(({ deviceId, plantId }) => standsIn.get(deviceId) === plantId);
  const bindingNos = here.map(({ no }) => no);
  const first = here.flatMap((binding) =>
    wanted.ends && mayHaveStart(binding) ? [binding.no] : [],
  );
  const ends = wanted.ends ? await telemetry.endsOf(db, { bindingNos, first, now }) : undefined;
  const latest = ends?.latest ?? (await telemetry.latestOf(db, bindingNos, now));
  const today = new Map([...zonesByPlant].map(([plantId, zones]) => [plantId, dayOf(zones, now)]));
  const byDevice = Map.groupBy(
    measured(here, latest, (plantId) => today.get(plantId)!),
    ({ binding }) => binding.deviceId,
  );
  return devices.map((device) => ({
    device,
    bindings: byDevice.get(device.id) ?? [],
    zones: zonesByPlant.get(device.plantId)!,
    today: today.get(device.plantId)!,
    now,
    ends,
  }));
}

/** The fields that the records of all kinds of device have. */
export function deviceRecord({ device, bindings, now }: DeviceMeasurements): DeviceRecord {
  const values = latestValues(bindings);
  const energies = sumEnergies(bindings);
  return {
    id: device.id,
    sn: device.sn,
    name: device.name,
    model: device.model,
    createdAt: device.createdAt,
    plant: plantSummaryOf(device, now),
    collector: collectorSummary(device),
    facts: { ...observedFacts(values), ...(JSON.parse(device.facts) as DeviceFacts) },
    state: shownStateOf(device.state),
    abnormallyOffline: isAbnormal(device.state, device.offlineAbnormal),
    values,
    energies,
    income: energies.production?.amounts,
    lastReportAt: lastReportOfBinding(bindings),
  };
}

const YESTERDAYS: readonly ChannelName[] = [
  'batteryCharge',
  'batteryDischarge',
  'gridImport',
  'gridExport',
  'load',
  'backup',
];

/** Adds yesterday's energies to the records of devices that measure more than production. The measurements must have been read with `ends`. */
export async function withYesterdays<R extends DeviceRecord>(
  sources: FigureSources,
  devices: readonly DeviceMeasurements[],
  records: readonly R[],
): Promise<R[]> {
  const measuring = devices.filter((_, i) =>
    YESTERDAYS.some((channel) => records[i]!.energies[channel]),
  );
  const yesterdays = await findYesterdays(sources, measuring);
  return records.map((record, i) => {
    const days = devices[i]!.bindings.flatMap(({ binding }) => yesterdays.get(binding.no) ?? []);
    return days.length === 0
      ? record
      : { ...record, energies: energiesWithYesterday(record.energies, days) };
  });
}

/**
 * Yesterday's energies of each binding. Usually, yesterday is the newest stored day or the one before. A statement is needed only if days ahead of
 * the clock come after it.
 */
async function findYesterdays(
  { db, telemetry }: FigureSources,
  devices: readonly DeviceMeasurements[],
): Promise<Map<number, DayRollup>> {
  const found = new Map<number, DayRollup>();
  const hidden = new Map<number, number>();
  for (const { bindings, today, ends } of devices) {
    const yesterday = addDays(today, -1);
    for (const { binding, latest } of bindings) {
      const before = ends?.before.get(binding.no);
      const day = [latest, before].find((one) => one?.day === yesterday);
      if (day) found.set(binding.no, day);
      else if (before && before.day > yesterday) hidden.set(binding.no, yesterday);
    }
  }
  if (hidden.size === 0) return found;
  const yesterdays = [...hidden.values()];
  for (const day of await telemetry.daysOf(
    db,
    [...hidden.keys()],
    Math.min(...yesterdays),
    Math.max(...yesterdays),
  )) {
    if (day.day === hidden.get(day.bindingNo)) found.set(day.bindingNo, day);
  }
  return found;
}

function energiesWithYesterday(known: Energies, days: readonly DayRollup[]): Energies {
  const energies: { [C in ChannelName]?: PeriodEnergies } = {
    ...(known as { [C in ChannelName]?: PeriodEnergies }),
  };
  for (const day of days) {
    for (const [channel, { energyKwh }] of Object.entries(day.energies) as [
      ChannelName,
      { energyKwh: number },
    ][]) {
      energies[channel] = {
        ...energies[channel],
        yesterdayKwh: (energies[channel]?.yesterdayKwh ?? 0) + energyKwh,
      };
    }
  }
  return energies;
}

/** The plant as shown in the records of its devices. */
export const plantSummaryOf = (device: VisibleDevice, now: number): PlantSummary => ({
  id: device.plantId,
  name: device.plantName,
  ownerId: device.ownerId,
  type: device.plantType,
  currency: device.currency,
  zone: zoneRecord(device.timeZone, now),
  address: device.plantAddress,
  facts: JSON.parse(device.plantFacts) as PlantFacts,
  nmiCode: device.nmiCode,
});

/** The newest values, from the last binding that has any. */
export const latestValues = (bindings: readonly MeasuredBinding[]): Values =>
  bindings.findLast(({ latest }) => latest)?.latest?.values ?? {};

function collectorSummary({
  collectorId,
  collectorSn,
  collectorName,
  collectorModel,
  collectorState,
}: VisibleDevice): CollectorSummary | undefined {
  if (collectorId === null || collectorSn === null || collectorState === null) return undefined;
  return {
    id: collectorId,
    sn: collectorSn,
    name: collectorName,
    model: collectorModel,
    state: presenceOf(collectorState),
  };
}
