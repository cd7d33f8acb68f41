import type { OperationId } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import { narrow, reachOf, type Reach } from '../../../fleet/plants/access.ts';
import {
  listVisibleDevices,
  type DeviceSelection,
  type VisibleDevice,
} from '../../../fleet/plants/device-access.ts';
import type { PageOf } from '../../../fleet/plants/fleet/plant-list.ts';
import { countDevices } from '../../../fleet/plants/fleet/selection-counts.ts';
import { totalOf, type StateNumbers } from '../../../fleet/plants/fleet/visible-counts.ts';
import { readPage } from '../page-ends.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { getNamedPlant } from '../plants/plants.ts';

/** Which devices are listed; the plant is given by id or by meter. */
export interface DeviceListInput extends PageOf {
  readonly plantId?: string | undefined;
  readonly nmiCode?: string | undefined;
  readonly serialNumbers?: readonly string[] | undefined;
  readonly fromId?: string | undefined;
}

/** A page of devices, and the number of devices on all pages, by state. */
export interface DevicePage {
  readonly devices: readonly VisibleDevice[];
  readonly counts: StateNumbers;
}

/** The operations that list devices, and the kind that each lists. */
const listedKinds = {
  inverterList: 'inverter',
  inverterDetailList: 'inverter',
  'inverter/shelfTime': 'inverter',
  collectorList: 'collector',
  epmList: 'epm',
  weatherList: 'weather',
  ammeterList: 'ammeter',
} as const satisfies Partial<Record<OperationId, DeviceKind>>;

/** One page of a list of devices. Throws noPermission for a plant that the caller may not see. */
export async function devicePage(
  deps: OperationDependencies,
  caller: Caller,
  id: keyof typeof listedKinds,
  input: DeviceListInput,
): Promise<DevicePage> {
  const { pageNo, pageSize, plantId, nmiCode, serialNumbers, fromId } = input;
  const reach = await reachOfPlant(deps, caller, { id: plantId, nmiCode });
  const selection: DeviceSelection = { reach, kind: listedKinds[id], serialNumbers };
  const counts = await countDevices(deps.db, selection);
  const list = { caller, id, fromId, filter: [plantId, nmiCode, serialNumbers] };
  const devices = await readPage(deps, list, { pageNo, pageSize }, (page, from) =>
    listVisibleDevices(deps.db, { ...selection, fromId: from }, page, totalOf(counts)),
  );
  return { counts, devices };
}

/** The plants whose devices are listed: all that the caller may see, or the one that the request names. */
export async function reachOfPlant(
  deps: OperationDependencies,
  caller: Caller,
  named: { readonly id: string | undefined; readonly nmiCode: string | undefined },
): Promise<Reach> {
  const reach = reachOf(caller, 'read');
  if (named.id === undefined && named.nmiCode === undefined) return reach;
  return narrow(reach, [(await getNamedPlant(deps, caller, named)).id]);
}
