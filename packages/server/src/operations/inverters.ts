import type { Caller } from '../accounts/caller.ts';
import { narrow, reachOf, type Reach } from '../plants/access.ts';
import { getDevice, listVisibleDevices, type DeviceSelection } from '../plants/device-access.ts';
import { countDevices } from '../telemetry/activity.ts';
import { inverterDayRows } from './day-rows.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { inverterMeasurements, inverterRecord, withYesterday } from './inverter-record.ts';
import { listing } from './listing.ts';
import { getNamedPlant } from './plants.ts';

/** Queries of inverters. */
export function createInverterOperations(deps: OperationDependencies): HandlersOf<'inverterList' | 'inverterDetail' | 'inverterDay'> {
  const { db, clock } = deps;
  return {
    async inverterList(caller, { pageNo, pageSize, plantId, nmiCode, serialNumbers, fromId }) {
      const reach = await reachOfPlant(deps, caller, { id: plantId, nmiCode });
      const selection: DeviceSelection = { reach, kind: 'inverter', serialNumbers, fromId };
      const [activity, devices] = await Promise.all([countDevices(db, selection, clock.now()), listVisibleDevices(db, selection, { pageNo, pageSize })]);
      return listing(activity, { pageNo, pageSize }, (await inverterMeasurements(deps, devices)).map(inverterRecord));
    },

    async inverterDetail(caller, named) {
      const [inverter] = await inverterMeasurements(deps, [await getDevice(db, caller, 'inverter', named, 'read')]);
      return withYesterday(deps, inverter!);
    },

    async inverterDay(caller, { day, ...named }) {
      return inverterDayRows(deps, await getDevice(db, caller, 'inverter', named, 'read'), day);
    },
  };
}

/** The plants that a list of devices is about: those of the caller, or the one that the request names. */
async function reachOfPlant(
  deps: OperationDependencies,
  caller: Caller,
  named: { readonly id: string | undefined; readonly nmiCode: string | undefined },
): Promise<Reach> {
  const reach = reachOf(caller, 'read');
  if (named.id === undefined && named.nmiCode === undefined) return reach;
  return narrow(reach, [(await getNamedPlant(deps, caller, named)).id]);
}
