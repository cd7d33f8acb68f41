import { presence, shiftDevices, type DevicePresence, type DeviceShift } from '../plants/presence.ts';
import type { Db, Instant } from '../storage/database.ts';
import { lockDevices, type LockedDevice } from './device-lock.ts';

/** After how many missed reports a device counts as offline. */
const INTERVALS_OF_GRACE = 3;

/** How long a device's last report holds. */
export const graceMs = (expectedSeconds: number): number => INTERVALS_OF_GRACE * expectedSeconds * 1000;

/** What a transition makes of a device; null leaves it as it is. */
export interface Transition extends DevicePresence {
  /** When the watch is to look at it next; null = not before it reports. */
  readonly checkAt: Instant | null;
}

/**
 * Changes the state of devices, their plants and the counters together. `decide` sees each device as it is under the lock,
 * so that what others changed in between counts. `besides`: devices that the transaction goes on to write, see lockDevices.
 */
export async function changeStates(
  trx: Db,
  deviceIds: readonly string[],
  at: Instant,
  decide: (device: LockedDevice) => Transition | null,
  besides: readonly string[] = [],
): Promise<void> {
  const shifts: DeviceShift[] = [];
  for (const device of await lockDevices(trx, deviceIds, { besides })) {
    const to = decide(device);
    if (!to) continue;
    const shift = await applyTransition(trx, device, to, at);
    if (shift) shifts.push(shift);
  }
  await shiftDevices(trx, shifts, at);
}

/** Writes a transition of a locked device; gives what its plant has to follow. */
export async function applyTransition(trx: Db, device: LockedDevice, to: Transition, at: Instant): Promise<DeviceShift | null> {
  const { id, plantId, kind, state, stateSince, offlineAbnormal } = device;
  await trx
    .updateTable('device')
    .set({ state: to.state, offlineAbnormal: to.offlineAbnormal, checkAt: to.checkAt, stateSince: to.state === state ? stateSince : at })
    .where('id', '=', id)
    .execute();
  if (plantId === null || (to.state === state && to.offlineAbnormal === offlineAbnormal)) return null;
  return { plantId, deviceId: id, kind, from: { state, offlineAbnormal }, to };
}

/** The state of a device that reports. */
export const reportingState = (openAlarms: number): number => (openAlarms > 0 ? presence.alarm : presence.online);

/** A device of which samples have just been stored. */
export interface ReportingDevice {
  readonly id: string;
  /** As it was read with the device; nothing is written while it is not offline. */
  readonly state: number;
  readonly expectedSeconds: number;
  /** Time of the newest of these samples. */
  readonly lastAt: Instant;
}

/** Turns devices online that were silent and report again, in the transaction that stores their samples. Samples of long ago do not. */
export async function markReporting(trx: Db, devices: readonly ReportingDevice[], now: Instant): Promise<void> {
  const back = devices.filter(({ state, lastAt, expectedSeconds }) => state === presence.offline && lastAt > now - graceMs(expectedSeconds));
  if (back.length > 0)
    await turnOnline(
      trx,
      back.map(({ id }) => id),
      now,
    );
}

/** Turns devices online that are offline, as those that have just reported. */
export const turnOnline = (trx: Db, deviceIds: readonly string[], now: Instant): Promise<void> =>
  changeStates(trx, deviceIds, now, ({ state, openAlarms, expectedSeconds }) =>
    state === presence.offline ? { state: reportingState(openAlarms), offlineAbnormal: 0, checkAt: now + graceMs(expectedSeconds) } : null,
  );
