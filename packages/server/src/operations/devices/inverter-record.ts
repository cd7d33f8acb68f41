import type { DeviceFacts, InverterRecord, WarrantyRecord } from '@helioport/contract';
import type { VisibleDevice } from '../../plants/device-access.ts';
import { zonesOf } from '../../plants/zones.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { deviceMeasurements, deviceRecord, withYesterday, type DeviceMeasurements } from './device-record.ts';
import { earliest } from '../../figures/figures.ts';
import type { FirstProduction } from '../../figures/first-production.ts';

/** The records of some inverters, in their order: as many statements for a hundred inverters as for one. */
export async function inverterRecords(deps: OperationDependencies, devices: readonly VisibleDevice[]): Promise<InverterRecord[]> {
  const inverters = await deviceMeasurements(deps, devices);
  const firstReports = await firstReportsOf(deps, inverters);
  return inverters.map((inverter) => inverterRecord(inverter, firstReports));
}

/** The record of one inverter with what costs more statements. */
export async function inverterDetail(deps: OperationDependencies, device: VisibleDevice, findFirstProduction: FirstProduction): Promise<InverterRecord> {
  const [[inverter], zones] = await Promise.all([deviceMeasurements(deps, [device]), zonesOf(deps.db, [device])]);
  const bindings = inverter!.bindings.map(({ binding }) => binding);
  const firstReports = await firstReportsOf(deps, [inverter!]);
  const firstProductionAt = await findFirstProduction(bindings, zones.get(device.plantId)!, firstReports);
  return { ...(await withYesterday(deps, inverter!, inverterRecord(inverter!, firstReports))), firstProductionAt };
}

const firstReportsOf = ({ db, telemetry }: OperationDependencies, inverters: readonly DeviceMeasurements[]): Promise<Map<number, number>> =>
  telemetry.firstReportsOf(
    db,
    inverters.flatMap(({ bindings }) => bindings.map(({ binding }) => binding.no)),
  );

function inverterRecord(inverter: DeviceMeasurements, firstReports: ReadonlyMap<number, number>): InverterRecord {
  const { device, bindings, today } = inverter;
  const newest = bindings.findLast(({ latest }) => latest)?.latest;
  const peaked = newest?.day === today && newest.peakPowerW !== null;
  return {
    ...deviceRecord(inverter),
    ratedPowerW: device.ratedPowerW,
    firstReportAt: earliest(bindings.map(({ binding }) => firstReports.get(binding.no))),
    peakPowerW: peaked ? newest.peakPowerW : undefined,
    peakPowerAt: peaked ? newest.peakPowerAt : undefined,
  };
}

/** As far as somebody entered when the warranty begins and ends. */
export function warrantyRecord({ id, sn, facts }: VisibleDevice, now: number): WarrantyRecord {
  const { warrantyFromAt, warrantyUntilAt } = JSON.parse(facts) as DeviceFacts;
  const known = typeof warrantyUntilAt === 'number';
  return { id, sn, fromAt: warrantyFromAt, untilAt: warrantyUntilAt, state: !known ? 'unknown' : now < warrantyUntilAt ? 'inWarranty' : 'over' };
}
