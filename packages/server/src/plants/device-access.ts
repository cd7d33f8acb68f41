import type { Permission } from '@helioport/contract';
import type { Selectable } from 'kysely';
import type { Caller } from '../accounts/caller.ts';
import { Failure } from '../kernel/failure.ts';
import type { Db, DeviceTable } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { reachOf, reachParameters, visible, type ReachParameters } from './access.ts';

/** A device that stands in a plant the caller may see, with what its answers say about plant and collector. */
export interface VisibleDevice extends Selectable<DeviceTable> {
  readonly plantId: string;
  readonly plantName: string;
  readonly plantType: number;
  readonly ownerId: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly pricePerKwh: number | null;
  readonly nmiCode: string | null;
  readonly collectorSn: string | null;
  readonly collectorName: string | null;
}

/** The devices that stand in the plants of a reach. */
export const visibleDevices = (db: Db, p: ParameterOf<ReachParameters & { kind: DeviceTable['kind'] }>) =>
  visible(db, p)
    .innerJoin('device', 'device.plantId', 'plant.id')
    .leftJoin('device as collector', 'collector.id', 'device.collectorId')
    .where('device.kind', '=', p('kind'))
    .selectAll('device')
    .select(['plant.id as plantId', 'plant.name as plantName', 'plant.type as plantType', 'plant.ownerId', 'plant.timeZone', 'plant.currency', 'plant.pricePerKwh', 'plant.nmiCode'])
    .select(['collector.sn as collectorSn', 'collector.name as collectorName']);

type DeviceParameters = ReachParameters & { kind: DeviceTable['kind']; name: string };
const deviceById = prepareQuery((db, p: ParameterOf<DeviceParameters>) => visibleDevices(db, p).where('device.id', '=', p('name')));
const deviceBySn = prepareQuery((db, p: ParameterOf<DeviceParameters>) => visibleDevices(db, p).where('device.sn', '=', p('name')));

/**
 * By id or serial number; where both are given they must name the same device.
 * Throws noPermission (collectorUnknown for collectors) alike for a foreign, an unknown and an unbound device; missingParameter without either.
 */
export async function getDevice(
  db: Db,
  caller: Caller,
  kind: DeviceTable['kind'],
  named: { readonly id?: string | undefined; readonly sn?: string | undefined },
  permission: Permission,
): Promise<VisibleDevice> {
  const { id, sn } = named;
  const name = sn ?? id;
  if (name === undefined) throw new Failure('missingParameter', { data: { field: 'sn' } });
  const query = sn === undefined ? deviceById : deviceBySn;
  const [device] = await query(db, { ...reachParameters(db, reachOf(caller, permission)), kind, name });
  if (!device || (id !== undefined && device.id !== id)) throw new Failure(kind === 'collector' ? 'collectorUnknown' : 'noPermission');
  return device;
}
