import type { OperationId } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { narrow, reachOf, type VisiblePlant } from '../../../fleet/plants/access.ts';
import { listPlants, type PageOf } from '../../../fleet/plants/fleet/plant-list.ts';
import { countSelectedPlants } from '../../../fleet/plants/fleet/selection-counts.ts';
import type { StateNumbers } from '../../../fleet/plants/fleet/visible-counts.ts';
import { readPage } from '../page-ends.ts';
import type { OperationDependencies } from '../dependencies.ts';

/** Which plants are listed. */
export interface PlantListInput extends PageOf {
  readonly plantIds: readonly string[] | undefined;
  readonly nmiCode: string | undefined;
  readonly fromId: string | undefined;
}

/** A page of plants, and the number of plants on all pages, by state. */
export interface PlantPage {
  readonly plants: readonly VisiblePlant[];
  readonly counts: StateNumbers;
}

/** One page of a list of plants. `asked` is the day, month or year that the request names, if any. Each of them is a separate list for paging. */
export async function plantPage(
  deps: OperationDependencies,
  caller: Caller,
  id: OperationId,
  { pageNo, pageSize, plantIds, nmiCode, fromId }: PlantListInput,
  asked?: number,
): Promise<PlantPage> {
  const reach = narrow(reachOf(caller, 'read'), plantIds);
  const [counts, plants] = await Promise.all([
    countSelectedPlants(deps.db, { reach, nmiCode }),
    readPage(
      deps,
      { caller, id, fromId, filter: [plantIds, nmiCode, asked] },
      { pageNo, pageSize },
      (page, from) => listPlants(deps.db, { reach, nmiCode, fromId: from }, page),
    ),
  ]);
  return { counts, plants };
}
