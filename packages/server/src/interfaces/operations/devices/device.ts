import type { InverterDayRow, ShownDevice } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { getPlant } from '../../../fleet/plants/access.ts';
import { findLink } from '../../../fleet/devices/description.ts';
import { getAnyDevice, type VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { curvesOf } from '../../../measurements/figures/curves.ts';
import { dayReadings } from '../../../measurements/figures/day-windows.ts';
import {
  deviceMeasurements,
  deviceRecord,
  latestValues,
} from '../../../measurements/figures/device/device-record.ts';
import { inverterDayRows } from '../../../measurements/figures/device/inverter-day-rows.ts';
import { inverterDetails } from '../../../measurements/figures/device/inverter-record.ts';
import { plantRecords } from '../../../measurements/figures/plant/plant-record.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { collectorRecords } from './collectors.ts';
import { weatherRecords } from './weather.ts';

/** One device of any kind: what it is, and what it measured on a day. */
export function createDeviceOperations(
  deps: OperationDependencies,
): HandlersOf<'device/show' | 'device/day'> {
  const { db } = deps;
  return {
    async 'device/show'(caller, { id }) {
      const found = await getAnyDevice(db, caller, id);
      const [device, { level, plant }, signalDbm, link] = await Promise.all([
        recordOf(deps, caller, found),
        placeOf(deps, caller, found),
        signalOf(deps, caller, found),
        findLink(db, found.id),
      ]);
      return {
        device,
        connection: plant?.connection,
        measuredAt: plant?.measuredAt,
        signalDbm,
        link,
        level,
      };
    },

    async 'device/day'(caller, { id, day }) {
      const device = await getAnyDevice(db, caller, id);
      return curvesOf(
        await (device.kind === 'inverter'
          ? inverterDayRows(deps, device, day).then((rows) => rows.map(withTotal))
          : dayReadings(deps, device, day)),
      );
    },
  };
}

async function placeOf(deps: OperationDependencies, caller: Caller, { plantId }: VisibleDevice) {
  const found = await getPlant(deps.db, caller, plantId, 'read');
  const [plant] = await plantRecords(deps, [found]);
  return { level: found.level, plant };
}

/** Inverters without a counter of all energy have one that was worked out. */
function withTotal<R extends Pick<InverterDayRow, 'values' | 'energies'>>(row: R): R {
  const totalKwh = row.energies.production?.totalKwh;
  return typeof totalKwh !== 'number' || row.values.energyTotalKwh !== undefined
    ? row
    : { ...row, values: { ...row.values, energyTotalKwh: totalKwh } };
}

async function recordOf(
  deps: OperationDependencies,
  caller: Caller,
  device: VisibleDevice,
): Promise<ShownDevice['device']> {
  const { kind } = device;
  switch (kind) {
    case 'inverter':
      return { kind, ...(await inverterDetails(deps, [device]))[0]! };
    case 'collector':
      return { kind, ...(await collectorRecords(deps, caller, [device]))[0]! };
    case 'weather':
      return { kind, ...(await weatherRecords(deps, [device]))[0]! };
    default:
      return { kind, ...deviceRecord((await deviceMeasurements(deps, [device]))[0]!) };
  }
}

/** The radio signal of the collector that reports for a device, if the caller may see both. */
async function signalOf(
  deps: OperationDependencies,
  caller: Caller,
  { collectorId, collectorSn }: VisibleDevice,
): Promise<number | undefined> {
  if (collectorId === null || collectorSn === null) return undefined;
  const [collector] = await deviceMeasurements(deps, [
    await getAnyDevice(deps.db, caller, collectorId),
  ]);
  return latestValues(collector!.bindings).signalDbm;
}
