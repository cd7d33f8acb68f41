import type { DeviceFacts } from '@helioport/contract';
import type { Selectable } from 'kysely';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import { requestRecalculationOfDevices } from '../plants/tariffs/recalculation.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, DeviceTable } from '../../platform/storage/database.ts';
import { isSerialNumber, SERIAL_NUMBER_FORM } from './serial-number.ts';

export type DeviceKind = DeviceTable['kind'];
export type Device = Selectable<DeviceTable>;

export interface NewDevice {
  readonly sn: string;
  readonly kind: DeviceKind;
  readonly name?: string | null;
  readonly model?: string | null | undefined;
  readonly ratedPowerW?: number | null;
  /** The only account that may bind a collector; null = anybody who names its serial number. */
  readonly accountId?: string | null | undefined;
}

const TEXT = /^[^\p{Cc}]{1,100}$/u;
const RATED_POWER_AT_MOST_W = 1e9;

/** Registers a device, not yet bound, and returns its id. Throws invalidValue, also for a serial number that is taken. */
export async function insertDevice(trx: Db, act: Act, input: NewDevice): Promise<string> {
  const id = await insertDeviceOnce(trx, act, input);
  if (id === undefined) throw refusedNow('sn', 'a serial number that is not taken');
  return id;
}

/** Registers a device, not yet bound, and returns its id; undefined if the serial number is taken. */
export async function insertDeviceOnce(
  trx: Db,
  act: Act,
  input: NewDevice,
): Promise<string | undefined> {
  const { sn, kind, name = null, model = null, ratedPowerW = null, accountId = null } = input;
  if (!isSerialNumber(sn)) throw invalidValue('sn', SERIAL_NUMBER_FORM);
  for (const [field, text] of [
    ['name', name],
    ['model', model],
  ] as const) {
    if (text !== null && !TEXT.test(text))
      throw invalidValue(field, 'at most 100 characters without control characters');
  }
  if (ratedPowerW !== null) checkRatedPower(ratedPowerW);
  const id = act.newId();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('device')
    .values({ id, sn, kind, name, model, ratedPowerW, accountId, facts: '{}', createdAt: act.at })
    .onConflict((conflict) => conflict.column('sn').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return undefined;
  await recordAudit(trx, act, {
    kind: 'device.created',
    accountId: null,
    data: { deviceId: id, sn, kind },
  });
  return id;
}

function checkRatedPower(watts: number): void {
  if (!(watts > 0 && watts <= RATED_POWER_AT_MOST_W))
    throw invalidValue('ratedPowerW', 'a power in watts');
}

/** Sets the rated power of devices; their energy is recalculated with the new bounds. Throws invalidValue. */
export async function rateDevices(
  trx: Db,
  act: Act,
  deviceIds: readonly string[],
  ratedPowerW: number,
): Promise<void> {
  checkRatedPower(ratedPowerW);
  await trx
    .updateTable('device')
    .set({ ratedPowerW })
    .where(anyOf(trx, 'id', listParameter(trx, deviceIds)))
    .execute();
  await requestRecalculationOfDevices(trx, deviceIds, act.at);
}

/** Finds a device by serial number, which is case-sensitive. */
export const findDevice = (db: Db, sn: string): Promise<Device | undefined> =>
  db.selectFrom('device').selectAll().where('sn', '=', sn).executeTakeFirst();

/** Sets which collector reports for a device. */
export const assignCollector = (trx: Db, deviceId: string, collectorId: string): Promise<unknown> =>
  trx.updateTable('device').set({ collectorId }).where('id', '=', deviceId).execute();

/** All devices, or those in a plant, or those that a collector reports for; in id order. */
export async function listDevices(
  db: Db,
  filter: { readonly plantId?: string; readonly collectorId?: string },
): Promise<(Device & { collectorSn: string | null })[]> {
  let query = db
    .selectFrom('device')
    .leftJoin('device as collector', 'collector.id', 'device.collectorId')
    .selectAll('device')
    .select('collector.sn as collectorSn');
  if (filter.plantId !== undefined) query = query.where('device.plantId', '=', filter.plantId);
  if (filter.collectorId !== undefined)
    query = query.where('device.collectorId', '=', filter.collectorId);
  return query.orderBy('device.id').execute();
}

/** Updates the given facts of a device and leaves the others. */
export async function setDeviceFacts(trx: Db, deviceId: string, facts: DeviceFacts): Promise<void> {
  if (Object.keys(facts).length === 0) return;
  const row = await trx
    .selectFrom('device')
    .select('facts')
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('device')
    .set({ facts: JSON.stringify({ ...(JSON.parse(row.facts) as DeviceFacts), ...facts }) })
    .where('id', '=', deviceId)
    .execute();
}
