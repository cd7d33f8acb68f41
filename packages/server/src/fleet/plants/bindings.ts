import type { Selectable } from 'kysely';
import { recordAudits, type Act } from '../../identity/accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type {
  Db,
  DeviceTable,
  Flag,
  Instant,
  PlantTable,
} from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { lockDeviceRows, lockPlant } from './lock.ts';
import { shiftDevices } from './presence.ts';
import { requestRecalculationOfBindings } from './tariffs/recalculation.ts';

type Released = Pick<Selectable<DeviceTable>, 'id' | 'sn' | 'kind' | 'state' | 'offlineAbnormal'>;

/** Binds one device to a plant: see bindDevices. */
export const bindDevice = (trx: Db, act: Act, deviceId: string, plantId: string): Promise<void> =>
  bindDevices(trx, act, [deviceId], plantId);

/**
 * Binds devices to a plant from now on. Devices that were never bound before are bound from the beginning of time, so that history
 * imported for earlier days belongs to the plant. Binds all or none; if two callers bind the same device at once, one of them
 * wins. Throws noPermission for the plant, deviceAlreadyBound, invalidValue if it has too many.
 */
export async function bindDevices(
  trx: Db,
  act: Act,
  deviceIds: readonly string[],
  plantId: string,
): Promise<void> {
  const { ownerId } = await lockPlant(trx, plantId);
  await lockDeviceRows(trx, deviceIds);
  await withinBounds(trx, 'plantDevices', { plantId }, { at: act.at, adding: deviceIds.length });
  const devices = await trx
    .updateTable('device')
    .set({ plantId })
    .where(anyOf(trx, 'id', listParameter(trx, deviceIds)))
    .where('plantId', 'is', null)
    .returning(['id', 'sn', 'kind', 'state', 'offlineAbnormal'])
    .execute();
  if (devices.length < deviceIds.length) throw new Failure('deviceAlreadyBound');
  const begun = await beginBindings(trx, act, plantId, deviceIds);
  await requestReassignment(trx, act, devices, begun);
  const shifts = devices.map((device) => ({
    plantId,
    deviceId: device.id,
    kind: device.kind,
    from: null,
    to: device,
  }));
  await shiftDevices(trx, shifts, act.at);
  await recordMoves(trx, act, 'device.bound', { id: plantId, ownerId }, devices);
}

/** Unbinds one device from a plant: see unbindDevices. */
export const endBinding = (trx: Db, act: Act, deviceId: string, plantId: string): Promise<void> =>
  unbindDevices(trx, act, [deviceId], plantId);

/** Unbinds devices from a plant from now on; their measurements stay with the plant. Throws noPermission if one is not in it. */
export async function unbindDevices(
  trx: Db,
  act: Act,
  deviceIds: readonly string[],
  plantId: string,
): Promise<void> {
  const { ownerId } = await lockPlant(trx, plantId);
  await lockDeviceRows(trx, deviceIds);
  const devices = await releaseFrom(trx, act, plantId)
    .where(anyOf(trx, 'id', listParameter(trx, deviceIds)))
    .execute();
  if (devices.length < deviceIds.length) throw new Failure('noPermission');
  await leave(trx, act, { id: plantId, ownerId }, devices);
}

/** Unbinds every device from a plant that the caller has locked. */
export async function unbindAll(
  trx: Db,
  act: Act,
  plant: Pick<Selectable<PlantTable>, 'id' | 'ownerId'>,
): Promise<void> {
  const bound = await trx
    .selectFrom('device')
    .select('id')
    .where('plantId', '=', plant.id)
    .execute();
  await lockDeviceRows(
    trx,
    bound.map(({ id }) => id),
  );
  await leave(trx, act, plant, await releaseFrom(trx, act, plant.id).execute());
}

const releaseFrom = (trx: Db, act: Act, plantId: string) =>
  trx
    .updateTable('device')
    // The watch must run at once: it ends the alarms of a device that has left.
    .set({ plantId: null, checkAt: act.at })
    .where('plantId', '=', plantId)
    .returning(['id', 'sn', 'kind', 'state', 'offlineAbnormal']);

async function leave(
  trx: Db,
  act: Act,
  plant: Pick<Selectable<PlantTable>, 'id' | 'ownerId'>,
  devices: readonly Released[],
): Promise<void> {
  const ids = devices.map(({ id }) => id);
  const ended = await trx
    .updateTable('binding')
    .set((eb) => ({
      toAt: eb.case().when('fromAt', '>', act.at).then(eb.ref('fromAt')).else(act.at).end(),
    }))
    .where(anyOf(trx, 'deviceId', listParameter(trx, ids)))
    .where('plantId', '=', plant.id)
    .where('toAt', 'is', null)
    .returning(['no', 'deviceId'])
    .execute();
  await requestReassignment(trx, act, devices, ended);
  const shifts = devices.map((device) => ({
    plantId: plant.id,
    deviceId: device.id,
    kind: device.kind,
    from: device,
    to: null,
  }));
  await shiftDevices(trx, shifts, act.at);
  await recordMoves(trx, act, 'device.unbound', plant, devices);
}

/** Makes what a device measured in a plant the history of another one that has replaced it there. Both must be locked. */
export const inheritBindings = (
  trx: Db,
  plantId: string,
  formerId: string,
  deviceId: string,
): Promise<unknown> =>
  trx
    .updateTable('binding')
    .set({ holderId: deviceId })
    .where('holderId', '=', formerId)
    .where('plantId', '=', plantId)
    .execute();

