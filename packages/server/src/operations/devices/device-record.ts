import type { Channel, CollectorSummary, DeviceFacts, DeviceRecord, Energies, PeriodEnergies, PlantFacts, PlantSummary, Values } from '@helioport/contract';
import { bindingsOfDevices } from '../../plants/bindings.ts';
import type { VisibleDevice } from '../../plants/device-access.ts';
import { zonesOf } from '../../plants/zones.ts';
import { addDays, dayOf } from '../../calendar/plant-calendar.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { lastReportOf, measured, sumEnergies, type MeasuredBinding } from '../../figures/figures.ts';
import { isAbnormal, presenceOf, stateOf } from '../states.ts';
import { zoneRecord } from '../../calendar/zone-record.ts';
import { observedFacts } from '../../figures/observed-facts.ts';

/** A device and what it measured in the plant where it stands. */
export interface DeviceMeasurements {
  readonly device: VisibleDevice;
  readonly bindings: readonly MeasuredBinding[];
  /** Local day of the plant. */
  readonly today: number;
  readonly now: number;
}

/** What was measured by some devices in the plants where they stand: two statements, however many devices there are. */
export async function deviceMeasurements({ db, clock, telemetry }: OperationDependencies, devices: readonly VisibleDevice[]): Promise<DeviceMeasurements[]> {
  if (devices.length === 0) return [];
  const now = clock.now();
  const standsIn = new Map(devices.map(({ id, plantId }) => [id, plantId]));
  const [everywhere, zonesByPlant] = await Promise.all([bindingsOfDevices(db, [...standsIn.keys()]), zonesOf(db, devices)]);
  // What a device measured elsewhere belongs to the plants where it stood then.
  const here = everywhere.filter(({ deviceId, plantId }) => standsIn.get(deviceId) === plantId);
  const latest = await telemetry.latestOf(
    db,
    here.map(({ no }) => no),
    now,
  );
  const today = new Map([...zonesByPlant].map(([plantId, zones]) => [plantId, dayOf(zones, now)]));
  const byDevice = Map.groupBy(
    measured(here, latest, (plantId) => today.get(plantId)!),
    ({ binding }) => binding.deviceId,
  );
  return devices.map((device) => ({ device, bindings: byDevice.get(device.id) ?? [], today: today.get(device.plantId)!, now }));
}

/** What the record of every kind of device has. */
export function deviceRecord({ device, bindings, now }: DeviceMeasurements): DeviceRecord {
  const values = latestValues(bindings);
  const energies = sumEnergies(bindings);
  return {
    id: device.id,
    sn: device.sn,
    name: device.name,
    model: device.model,
    createdAt: device.createdAt,
    plant: plantSummary(device, now),
    collector: collectorSummary(device),
    facts: { ...observedFacts(values), ...(JSON.parse(device.facts) as DeviceFacts) },
    state: stateOf(device.state),
    abnormallyOffline: isAbnormal(device.state, device.offlineAbnormal),
    values,
    energies,
    income: energies.production?.amounts,
    lastReportAt: lastReportOf(bindings),
  };
}

/** Adds the energies of the day before, which cost one more statement. */
export async function withYesterday<R extends DeviceRecord>(
  { db, telemetry }: OperationDependencies,
  { bindings, today }: DeviceMeasurements,
  record: R,
): Promise<R> {
  const yesterday = addDays(today, -1);
  const numbers = bindings.map(({ binding }) => binding.no);
  const energies: { [C in Channel]?: PeriodEnergies } = { ...(record.energies as { [C in Channel]?: PeriodEnergies }) };
  for (const day of await telemetry.daysOf(db, numbers, yesterday, yesterday)) {
    for (const [channel, { energyKwh }] of Object.entries(day.energies) as [Channel, { energyKwh: number }][]) {
      energies[channel] = { ...energies[channel], yesterdayKwh: (energies[channel]?.yesterdayKwh ?? 0) + energyKwh };
    }
  }
  return { ...record, energies: energies satisfies Energies };
}

/** The plant as the records of its devices show it. */
export const plantSummary = (device: VisibleDevice, now: number): PlantSummary => ({
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

/** The values of the newest binding that has any. */
export const latestValues = (bindings: readonly MeasuredBinding[]): Values => bindings.findLast(({ latest }) => latest)?.latest?.values ?? {};

function collectorSummary({ collectorId, collectorSn, collectorName, collectorModel, collectorState }: VisibleDevice): CollectorSummary | undefined {
  if (collectorId === null || collectorSn === null || collectorState === null) return undefined;
  return { id: collectorId, sn: collectorSn, name: collectorName, model: collectorModel, state: presenceOf(collectorState) };
}
