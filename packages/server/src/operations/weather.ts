import { getDevice } from '../plants/device-access.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { devicePage } from './device-lists.ts';
import { deviceMeasurements, deviceRecord } from './device-record.ts';
import { pageOf } from './pages.ts';

/** Queries of weather stations. */
export function createWeatherOperations(deps: OperationDependencies): HandlersOf<'weatherList' | 'weatherDetail'> {
  return {
    async weatherList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'weather', input);
      return pageOf(counts, input, (await deviceMeasurements(deps, devices)).map(deviceRecord));
    },

    async weatherDetail(caller, named) {
      const [station] = await deviceMeasurements(deps, [await getDevice(deps.db, caller, 'weather', named, 'read')]);
      return deviceRecord(station!);
    },
  };
}
