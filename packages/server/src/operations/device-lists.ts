import type { Caller } from '../accounts/caller.ts';
import type { DeviceKind } from '../devices/devices.ts';
import { narrow, reachOf, type Reach } from '../plants/access.ts';
import { listVisibleDevices, type DeviceSelection, type VisibleDevice } from '../plants/device-access.ts';
import type { PageOf } from '../plants/plant-list.ts';
import { countDevices } from '../plants/selection-counts.ts';
import { totalOf, type StateNumbers } from '../plants/visible-counts.ts';
import type { OperationDependencies } from './dependencies.ts';
import { getNamedPlant } from './plants.ts';

/** Which devices a list is asked for; the plant by id or meter. */
export interface DeviceListInput extends PageOf {
  readonly plantId?: string | undefined;
  readonly nmiCode?: string | undefined;
  readonly serialNumbers?: readonly string[] | undefined;
  readonly fromId?: string | undefined;
}

/** A page of devices, and how many there are on all pages, by state. */
export interface DevicePage {
  readonly devices: readonly VisibleDevice[];
  readonly counts: StateNumbers;
}

/** Throws noPermission for a plant that the caller may not see. */
export async function devicePage(deps: OperationDependencies, caller: Caller, kind: DeviceKind, input: DeviceListInput): Promise<DevicePage> {
  const { plantId, nmiCode, serialNumbers, fromId } = input;
  const reach = await reachOfPlant(deps, caller, { id: plantId, nmiCode });
  const selection: DeviceSelection = { reach, kind, serialNumbers, fromId };
  const counts = await countDevices(deps.db, selection);
  return { counts, devices: await listVisibleDevices(deps.db, selection, input, totalOf(counts)) };
}

/** The plants that a list of devices is about: those of the caller, or the one that the request names. */
export async function reachOfPlant(
  deps: OperationDependencies,
  caller: Caller,
  named: { readonly id: string | undefined; readonly nmiCode: string | undefined },
): Promise<Reach> {
  const reach = reachOf(caller, 'read');
  if (named.id === undefined && named.nmiCode === undefined) return reach;
  return narrow(reach, [(await getNamedPlant(deps, caller, named)).id]);
}
