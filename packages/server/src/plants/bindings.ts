import type { Selectable } from 'kysely';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { Failure } from '../kernel/failure.ts';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, DeviceTable, Instant, PlantTable } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { lockPlant } from './lock.ts';
import { shiftDevices } from './presence.ts';

/**
 * Puts a device into a plant from now on; the first time from the beginning of time, so that history imported
 * for the days before belongs to the plant. Of two callers who bind one device at once, one wins.
 * Throws noPermission for the plant, deviceAlreadyBound.
 */
export async function bindDevice(trx: Db, act: Act, deviceId: string, plantId: string): Promise<void> {
  const { ownerId } = await lockPlant(trx, plantId);
  const device = await trx
    .updateTable('device')
    .set({ plantId })
    .where('id', '=', deviceId)
    .where('plantId', 'is', null)
    .where('removedAt', 'is', null)
    .returning(['sn', 'kind', 'state', 'offlineAbnormal'])
    .executeTakeFirst();
  if (!device) throw new Failure('deviceAlreadyBound');
  const former = await trx.selectFrom('binding').select('toAt').where('deviceId', '=', deviceId).orderBy('fromAt', 'desc').limit(1).executeTakeFirst();
  // Never before the end of the former one, also when the clock was set back in between.
  const fromAt = former ? Math.max(act.at, former.toAt ?? 0) : 0;
  await trx.insertInto('binding').values({ deviceId, plantId, fromAt, toAt: null }).execute();
  await shiftDevices(trx, [{ plantId, kind: device.kind, from: null, to: device }], act.at);
  await recordAudit(trx, act, { kind: 'device.bound', accountId: ownerId, data: { plantId, deviceId, sn: device.sn } });
}

/** Takes a device out of a plant from now on; what it measured there stays the plant's. Throws noPermission when it does not stand there. */
export async function unbindDevice(trx: Db, act: Act, deviceId: string, plantId: string): Promise<void> {
  const { ownerId } = await lockPlant(trx, plantId);
  const device = await trx
    .updateTable('device')
    // The watch is to look at once: it ends the alarms of a device that has left.
    .set({ plantId: null, checkAt: act.at })
    .where('id', '=', deviceId)
    .where('plantId', '=', plantId)
    .returning(['sn', 'kind', 'state', 'offlineAbnormal'])
    .executeTakeFirst();
  if (!device) throw new Failure('noPermission');
  await endBindings(trx, act, plantId, [deviceId]);
  await shiftDevices(trx, [{ plantId, kind: device.kind, from: device, to: null }], act.at);
  await recordAudit(trx, act, { kind: 'device.unbound', accountId: ownerId, data: { plantId, deviceId, sn: device.sn } });
}

/** Takes every device out of a plant that the caller holds locked. */
export async function unbindAll(trx: Db, act: Act, plant: Pick<Selectable<PlantTable>, 'id' | 'ownerId'>): Promise<void> {
  const devices = await trx
    .updateTable('device')
    .set({ plantId: null, checkAt: act.at })
    .where('plantId', '=', plant.id)
    .returning(['id', 'sn', 'kind', 'state', 'offlineAbnormal'])
    .execute();
  await endBindings(
    trx,
    act,
    plant.id,
    devices.map(({ id }) => id),
  );
  const shifts = devices.map((device) => ({ plantId: plant.id, kind: device.kind, from: device, to: null }));
  await shiftDevices(trx, shifts, act.at);
  for (const { id, sn } of devices) {
    await recordAudit(trx, act, { kind: 'device.unbound', accountId: plant.ownerId, data: { plantId: plant.id, deviceId: id, sn } });
  }
}

async function endBindings(trx: Db, act: Act, plantId: string, deviceIds: readonly string[]): Promise<void> {
  for (const deviceId of deviceIds) {
    await trx
      .updateTable('binding')
      .set((eb) => ({ toAt: eb.case().when('fromAt', '>', act.at).then(eb.ref('fromAt')).else(act.at).end() }))
      .where('deviceId', '=', deviceId)
      .where('plantId', '=', plantId)
      .where('toAt', 'is', null)
      .execute();
  }
}

/** A stretch of time for which a device stands or stood in a plant. */
export interface Stretch {
  readonly no: number;
  readonly deviceId: string;
  readonly plantId: string;
  readonly kind: DeviceTable['kind'];
  readonly fromAt: Instant;
  /** null = it stands there now. */
  readonly toAt: Instant | null;
}

const stretches = (db: Db, column: 'plantId' | 'deviceId', ids: unknown) =>
  db
    .selectFrom('binding')
    .innerJoin('device', 'device.id', 'binding.deviceId')
    .select(['binding.no', 'binding.deviceId', 'binding.plantId', 'device.kind', 'binding.fromAt', 'binding.toAt'])
    .where(anyOf(db, `binding.${column}`, ids))
    .orderBy('binding.no');

const ofPlants = prepareQuery((db, p: ParameterOf<{ ids: unknown }>) => stretches(db, 'plantId', p('ids')));
const ofDevices = prepareQuery((db, p: ParameterOf<{ ids: unknown }>) => stretches(db, 'deviceId', p('ids')));

/** All that ever stood in some plants, in the order of coming. */
export const stretchesOfPlants = (db: Db, plantIds: readonly string[]): Promise<Stretch[]> => ofPlants(db, { ids: listParameter(db, plantIds) });

/** Where some devices ever stood. */
export const stretchesOfDevices = (db: Db, deviceIds: readonly string[]): Promise<Stretch[]> => ofDevices(db, { ids: listParameter(db, deviceIds) });
