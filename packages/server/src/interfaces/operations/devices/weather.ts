import type { WeatherRecord } from '@helioport/contract';
import {
  deviceMeasurements,
  deviceRecord,
} from '../../../measurements/figures/device/device-record.ts';
import { sunshineHours } from '../../../measurements/figures/device/sunshine.ts';
import { getDevice, type VisibleDevice } from '../../../fleet/plants/device-access.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import { pageOfRows } from '../pages.ts';

/** Queries of weather stations. */
export function createWeatherOperations(
  deps: OperationDependencies,
): HandlersOf<'weatherList' | 'weatherDetail'> {
  return {
    async weatherList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'weatherList', input);
      return pageOfRows(counts, input, await weatherRecords(deps, devices));
    },

    async weatherDetail(caller, named) {
      const [record] = await weatherRecords(deps, [
        await getDevice(deps.db, caller, 'weather', named, 'read'),
      ]);
      return record!;
    },
  };
}

/** The records of weather stations, in the given order. */
export async function weatherRecords(
  deps: OperationDependencies,
  devices: readonly VisibleDevice[],
): Promise<WeatherRecord[]> {
  const stations = await deviceMeasurements(deps, devices);
  const hours = await sunshineHours(deps, stations);
  return stations.map((station, i) => ({ ...deviceRecord(station), sunshineHours: hours[i] }));
}
