import { getDevice } from '../../plants/device-access.ts';
import { inverterDayRows } from '../../figures/day-rows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import { createFirstProduction } from '../../figures/first-production.ts';
import { inverterDetail, inverterRecords } from './inverter-record.ts';
import { listingOf, pageOf } from '../pages.ts';

/** Queries of inverters. */
export function createInverterOperations(deps: OperationDependencies): HandlersOf<'inverterList' | 'inverterDetail' | 'inverterDetailList' | 'inverterDay'> {
  const { db } = deps;
  const findFirstProduction = createFirstProduction(deps);
  return {
    async inverterList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverterList', input);
      return listingOf(counts, input, await inverterRecords(deps, devices));
    },

    async inverterDetail(caller, named) {
      return inverterDetail(deps, await getDevice(db, caller, 'inverter', named, 'read'), findFirstProduction);
    },

    async inverterDetailList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverterDetailList', input);
      return pageOf(counts, input, await inverterRecords(deps, devices));
    },

    async inverterDay(caller, { day, ...named }) {
      return inverterDayRows(deps, await getDevice(db, caller, 'inverter', named, 'read'), day);
    },
  };
}
