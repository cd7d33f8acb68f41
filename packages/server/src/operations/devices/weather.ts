import { getDevice, type VisibleDevice } from '../../plants/device-access.ts';
import { dayReadings } from '../../figures/day-windows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import { deviceMeasurements, deviceRecord } from './device-record.ts';
import { pageOf } from '../pages.ts';

const HOUR_MS = 3_600_000;

/** Queries of weather stations. */
export function createWeatherOperations(deps: OperationDependencies): HandlersOf<'weatherList' | 'weatherDetail'> {
  return {
    async weatherList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'weatherList', input);
      return pageOf(counts, input, (await deviceMeasurements(deps, devices)).map(deviceRecord));
    },

    async weatherDetail(caller, named) {
      const [station] = await deviceMeasurements(deps, [await getDevice(deps.db, caller, 'weather', named, 'read')]);
      return { ...deviceRecord(station!), sunshineHours: await sunshineToday(deps, station!.device) };
    },
  };
}

// WMO, Guide to Instruments and Methods of Observation, 8.1.
const SUNSHINE_FROM_WM2 = 120;

/** Hours with sunshine of a station's present day; unknown without direct irradiance. Each reading stands until the next one, for an hour at most. */
async function sunshineToday(deps: OperationDependencies, station: VisibleDevice): Promise<number | undefined> {
  const readings = (await dayReadings(deps, station, undefined)).filter(({ values }) => values.directIrradianceWm2 !== undefined);
  if (readings.length === 0) return undefined;
  let sunnyMs = 0;
  for (const [i, { at, values }] of readings.entries()) {
    const next = readings[i + 1];
    if (next && values.directIrradianceWm2! > SUNSHINE_FROM_WM2) sunnyMs += Math.min(next.at - at, HOUR_MS);
  }
  return sunnyMs / HOUR_MS;
}
