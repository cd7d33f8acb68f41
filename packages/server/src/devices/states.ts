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

const turnOnline = (trx: Db, deviceIds: readonly string[], now: Instant): Promise<void> =>
  changeStates(trx, deviceIds, now, ({ state, openAlarms, expectedSeconds }) =>
    state === presence.offline ? { state: reportingState(openAlarms), offlineAbnormal: 0, checkAt: now + graceMs(expectedSeconds) } : null,
  );

/** A collector as it was read with its token. */
export interface PostingCollector {
  readonly id: string;
  readonly state: number;
  readonly reportedAt: Instant | null;
  readonly expectedSeconds: number;
}

/** A collector's last post is kept to this precision, so that most posts write nothing here. */
const POST_PRECISION_MS = 60_000;

/**
 * Notes that a collector has posted, measures how often it does, and turns it online. In a transaction of its own: one that
 * holds a collector must not go on to lock plants.
 */
export async function markPosted(db: Db, collector: PostingCollector, now: Instant): Promise<void> {
  const { id, state, reportedAt, expectedSeconds } = collector;
  if (reportedAt !== null && reportedAt > now - POST_PRECISION_MS && reportedAt <= now) return;
  await db.transaction().execute(async (trx) => {
    if (state === presence.offline) await turnOnline(trx, [id], now);
    const measured = reportedAt === null ? expectedSeconds : measuredSeconds(expectedSeconds, (now - reportedAt) / 1000);
    await trx.updateTable('device').set({ reportedAt: now, expectedSeconds: measured }).where('id', '=', id).execute();
  });
}

const SECONDS_AT_LEAST = 60;
const SECONDS_AT_MOST = 3600;
const WEIGHT = 0.3;

/** A mean that follows a changed pace within some posts; a pause moves it by a third at most. */
function measuredSeconds(expectedSeconds: number, seconds: number): number {
  const counted = Math.min(Math.max(seconds, 0), 2 * expectedSeconds);
  return Math.round(Math.min(SECONDS_AT_MOST, Math.max(SECONDS_AT_LEAST, (1 - WEIGHT) * expectedSeconds + WEIGHT * counted)));
}
