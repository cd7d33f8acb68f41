import type { PowerLimitRecord } from '@helioport/contract';
import type { Caller } from '../../identity/accounts/caller.ts';
import { listPlantDevices } from '../../fleet/plants/device-access.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { requesterEmailsOf } from './history.ts';
import type { Command } from './life-cycle.ts';

/** The parameter that limits an inverter's power, in percent, in the profiles of all models that have one. */
export const POWER_LIMIT = '15';
const UNLIMITED_PERCENT = 100;

/** The inverters of a plant whose power was limited when that was read last, or verified after it was written, other than by a strategy. */
export async function listPowerLimits(
  db: Db,
  caller: Caller,
  plantId: string,
): Promise<PowerLimitRecord[]> {
  const inverters = (await listPlantDevices(db, caller, plantId)).filter(
    ({ kind }) => kind === 'inverter',
  );
  const ids = inverters.map(({ id }) => id);
  const [read, written] = [await newest(db, plantId, ids), await newest(db, plantId, ids, 'write')];
  const byDevice = new Map(written.map((command) => [command.deviceId, command]));
  const limited = read.flatMap((command) => {
    const percent = Number(command.readValue);
    const write = byDevice.get(command.deviceId);
    const isOfStrategy = write?.strategyPart === 'apply' || write?.strategyPart === 'restore';
    if (!(percent < UNLIMITED_PERCENT) || isOfStrategy) return [];
    const isSetSo = write?.readValue === command.readValue;
    return [{ command, percent, write: isSetSo ? write : undefined }];
  });
  const emailOf = await requesterEmailsOf(
    db,
    caller,
    limited.flatMap(({ write }) => write ?? []),
  );
  const devices = new Map(inverters.map((device) => [device.id, device]));
  return limited.map(({ command: { deviceId, endedAt }, percent, write }) => {
    const { sn, name } = devices.get(deviceId)!;
    return {
      deviceId,
      sn,
      name,
      percent,
      readAt: endedAt!,
      setAt: write?.endedAt ?? null,
      by: write?.actor ?? null,
      byEmail: write ? (emailOf(write) ?? null) : null,
    };
  });
}

/** The newest verified command about the limit of each of some devices in a plant. */
const newest = (
  db: Db,
  plantId: string,
  deviceIds: readonly string[],
  action?: 'write',
): Promise<Command[]> =>
  db
    .selectFrom('command')
    .selectAll()
    .where('id', 'in', ({ selectFrom, fn }) =>
      selectFrom('command')
        .select(fn.max('id').as('id'))
        .where(anyOf(db, 'deviceId', listParameter(db, deviceIds)))
        .where('action', 'in', action ? [action] : ['read', 'write'])
        .where('plantId', '=', plantId)
        .where('parameter', '=', POWER_LIMIT)
        .where('state', '=', 'verified')
        .where('readValue', 'is not', null)
        .groupBy('deviceId'),
    )
    .execute();
