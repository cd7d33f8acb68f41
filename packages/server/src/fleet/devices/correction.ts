import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Db } from '../../platform/storage/database.ts';
import { lockDeviceRows } from '../plants/lock.ts';
import { findDevice, rateDevices, setDeviceFacts } from './devices.ts';

/** What people know better about a device than it says itself; only what is given is changed. */
export interface Correction {
  /** '' = none. */
  readonly name?: string | undefined;
  /** '' = what the device says, from its next description on. */
  readonly model?: string | undefined;
  readonly ratedPowerW?: number | undefined;
  readonly dcInputs?: number | undefined;
}

/** Names a device of a locked plant, or corrects what is known about it. Throws noPermission, invalidValue. */
export async function correctDevice(
  trx: Db,
  act: Act,
  { id: plantId, ownerId }: { readonly id: string; readonly ownerId: string },
  sn: string,
  { name, model, ratedPowerW, dcInputs }: Correction,
): Promise<void> {
  const device = await findDevice(trx, sn);
  if (device?.plantId !== plantId) throw new Failure('noPermission');
  await lockDeviceRows(trx, [device.id]);
  const texts = {
    ...(name !== undefined && { name: name || null }),
    ...(model !== undefined && { model: model || null }),
  };
  if (Object.keys(texts).length > 0)
    await trx.updateTable('device').set(texts).where('id', '=', device.id).execute();
  if (dcInputs !== undefined) await setDeviceFacts(trx, device.id, { dcInputs });
  if (ratedPowerW !== undefined && ratedPowerW !== device.ratedPowerW)
    await rateDevices(trx, act, [device.id], ratedPowerW);
  await recordAudit(trx, act, {
    kind: 'device.changed',
    accountId: ownerId,
    data: {
      plantId,
      deviceId: device.id,
      sn,
      after: {
        ...texts,
        ...(ratedPowerW !== undefined && { ratedPowerW }),
        ...(dcInputs !== undefined && { dcInputs }),
      },
    },
  });
}