const ROWS_AT_ONCE = 500;

/** Begins bindings of devices to a plant; returns those of devices that had a binding before. */
async function beginBindings(
  trx: Db,
  act: Act,
  plantId: string,
  deviceIds: readonly string[],
): Promise<NumberedBinding[]> {
  const former = await trx
    .selectFrom('binding')
    .select((eb) => ['deviceId', eb.fn.max('toAt').as('endedAt')])
    .where(anyOf(trx, 'deviceId', listParameter(trx, deviceIds)))
    .groupBy('deviceId')
    .execute();
  const ends = new Map(former.map(({ deviceId, endedAt }) => [deviceId, endedAt ?? 0]));
  const rows = deviceIds.map((deviceId) => {
    const endedAt = ends.get(deviceId);
    // A binding never begins before the end of the previous one, even if the clock was set back in between.
    return {
      deviceId,
      holderId: deviceId,
      plantId,
      fromAt: endedAt === undefined ? 0 : Math.max(act.at, endedAt),
      toAt: null,
    };
  });
  const returned: NumberedBinding[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const begun = await trx
      .insertInto('binding')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .returning(['no', 'deviceId'])
      .execute();
    returned.push(...begun.filter(({ deviceId }) => ends.has(deviceId)));
  }
  return returned;
}

type NumberedBinding = Pick<Binding, 'no' | 'deviceId'>;

/**
 * Requests recalculation after bindings have ended or begun. The instant at which a binding ends no longer belongs to it. But readings of that
 * instant may be stored already, and, if a device's clock is ahead, also later ones. Recalculation removes them from the binding that ends, or adds
 * them to the one that begins.
 */
async function requestReassignment(
  trx: Db,
  act: Act,
  devices: readonly Released[],
  bindings: readonly NumberedBinding[],
): Promise<void> {
  const measuring = new Set(devices.filter(({ kind }) => kind !== 'collector').map(({ id }) => id));
  const numbers = bindings.filter(({ deviceId }) => measuring.has(deviceId)).map(({ no }) => no);
  await requestRecalculationOfBindings(trx, numbers, act.at, act.at);
}

const recordMoves = (
  trx: Db,
  act: Act,
  kind: 'device.bound' | 'device.unbound',
  { id: plantId, ownerId }: Pick<Selectable<PlantTable>, 'id' | 'ownerId'>,
  devices: readonly Released[],
): Promise<void> =>
  recordAudits(
    trx,
    act,
    devices.map(({ id: deviceId, sn }) => ({
      kind,
      accountId: ownerId,
      data: { plantId, deviceId, sn },
    })),
  );

/** A period that a device spends in a plant. */
export interface Binding {
  readonly no: number;
  /** The device whose history it is, which may have replaced the one that was there. */
  readonly deviceId: string;
  readonly plantId: string;
  readonly kind: DeviceTable['kind'];
  readonly seriesId: number;
  /** Current state of the device, in whatever plant it is now: plants/presence.ts. */
  readonly state: number;
  /** How it reports now: storage/tables/devices.ts. */
  readonly offlineAbnormal: Flag;
  readonly expectedSeconds: number;
  readonly arrivedAt: Instant | null;
  readonly backlogAt: Instant | null;
  readonly clockOffsetSeconds: number | null;
  readonly collectorId: string | null;
  readonly fromAt: Instant;
  /** null = the device is still in the plant. */
  readonly toAt: Instant | null;
  readonly revision: number;
  /** Time of the first reading, and of the first one with energy produced; null = not looked for yet, or nothing found. */
  readonly reportedAt: Instant | null;
  readonly producedAt: Instant | null;
}

const selectBindings = (db: Db, column: 'plantId' | 'holderId', ids: unknown) =>
  db
    .selectFrom('binding')
    .innerJoin('device', 'device.id', 'binding.deviceId')
    .leftJoin('bindingStart', (join) =>
      join
        .onRef('bindingStart.bindingNo', '=', 'binding.no')
        .onRef('bindingStart.revision', '=', 'binding.revision'),
    )
    .select(['binding.revision', 'bindingStart.reportedAt', 'bindingStart.producedAt'])
    .select([
      'binding.no',
      'binding.holderId as deviceId',
      'binding.plantId',
      'device.kind',
      'device.series as seriesId',
      'device.state',
      'binding.fromAt',
      'binding.toAt',
    ])
    .select([
      'device.offlineAbnormal',
      'device.expectedSeconds',
      'device.reportedAt as arrivedAt',
      'device.backlogAt',
      'device.clockOffsetSeconds',
      'device.collectorId',
    ])
    .where(anyOf(db, `binding.${column}`, ids))
    .orderBy('binding.no');

const ofPlants = prepareQuery((db, p: ParameterOf<{ ids: unknown }>) =>
  selectBindings(db, 'plantId', p('ids')),
);
const ofDevices = prepareQuery((db, p: ParameterOf<{ ids: unknown }>) =>
  selectBindings(db, 'holderId', p('ids')),
);

/** Bindings of all devices that are or were in certain plants, in order of arrival. */
export const bindingsOfPlants = (db: Db, plantIds: readonly string[]): Promise<Binding[]> =>
  ofPlants(db, { ids: listParameter(db, plantIds) });

/** All bindings of some devices, with those of the devices that they have replaced. */
export const bindingsOfDevices = (db: Db, deviceIds: readonly string[]): Promise<Binding[]> =>
  ofDevices(db, { ids: listParameter(db, deviceIds) });
