import type { DeviceFacts, InverterRecord, WarrantyRecord } from '@helioport/contract';
import type { VisibleDevice } from '../../../fleet/plants/device-access.ts';
import type { FigureSources } from '../sources.ts';
import {
  deviceMeasurements,
  deviceRecord,
  withYesterdays,
  type DeviceMeasurements,
} from './device-record.ts';
import { findStarts, firstTimes, type Starts } from '../starts.ts';

/** The records of inverters, in the given order. The number of statements does not depend on the number of inverters. */
export async function inverterRecords(
  sources: FigureSources,
  devices: readonly VisibleDevice[],
): Promise<InverterRecord[]> {
  const inverters = await deviceMeasurements(sources, devices);
  return recordsOf(inverters, await startsOf(sources, inverters));
}

/** The records of inverters, with yesterday's energies. */
export async function inverterDetails(
  sources: FigureSources,
  devices: readonly VisibleDevice[],
): Promise<InverterRecord[]> {
  const inverters = await deviceMeasurements(sources, devices, { ends: true });
  return withYesterdays(
    sources,
    inverters,
    recordsOf(inverters, await startsOf(sources, inverters)),
  );
}

function startsOf(
  sources: FigureSources,
  inverters: readonly DeviceMeasurements[],
): Promise<Starts> {
  const zones = new Map(inverters.map((inverter) => [inverter.device.plantId, inverter.zones]));
  return findStarts(
    sources,
    inverters.flatMap(({ bindings }) => bindings),
    ({ plantId }) => zones.get(plantId)!,
    inverters[0]?.ends,
  );
}

const recordsOf = (inverters: readonly DeviceMeasurements[], starts: Starts): InverterRecord[] =>
  inverters.map((inverter) => inverterRecord(inverter, starts));

function inverterRecord(inverter: DeviceMeasurements, starts: Starts): InverterRecord {
  const { device, bindings, today } = inverter;
  const newest = bindings.findLast(({ latest }) => latest)?.latest;
  const peaked = newest?.day === today && newest.peakPowerW !== null;
  return {
    ...deviceRecord(inverter),
    ratedPowerW: device.ratedPowerW,
    ...firstTimes(bindings, starts),
    peakPowerW: peaked ? newest.peakPowerW : undefined,
    peakPowerAt: peaked ? newest.peakPowerAt : undefined,
  };
}

/** The warranty, as far as its beginning and end have been entered. */
export function warrantyOf({ id, sn, facts }: VisibleDevice, now: number): WarrantyRecord {
  const { warrantyFromAt, warrantyUntilAt } = JSON.parse(facts) as DeviceFacts;
  const known = typeof warrantyUntilAt === 'number';
  return {
    id,
    sn,
    fromAt: warrantyFromAt,
    untilAt: warrantyUntilAt,
    state: !known ? 'unknown' : now < warrantyUntilAt ? 'inWarranty' : 'over',
  };
}
