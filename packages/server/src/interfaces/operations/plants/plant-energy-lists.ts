import type { EnergyRow, OperationId, PageRecord } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import {
  plantPeriods,
  type PeriodLength,
} from '../../../measurements/figures/energy/plant-periods.ts';
import { firstDayOfYear } from '../../../measurements/figures/energy/energy-rows.ts';
import { pageOfRows } from '../pages.ts';
import { plantPage, type PlantListInput } from './plant-lists.ts';

/** Energies of the caller's plants in a day, month or year. The number of SQL statements does not depend on the number of plants on the page. */
export function createPlantEnergyLists(
  deps: OperationDependencies,
): HandlersOf<'stationDayEnergyList' | 'stationMonthEnergyList' | 'stationYearEnergyList'> {
  return {
    stationDayEnergyList: (caller, { day, ...input }) =>
      energyList(deps, caller, 'stationDayEnergyList', input, 'day', day),
    stationMonthEnergyList: (caller, { month, ...input }) =>
      energyList(deps, caller, 'stationMonthEnergyList', input, 'month', month && month * 100 + 1),
    stationYearEnergyList: (caller, { year, ...input }) =>
      energyList(
        deps,
        caller,
        'stationYearEnergyList',
        input,
        'year',
        year && firstDayOfYear(year),
      ),
  };
}

async function energyList(
  deps: OperationDependencies,
  caller: Caller,
  id: OperationId,
  input: PlantListInput,
  length: PeriodLength,
  chosen: number | undefined,
): Promise<PageRecord<EnergyRow>> {
  const { counts, plants } = await plantPage(deps, caller, id, input, chosen);
  return pageOfRows(counts, input, await plantPeriods(deps, plants, length, chosen));
}
