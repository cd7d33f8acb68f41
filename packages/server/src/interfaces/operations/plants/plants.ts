import type { Permission } from '@helioport/contract';
import { Failure } from '../../../platform/kernel/failure.ts';
import { getPlant, getPlantByNmi, type VisiblePlant } from '../../../fleet/plants/access.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { listingOf, pageOfRows } from '../pages.ts';
import { plantPage } from './plant-lists.ts';
import { plantDetail, shownPlant } from '../../../measurements/figures/plant/plant-detail.ts';
import { plantRecords } from '../../../measurements/figures/plant/plant-record.ts';

/** Queries of plants. */
export function createPlantOperations(
  deps: OperationDependencies,
): HandlersOf<'userStationList' | 'stationDetail' | 'stationDetailList' | 'plant/show'> {
  return {
    async userStationList(caller, input) {
      const { counts, plants } = await plantPage(deps, caller, 'userStationList', input);
      return listingOf(counts, input, await plantRecords(deps, plants));
    },

    async stationDetail(caller, named) {
      return plantDetail(deps, await getNamedPlant(deps, caller, named));
    },

    async 'plant/show'(caller, { plantId }) {
      return shownPlant(deps, await getPlant(deps.db, caller, plantId, 'read'), deps.readingsKept);
    },

    async stationDetailList(caller, input) {
      const { counts, plants } = await plantPage(deps, caller, 'stationDetailList', input);
      return pageOfRows(counts, input, await plantRecords(deps, plants));
    },
  };
}

/** The plant that a request names by id, by meter, or by both if they agree. Throws noPermission, missingParameter. */
export async function getNamedPlant(
  { db }: Pick<OperationDependencies, 'db'>,
  caller: Caller,
  { id, nmiCode }: { readonly id?: string | undefined; readonly nmiCode?: string | undefined },
  permission: Permission = 'read',
): Promise<VisiblePlant> {
  if (id === undefined && nmiCode === undefined)
    throw new Failure('missingParameter', { data: { field: 'id' } });
  const plant =
    id === undefined
      ? await getPlantByNmi(db, caller, nmiCode!, permission)
      : await getPlant(db, caller, id, permission);
  if (nmiCode !== undefined && plant.nmiCode !== nmiCode) throw new Failure('noPermission');
  return plant;
}
