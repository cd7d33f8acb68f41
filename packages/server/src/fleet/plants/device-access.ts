import type { Permission } from '@helioport/contract';
import { sql, type Selectable, type SqlBool } from 'kysely';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, DeviceTable } from '../../platform/storage/database.ts';
import { plannedOnce } from '../../platform/storage/sqlite/planned-once.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import {
  plantsOfDevices,
  reachOf,
  reachParameters,
  visible,
  type PlantIds,
  type Reach,
  type ReachParameters,
} from './access.ts';
import { fromIdParameter, pageParameters, type PageOf } from './fleet/plant-list.ts';
import { zoneChanged } from './zone-changed.ts';

// The embedded engine takes a third of a list's time to make objects of its rows, so columns that no answer needs are left out.
const COLUMNS = [
  'id',
  'sn',
  'kind',
  'name',
  'model',
  'series',
  'ratedPowerW',
  'collectorId',
  'reported',
  'facts',
  'createdAt',
  'state',
  'offlineAbnormal',
  'reportedAt',
  'clockOffsetSeconds',
] as const;

/** A device in a plant that the caller may see, with what answers say about its plant and collector. */
export interface VisibleDevice extends Pick<Selectable<DeviceTable>, (typeof COLUMNS)[number]> {
  readonly plantId: string;
  readonly plantName: string;
  readonly plantType: number;
  readonly plantAddress: string | null;
  readonly plantFacts: string;
  readonly ownerId: string;
  readonly timeZone: string;
  readonly zoneChanged: SqlBool;
  readonly currency: string;
  /** Capacity of the plant; the next four fields also belong to the plant. */
  readonly capacityKwp: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly pricePerKwh: number | null;
  readonly nmiCode: string | null;
  readonly collectorSn: string | null;
  readonly collectorName: string | null;
  readonly collectorModel: string | null;
  readonly collectorState: number | null;
}

interface KindParameters extends ReachParameters {
  kind: DeviceTable['kind'];
}

/** The devices of a kind in the plants of a reach. */
export const visibleDevices = (db: Db, p: ParameterOf<KindParameters>, among?: PlantIds) =>
  visible(db, p, among)
    .innerJoin('device', 'device.plantId', 'plant.id')
    .where('device.kind', '=', plannedOnce(db, p('kind')));

const withDeviceColumns = (
  db: Db,
  p: ParameterOf<ReachParameters>,
  query: ReturnType<typeof visibleDevices>,
) =>
  query
    // If the caller may not see the plant of the collector, the collector is not named.
    .leftJoin('device as collector', (join) =>
      join
        .onRef('collector.id', '=', 'device.collectorId')
        .on((eb) =>
          eb.or([
            eb('collector.plantId', '=', eb.ref('device.plantId')),
            eb.exists(
              visible(db, p, sql`select collector."plantId" as id`).select(sql`1`.as('one')),
            ),
          ]),
        ),
    )
    .select(COLUMNS.map((name) => `device.${name}` as const))
    .select([
      'plant.id as plantId',
      'plant.name as plantName',
      'plant.type as plantType',
      'plant.address as plantAddress',
      'plant.ownerId',
    ])
    .select([
      'plant.facts as plantFacts',
      'plant.timeZone',
      'plant.currency',
      'plant.pricePerKwh',
      'plant.nmiCode',
    ])
    .select(['plant.capacityKwp', 'plant.latitude', 'plant.longitude'])
    .select(zoneChanged(db).as('zoneChanged'))
    .select([
      'collector.sn as collectorSn',
      'collector.name as collectorName',
      'collector.model as collectorModel',
      'collector.state as collectorState',
    ]);

/** Which devices of a reach a list is about. */
export interface DeviceSelection {
  readonly reach: Reach;
  readonly kind: DeviceTable['kind'];
  readonly serialNumbers?: readonly string[] | undefined;
  /** Selects only this id and higher ones. */
  readonly fromId?: string | undefined;
}

export interface DeviceListParameters extends KindParameters {
  fromId: string;
  bySerialNumber: number;
  serialNumbers: unknown;
}

export const deviceListParameters = (
  db: Db,
  { reach, kind, serialNumbers, fromId }: DeviceSelection,
): DeviceListParameters => ({
  ...reachParameters(db, reach),
  ...fromIdParameter(fromId),
  kind,
  bySerialNumber: serialNumbers ? 1 : 0,
  serialNumbers: listParameter(db, serialNumbers ?? []),
});

/** The devices of a selection. */
export const listedDevices = (db: Db, p: ParameterOf<DeviceListParameters>) => {
  const named = p.has('bySerialNumber');
  const among = named ? plantsOfDevices(db, 'sn', p('serialNumbers')) : undefined;
  const devices = visibleDevices(db, p, among).where('device.id', '>=', p('fromId'));
  return named ? devices.where(anyOf(db, 'device.sn', p('serialNumbers'))) : devices;
};

const devicePage = prepareQuery(
  (db, p: ParameterOf<DeviceListParameters & ReturnType<typeof pageParameters>>) =>
    withDeviceColumns(db, p, listedDevices(db, p))
      .orderBy('device.id')
      .limit(p('limit'))
      .offset(p('offset')),
);
const idPage = prepareQuery(
  (db, p: ParameterOf<DeviceListParameters & ReturnType<typeof pageParameters>>) =>
    listedDevices(db, p)
      .select('device.id')
      .orderBy('device.id')
      .limit(p('limit'))
      .offset(p('offset')),
);
const devicesByIds = prepareQuery((db, p: ParameterOf<KindParameters & { ids: unknown }>) =>
  withDeviceColumns(db, p, visibleDevices(db, p))
    .where(anyOf(db, 'device.id', p('ids')))
    .orderBy('device.id'),
);

