import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { getPlant } from '../../../fleet/plants/access.ts';
import { curvesOf } from '../../../measurements/figures/curves.ts';
import { plantChart } from '../../../measurements/figures/energy/energy-charts.ts';
import { plantDayRows } from '../../../measurements/figures/plant/plant-day-rows.ts';
import { getNamedPlant } from './plants.ts';

/** Powers and energies of plants over time. */
export function createPlantCharts(
  deps: OperationDependencies,
): HandlersOf<
  'stationDay' | 'stationMonth' | 'stationYear' | 'stationAll' | 'plant/day' | 'plant/energy'
> {
  return {
    async 'plant/day'(caller, { plantId, day }) {
      const plant = await getPlant(deps.db, caller, plantId, 'read');
      return curvesOf(await plantDayRows(deps, plant, day));
    },

    async 'plant/energy'(caller, { plantId, each, month, year }) {
      const span = {
        day: { each: 'day', month },
        month: { each: 'month', year },
        year: { each: 'year' },
      } as const;
      return plantChart(deps, await getPlant(deps.db, caller, plantId, 'read'), span[each]);
    },

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
