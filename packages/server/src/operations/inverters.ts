import { getDevice } from '../plants/device-access.ts';
import { countDevices } from '../telemetry/activity.ts';
import { inverterDayRows } from './day-rows.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { devicePage, reachOfPlant } from './device-lists.ts';
import { deviceMeasurements, withYesterday } from './device-record.ts';
import { inverterRecord } from './inverter-record.ts';
import { listing } from './listing.ts';
import { pageOf } from './pages.ts';
import { listVisibleDevices, type DeviceSelection } from '../plants/device-access.ts';

/** Queries of inverters. */
export function createInverterOperations(deps: OperationDependencies): HandlersOf<'inverterList' | 'inverterDetail' | 'inverterDetailList' | 'inverterDay'> {
  const { db, clock } = deps;
  return {
    async inverterList(caller, { pageNo, pageSize, plantId, nmiCode, serialNumbers, fromId }) {
      const reach = await reachOfPlant(deps, caller, { id: plantId, nmiCode });
      const selection: DeviceSelection = { reach, kind: 'inverter', serialNumbers, fromId };
      const [activity, devices] = await Promise.all([countDevices(db, selection, clock.now()), listVisibleDevices(db, selection, { pageNo, pageSize })]);
      return listing(activity, { pageNo, pageSize }, (await deviceMeasurements(deps, devices)).map(inverterRecord));
    },

    async inverterDetail(caller, named) {
      const [inverter] = await deviceMeasurements(deps, [await getDevice(db, caller, 'inverter', named, 'read')]);
      return withYesterday(deps, inverter!, inverterRecord(inverter!));
    },

    async inverterDetailList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverter', input);
      return pageOf(counts, input, (await deviceMeasurements(deps, devices)).map(inverterRecord));
    },

    async inverterDay(caller, { day, ...named }) {
      return inverterDayRows(deps, await getDevice(db, caller, 'inverter', named, 'read'), day);
    },
  };
}
