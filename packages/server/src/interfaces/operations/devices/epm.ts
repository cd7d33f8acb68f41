import { epmSeriesNames, type EpmFacts, type EpmRecord } from '@helioport/contract';
import { getDevice } from '../../../fleet/plants/device-access.ts';
import { dayReadings } from '../../../measurements/figures/day-windows.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import {
  deviceMeasurements,
  deviceRecord,
} from '../../../measurements/figures/device/device-record.ts';
import { meterChart } from '../../../measurements/figures/energy/energy-charts.ts';
import { listingOf } from '../pages.ts';

/** Queries of EPM units. */
export function createEpmOperations(
  deps: OperationDependencies,
): HandlersOf<'epmList' | 'epmDetail' | 'epm/day' | 'epm/month' | 'epm/year' | 'epm/all'> {
  const { db } = deps;
  return {
    async epmList(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'epmList', input);
      return listingOf(
        counts,
        input,
        (await deviceMeasurements(deps, devices)).map((epm): EpmRecord => deviceRecord(epm)),
      );
    },

    async epmDetail(caller, named) {
      const [epm] = await deviceMeasurements(deps, [
        await getDevice(db, caller, 'epm', named, 'read'),
      ]);
      return deviceRecord(epm!);
    },

    async 'epm/day'(caller, { day, names = epmSeriesNames, ...named }) {
      const epm = await getDevice(db, caller, 'epm', named, 'read');
      return {
        names,
        rows: await dayReadings(deps, epm, day),
        facts: JSON.parse(epm.facts) as EpmFacts,
      };
    },

    async 'epm/month'(caller, { month, ...named }) {
      return meterChart(deps, await getDevice(db, caller, 'epm', named, 'read'), {
        each: 'day',
        month,
      });
    },

    async 'epm/year'(caller, { year, ...named }) {
      return meterChart(deps, await getDevice(db, caller, 'epm', named, 'read'), {
        each: 'month',
        year,
      });
    },

    async 'epm/all'(caller, named) {
      return meterChart(deps, await getDevice(db, caller, 'epm', named, 'read'), { each: 'year' });
    },
  };
}