interface NearbyParameters extends ReachParameters, ReturnType<typeof pageParameters> {
  kind: DeviceTable['kind'];
  fromId: string;
  /** How many devices to look at, at most. */
  among: number;
}

// Goes through everybody's devices in id order, with a scalar subquery instead of a join, so that no planner goes through all plants of the caller.
const idsNearby = prepareQuery((db, p: ParameterOf<NearbyParameters>) => {
  const seen = visible(db, p)
    .select(sql`1`.as('one'))
    .where('access.plantId', '=', sql.ref<string>('device.plantId'))
    .limit(sql.lit(1));
  const near = db
    .selectFrom('device')
    .select(['device.id', sql<number | null>`(${seen})`.as('seen')])
    .where('device.kind', '=', plannedOnce(db, p('kind')))
    .where('device.plantId', 'is not', null)
    .where('device.id', '>=', p('fromId'))
    .orderBy('device.id')
    .limit(p('among'));
  return db
    .selectFrom(near.as('near'))
    .select('id')
    .where('seen', 'is not', null)
    .limit(p('limit'))
    .offset(p('offset'));
});

// Series are numbered consecutively, so the highest one approximates the number of devices.
const newest = prepareQuery<object, { series: number }>((db) =>
  db.selectFrom('device').select((eb) => eb.fn.max('series').as('series')),
);

/** For a caller with at least this many devices, the ids of a page are found before anything else is read: sorting whole rows would take long. */
const FLEET_FROM = 5_000;

type PageParameters = DeviceListParameters & ReturnType<typeof pageParameters>;

/** The ids of a page of a list of `amount` devices, which may be a large share of all devices. */
async function listIds(db: Db, parameters: PageParameters, amount: number): Promise<string[]> {
  const { limit, offset } = parameters;
  const [fleet] = await newest(db, {});
  // Looking at others' devices too pays off as long as these are likely to be fewer than the caller's own.
  if (((offset + limit) * fleet!.series) / amount <= amount) {
    const near = await idsNearby(db, { ...parameters, among: amount });
    if (near.length >= Math.min(limit, amount - offset)) return near.map(({ id }) => id);
  }
  return (await idPage(db, parameters)).map(({ id }) => id);
}

/** A page of the selected devices, in id order; `amount` is their number on all pages. */
export async function listVisibleDevices(
  db: Db,
  selection: DeviceSelection,
  page: PageOf,
  amount: number,
): Promise<VisibleDevice[]> {
  const { reach, kind, serialNumbers } = selection;
  const parameters = { ...deviceListParameters(db, selection), ...pageParameters(page) };
  if (amount < FLEET_FROM || serialNumbers || reach.plantIds) return devicePage(db, parameters);
  if (parameters.offset >= amount) return [];
  const ids = await listIds(db, parameters, amount);
  return ids.length === 0
    ? []
    : devicesByIds(db, { ...reachParameters(db, reach), kind, ids: listParameter(db, ids) });
}

const allDevices = (db: Db, p: ParameterOf<ReachParameters>) =>
  withDeviceColumns(db, p, visible(db, p).innerJoin('device', 'device.plantId', 'plant.id'));

const ofPlant = prepareQuery((db, p: ParameterOf<ReachParameters & { plantId: string }>) =>
  allDevices(db, p).where('access.plantId', '=', p('plantId')).orderBy('device.id'),
);

/** The devices of a plant, of all kinds, in id order; none if it is foreign, unknown or archived. */
export const listPlantDevices = (
  db: Db,
  caller: Caller,
  plantId: string,
): Promise<VisibleDevice[]> =>
  ofPlant(db, { ...reachParameters(db, reachOf(caller, 'read')), plantId });

const anyById = prepareQuery((db, p: ParameterOf<ReachParameters & { id: string }>) =>
  allDevices(db, p).where('device.id', '=', p('id')),
);

/** A device of any kind by id. Throws noPermission if it is foreign, unknown or unbound. */
export async function getAnyDevice(db: Db, caller: Caller, id: string): Promise<VisibleDevice> {
  const [device] = await anyById(db, { ...reachParameters(db, reachOf(caller, 'read')), id });
  if (!device) throw new Failure('noPermission');
  return device;
}

type DeviceParameters = KindParameters & { name: string };
const deviceById = prepareQuery((db, p: ParameterOf<DeviceParameters>) =>
  withDeviceColumns(db, p, visibleDevices(db, p)).where('device.id', '=', p('name')),
);
const deviceBySn = prepareQuery((db, p: ParameterOf<DeviceParameters>) =>
  withDeviceColumns(db, p, visibleDevices(db, p)).where('device.sn', '=', p('name')),
);

/**
 * A device by id or serial number. If both are given, they must name the same device. Throws noPermission (for collectors, collectorUnknown) if the
 * device is foreign, unknown or unbound; missingParameter if neither is given.
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
  const [device] = await query(db, {
    ...reachParameters(db, reachOf(caller, permission)),
    kind,
    name,
  });
  if (!device || (id !== undefined && device.id !== id))
    throw new Failure(kind === 'collector' ? 'collectorUnknown' : 'noPermission');
  return device;
}
