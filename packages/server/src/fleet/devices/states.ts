import {
  presence,
  shiftDevices,
  type DevicePresence,
  type DeviceShift,
} from '../plants/presence.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { lockDevices, type LockedDevice } from './device-lock.ts';

/** Number of missed reports after which a device counts as offline. */
const INTERVALS_OF_GRACE = 3;

/** How long a device counts as online after its last report. */
export const graceMs = (expectedSeconds: number): number =>
  INTERVALS_OF_GRACE * expectedSeconds * 1000;

/** The new state of a device. */
export interface Transition extends DevicePresence {
  /** When the watch is to check it next; null = not before it reports. */
  readonly checkAt: Instant | null;
}

/**
 * Changes the state of devices, their plants and the counters together. `decide` sees each device as read under the lock,
 * so that concurrent changes are taken into account. `besides`: devices that the transaction also writes, see lockDevices.
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

/** Writes a transition of a locked device and returns the change for its plant. */
export async function applyTransition(
  trx: Db,
  device: LockedDevice,
  to: Transition,
  at: Instant,
): Promise<DeviceShift | null> {
  const { id, plantId, kind, state, stateSince, offlineAbnormal } = device;
  await trx
    .updateTable('device')
    .set({
      state: to.state,
      offlineAbnormal: to.offlineAbnormal,
      checkAt: to.checkAt,
      stateSince: to.state === state ? stateSince : at,
    })
    .where('id', '=', id)
    .execute();
  if (plantId === null || (to.state === state && to.offlineAbnormal === offlineAbnormal))
    return null;
  return { plantId, deviceId: id, kind, from: { state, offlineAbnormal }, to };
}

/** The state of a device that reports. */
export const reportingState = (openAlarms: number): number =>
  openAlarms > 0 ? presence.alarm : presence.online;

/** A device for which samples have just been stored. */
export interface ReportingDevice {
  readonly id: string;
  /** The state read together with the device; nothing is written unless it is offline. */
  readonly state: number;
  readonly expectedSeconds: number;
  /** Time of the newest of these samples, by the device’s own clock. */
  readonly lastAt: Instant;
  /** When samples arrived that were older than they should have been; null = never. */
  readonly reportedAt: Instant | null;
}

/** An arrival is recorded only to this precision. */
const ARRIVAL_PRECISION_MS = 60_000;

/**
 * Sets silent devices to online when they report again, in the transaction that stores their samples. Old samples have no effect, unless they
 * come as they are measured (`live`): then the device’s clock is behind, and the arrival counts.
 */
export async function markReporting(
  trx: Db,
  devices: readonly ReportingDevice[],
  now: Instant,
  live = false,
): Promise<void> {
  const isCurrent = ({ lastAt, expectedSeconds }: ReportingDevice): boolean =>
    lastAt > now - graceMs(expectedSeconds);
  const back = devices.filter(
    (device) => device.state === presence.offline && (live || isCurrent(device)),
  );
  const isRecorded = ({ reportedAt }: ReportingDevice): boolean =>
    reportedAt !== null && reportedAt > now - ARRIVAL_PRECISION_MS && reportedAt <= now;
  const behind = live
    ? devices.filter((device) => !isCurrent(device) && !isRecorded(device)).map(({ id }) => id)
    : [];
  if (back.length + behind.length === 0) return;
  const backIds = back.map(({ id }) => id);
  await changeStates(trx, backIds, now, online(now), behind);
  if (behind.length > 0)
    await trx
      .updateTable('device')
      .set({ reportedAt: now })
      .where(anyOf(trx, 'id', listParameter(trx, behind)))
      .execute();
}

/** Sets offline devices to online after they have reported. */
export const turnOnline = (trx: Db, deviceIds: readonly string[], now: Instant): Promise<void> =>
  changeStates(trx, deviceIds, now, online(now));

const online =
  (now: Instant) =>
  ({ state, openAlarms, expectedSeconds }: LockedDevice): Transition | null =>
    state === presence.offline
      ? {
          state: reportingState(openAlarms),
          offlineAbnormal: 0,
          checkAt: now + graceMs(expectedSeconds),
        }
      : null;
