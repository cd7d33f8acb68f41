import { getDevice } from '../../../fleet/plants/device-access.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { devicePage } from './device-lists.ts';
import { deviceChart } from '../../../measurements/figures/energy/energy-charts.ts';
import { warrantyOf } from '../../../measurements/figures/device/inverter-record.ts';
import { pageOfRows } from '../pages.ts';

/** Energies of inverters over months and years, and their warranties. */
export function createInverterEnergy(
  deps: OperationDependencies,
): HandlersOf<'inverterMonth' | 'inverterYear' | 'inverterAll' | 'inverter/shelfTime'> {
  const { db, clock } = deps;
  return {
    async inverterMonth(caller, { month, ...named }) {
      return deviceChart(deps, await getDevice(db, caller, 'inverter', named, 'read'), {
        each: 'day',
        month,
      });
    },

    async inverterYear(caller, { year, ...named }) {
      return deviceChart(deps, await getDevice(db, caller, 'inverter', named, 'read'), {
        each: 'month',
        year,
      });
    },

    async inverterAll(caller, named) {
      return deviceChart(deps, await getDevice(db, caller, 'inverter', named, 'read'), {
        each: 'year',
      });
    },

    async 'inverter/shelfTime'(caller, input) {
      const { devices, counts } = await devicePage(deps, caller, 'inverter/shelfTime', input);
      const now = clock.now();
      return pageOfRows(
        counts,
        input,
        devices.map((device) => warrantyOf(device, now)),
      );
    },
  };
}
