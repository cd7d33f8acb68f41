import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { FEW_PLANTS } from '@helioport/contract';
import { getPlant, reachOf } from '../../../fleet/plants/access.ts';
import { listPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import { curvesOf } from '../../../measurements/figures/curves.ts';
import { plantChart } from '../../../measurements/figures/energy/energy-charts.ts';
import { withRecalculated } from '../../../measurements/figures/energy/recalculated.ts';
import { compareWithYearBefore } from '../../../measurements/figures/energy/year-before.ts';
import { plantDayRows } from '../../../measurements/figures/plant/plant-day-rows.ts';
import { getNamedPlant } from './plants.ts';

/** Powers and energies of plants over time. */
export function createPlantCharts(
  deps: OperationDependencies,
): HandlersOf<
  | 'stationDay'
  | 'stationMonth'
  | 'stationYear'
  | 'stationAll'
  | 'plant/day'
  | 'plant/energy'
  | 'plant/yearBefore'
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
      const plant = await getPlant(deps.db, caller, plantId, 'read');
      return withRecalculated(
        deps.db,
        plant,
        span[each],
        await plantChart(deps, plant, span[each]),
      );
    },

    async 'plant/yearBefore'(caller, { plantId }) {
      if (plantId !== undefined)
        return compareWithYearBefore(deps, [await getPlant(deps.db, caller, plantId, 'read')]);
      const page = { pageNo: 1, pageSize: FEW_PLANTS + 1 };
      const plants = await listPlants(deps.db, { reach: reachOf(caller, 'read') }, page);
      return compareWithYearBefore(deps, plants.length > FEW_PLANTS ? [] : plants);
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
