import type { Channel, CollectorSummary, DeviceFacts, InverterRecord, PeriodEnergies, Values } from '@helioport/contract';
import { isOnline } from '../devices/reporting.ts';
import { stretchesOfDevices } from '../plants/bindings.ts';
import type { VisibleDevice } from '../plants/device-access.ts';
import { zonesOf } from '../plants/zones.ts';
import { addDays, dayOf } from '../telemetry/plant-day.ts';
import type { OperationDependencies } from './dependencies.ts';
import { incomeOf, lastReportOf, measured, sumEnergies, type MeasuredStretch } from './figures.ts';
import { zoneRecord } from './zone-record.ts';

/** What was measured by some inverters in the plants where they stand: two statements, however many inverters there are. */
export async function inverterMeasurements(
  { db, clock, telemetry }: OperationDependencies,
  devices: readonly VisibleDevice[],
): Promise<InverterMeasurements[]> {
  if (devices.length === 0) return [];
  const now = clock.now();
  const standsIn = new Map(devices.map(({ id, plantId }) => [id, plantId]));
  const [everywhere, zonesByPlant] = await Promise.all([stretchesOfDevices(db, [...standsIn.keys()]), zonesOf(db, devices)]);
  // What a device measured elsewhere belongs to the plants where it stood then.
  const here = everywhere.filter(({ deviceId, plantId }) => standsIn.get(deviceId) === plantId);
  const latest = await telemetry.latestOf(
    db,
    here.map(({ no }) => no),
  );
  const today = new Map([...zonesByPlant].map(([plantId, zones]) => [plantId, dayOf(zones, now)]));
  const byDevice = Map.groupBy(
    measured(here, latest, (plantId) => today.get(plantId)!),
    ({ stretch }) => stretch.deviceId,
  );
  return devices.map((device) => ({ device, stretches: byDevice.get(device.id) ?? [], today: today.get(device.plantId)!, now }));
}

/** Adds the energies of the day before, which cost one more statement. */
export async function withYesterday({ db, telemetry }: OperationDependencies, inverter: InverterMeasurements): Promise<InverterRecord> {
  const yesterday = addDays(inverter.today, -1);
  const numbers = inverter.stretches.map(({ stretch }) => stretch.no);
  const record = inverterRecord(inverter);
  const energies: { [C in Channel]?: PeriodEnergies } = {};
  for (const channel of Object.keys(record.energies) as Channel[]) energies[channel] = { ...record.energies[channel] };
  for (const day of await telemetry.daysOf(db, numbers, yesterday, yesterday)) {
    for (const [channel, { energyKwh }] of Object.entries(day.energies) as [Channel, { energyKwh: number }][]) {
      energies[channel] = { ...energies[channel], yesterdayKwh: (energies[channel]?.yesterdayKwh ?? 0) + energyKwh };
    }
  }
  return { ...record, energies };
}

/** An inverter and what it measured in the plant where it stands. */
export interface InverterMeasurements {
  readonly device: VisibleDevice;
  readonly stretches: readonly MeasuredStretch[];
  /** Local day of the plant. */
  readonly today: number;
  readonly now: number;
}

export function inverterRecord({ device, stretches, today, now }: InverterMeasurements): InverterRecord {
  const newest = stretches.findLast(({ latest }) => latest)?.latest;
  const values = newest?.values ?? {};
  const energies = sumEnergies(stretches);
  const lastReportAt = lastReportOf(stretches);
  const online = isOnline(lastReportAt, now);
  const peaked = newest?.day === today && newest.peakPowerW !== null;
  return {
    id: device.id,
    sn: device.sn,
    name: device.name,
    model: device.model,
    createdAt: device.createdAt,
    ratedPowerW: device.ratedPowerW,
    plant: {
      id: device.plantId,
      name: device.plantName,
      ownerId: device.ownerId,
      type: device.plantType,
      currency: device.currency,
      zone: zoneRecord(device.timeZone, now),
      address: device.plantAddress,
      nmiCode: device.nmiCode,
    },
    collector: collectorSummary(device, online),
    facts: { ...observedFacts(values), ...(JSON.parse(device.facts) as DeviceFacts) },
    state: online ? 'online' : 'offline',
    values,
    energies,
    income: incomeOf(energies.production, device.pricePerKwh),
    lastReportAt,
    peakPowerW: peaked ? newest.peakPowerW : undefined,
    peakPowerAt: peaked ? newest.peakPowerAt : undefined,
  };
}

function collectorSummary({ collectorId, collectorSn, collectorName, collectorModel }: VisibleDevice, online: boolean): CollectorSummary | undefined {
  if (collectorId === null || collectorSn === null) return undefined;
  // A device that reports shows that its collector works; one that does not says nothing about it.
  return { id: collectorId, sn: collectorSn, name: collectorName, model: collectorModel, state: online ? 'online' : undefined };
}

/** What readings show of a device whose facts nobody entered. */
export function observedFacts(values: Values): DeviceFacts {
  let dcInputs = 0;
  let phases: 1 | 3 | undefined;
  for (const name in values) {
    const [, input, phase] = /^dc(?:Voltage|Current|Power)(\d+)|^acVoltage(\d)/.exec(name) ?? [];
    if (input !== undefined) dcInputs = Math.max(dcInputs, Number(input));
    if (phase !== undefined) phases = phases === 3 || phase !== '1' ? 3 : 1;
  }
  return { ...(dcInputs > 0 && { dcInputs }), ...(phases && { phases }), ...(values.batterySocPercent !== undefined && { storage: true }) };
}
