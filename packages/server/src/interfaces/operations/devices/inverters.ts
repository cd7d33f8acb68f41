import { getDevice } from '../../../fleet/plants/device-access.ts';
import { inverterDayRows } from '../../../measurements/figures/device/inverter-day-rows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import {
  inverterDetails,
  inverterRecords,
} from '../../../measurements/figures/device/inverter-record.ts';
import { listingOf, pageOfRows } from '../pages.ts';

/** Queries of inverters. */
export function createInverterOperations(
  deps: OperationDependencies,
): HandlersOf<'inverterList' | 'inverterDetail' | 'inverterDetailList' | 'inverterDay'> {
  const { db } = deps;
  return {
    async inverterList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverterList', input);
      return listingOf(counts, input, await inverterRecords(deps, devices));
    },

    async inverterDetail(caller, named) {
      const [record] = await inverterDetails(deps, [
        await getDevice(db, caller, 'inverter', named, 'read'),
      ]);
      return record!;
    },

    async inverterDetailList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverterDetailList', input);
      return pageOfRows(counts, input, await inverterDetails(deps, devices));
    },

    async inverterDay(caller, { day, ...named }) {
      return inverterDayRows(deps, await getDevice(db, caller, 'inverter', named, 'read'), day);
    },
  };
}
