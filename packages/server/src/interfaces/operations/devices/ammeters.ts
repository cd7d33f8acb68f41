import { getDevice } from '../../../fleet/plants/device-access.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import {
  deviceMeasurements,
  deviceRecord,
} from '../../../measurements/figures/device/device-record.ts';
import { pageOfRows } from '../pages.ts';

/** Queries of ammeters. */
export function createAmmeterOperations(
  deps: OperationDependencies,
): HandlersOf<'ammeterList' | 'ammeterDetail'> {
  return {
    async ammeterList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'ammeterList', input);
      return pageOfRows(counts, input, (await deviceMeasurements(deps, devices)).map(deviceRecord));
    },

    async ammeterDetail(caller, named) {
      const [ammeter] = await deviceMeasurements(deps, [
        await getDevice(deps.db, caller, 'ammeter', named, 'read'),
      ]);
      return deviceRecord(ammeter!);
    },
  };
}
