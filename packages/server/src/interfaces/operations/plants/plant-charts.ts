import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantChart } from '../../../measurements/figures/energy/energy-charts.ts';
import { plantDayRows } from '../../../measurements/figures/plant/plant-day-rows.ts';
import { getNamedPlant } from './plants.ts';

/** Powers and energies of plants over time. */
export function createPlantCharts(
  deps: OperationDependencies,
): HandlersOf<'stationDay' | 'stationMonth' | 'stationYear' | 'stationAll'> {
  return {
    async stationDay(caller, { day, ...named }) {
      return plantDayRows(deps, await getNamedPlant(deps, caller, named), day);
    },

    async stationMonth(caller, { month, ...named }) {
      return plantChart(deps, await getNamedPlant(deps, caller, named), { each: 'day', month });
    },

    async stationYear(caller, { year, ...named }) {
      return plantChart(deps, await getNamedPlant(deps, caller, named), { each: 'month', year });
    },

    async stationAll(caller, named) {
      return plantChart(deps, await getNamedPlant(deps, caller, named), { each: 'year' });
    },
  };
}
