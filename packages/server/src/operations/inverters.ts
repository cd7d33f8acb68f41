import { getDevice } from '../plants/device-access.ts';
import { inverterDayRows } from './day-rows.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { devicePage } from './device-lists.ts';
import { deviceMeasurements, withYesterday } from './device-record.ts';
import { inverterRecord } from './inverter-record.ts';
import { listingOf, pageOf } from './pages.ts';

/** Queries of inverters. */
export function createInverterOperations(deps: OperationDependencies): HandlersOf<'inverterList' | 'inverterDetail' | 'inverterDetailList' | 'inverterDay'> {
  const { db } = deps;
  return {
    async inverterList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverter', input);
      return listingOf(counts, input, (await deviceMeasurements(deps, devices)).map(inverterRecord));
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
