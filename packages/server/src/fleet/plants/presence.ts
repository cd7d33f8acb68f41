import { tellOfDevices } from '../../platform/events/tell.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, DeviceTable, Flag, Instant } from '../../platform/storage/database.ts';
import { turnRankingFigures } from './ranking/ranking-figures.ts';
import { shiftCounts, type CountShift } from './fleet/counters.ts';

/** States as stored. Only plants can be `building`, which means that they have no device yet. */
export const presence = { online: 1, offline: 2, alarm: 3, building: 4 } as const;

/** Whether a plant or a device in this state reports. */
export const reports = (state: number): boolean =>
  state === presence.online || state === presence.alarm;

/** How a device contributes to its plant. */
export interface DevicePresence {
  readonly state: number;
  readonly offlineAbnormal: Flag;
}

/** A change of state of a device in a plant. `from` is null if the device comes to the plant, `to` if it leaves. */
export interface DeviceShift {
  readonly plantId: string;
  readonly deviceId: string;
  readonly kind: DeviceTable['kind'];
  readonly from: DevicePresence | null;
  readonly to: DevicePresence | null;
}

interface Tally {
  deviceCount: number;
  onlineDevices: number;
  alarmDevices: number;
  abnormalDevices: number;
}

/** The state of a plant: alarm if any device is in alarm, else online if any is online, else offline; building without devices. */
export function plantStateOf({
  deviceCount,
  onlineDevices,
  alarmDevices,
}: Readonly<Tally>): number {
  if (deviceCount === 0) return presence.building;
  if (alarmDevices > 0) return presence.alarm;
  return onlineDevices > 0 ? presence.online : presence.offline;
}

/** Updates plants and the counters of their readers after changes of their devices. The plants must be locked (plants/lock.ts). */
export async function shiftDevices(
  trx: Db,
  shifts: readonly DeviceShift[],
  at: Instant,
): Promise<void> {
  const tallies = new Map<string, Tally>();
  const counts: CountShift[] = [];
  for (const { plantId, kind, from, to } of shifts) {
    let tally = tallies.get(plantId);
    if (!tally)
      tallies.set(
        plantId,
        (tally = { deviceCount: 0, onlineDevices: 0, alarmDevices: 0, abnormalDevices: 0 }),
      );
    if (from) add(tally, from, -1);
    if (to) add(tally, to, 1);
    if (from) counts.push({ plantId, kind, state: from.state, amount: -1 });
    if (to) counts.push({ plantId, kind, state: to.state, amount: 1 });
  }
  counts.push(...(await shiftPlants(trx, tallies, at)));
  await shiftCounts(trx, counts);
  await tellShifts(trx, shifts, at);
}

/** The states of devices in events. */
export const presenceNames = ['', 'online', 'offline', 'alarm'];

/** Records which devices came, left or changed their state. */
async function tellShifts(trx: Db, shifts: readonly DeviceShift[], at: Instant): Promise<void> {
  const about = ({ plantId, deviceId }: DeviceShift, data: Readonly<Record<string, unknown>>) => ({
    plantId,
    deviceId,
    occurredAt: at,
    data,
  });
  const moved = (kept: (shift: DeviceShift) => boolean) =>
    shifts.filter(kept).map((shift) => about(shift, { deviceKind: shift.kind }));
  const changed = shifts.flatMap((shift) => {
    const { from, to } = shift;
    if (!from || !to || from.state === to.state) return [];
    return [
      about(shift, {
        state: presenceNames[to.state],
        formerState: presenceNames[from.state],
        unexpected: to.offlineAbnormal === 1,
      }),
    ];
  });
  await tellOfDevices(
    trx,
    'device.unbound',
    moved(({ to }) => to === null),
    at,
  );
  await tellOfDevices(
    trx,
    'device.bound',
    moved(({ from }) => from === null),
    at,
  );
  await tellOfDevices(trx, 'device.state', changed, at);
}

function add(tally: Tally, { state, offlineAbnormal }: DevicePresence, amount: 1 | -1): void {
  tally.deviceCount += amount;
  if (state === presence.online) tally.onlineDevices += amount;
  if (state === presence.alarm) tally.alarmDevices += amount;
  if (offlineAbnormal === 1) tally.abnormalDevices += amount;
}

async function shiftPlants(
  trx: Db,
  tallies: ReadonlyMap<string, Tally>,
  at: Instant,
): Promise<CountShift[]> {
  const plants = await trx
    .selectFrom('plant')
    .select([
      'id',
      'state',
      'stateSince',
      'deviceCount',
      'onlineDevices',
      'alarmDevices',
      'abnormalDevices',
    ])
    .where(anyOf(trx, 'id', listParameter(trx, [...tallies.keys()])))
    .execute();
  const counts: CountShift[] = [];
  for (const { id, state: before, stateSince, ...plant } of plants) {
    const change = tallies.get(id)!;
    const tally = {
      deviceCount: plant.deviceCount + change.deviceCount,
      onlineDevices: plant.onlineDevices + change.onlineDevices,
      alarmDevices: plant.alarmDevices + change.alarmDevices,
      abnormalDevices: plant.abnormalDevices + change.abnormalDevices,
    };
    const state = plantStateOf(tally);
    await trx
      .updateTable('plant')
      .set({ ...tally, state, stateSince: state === before ? stateSince : at })
      .where('id', '=', id)
      .execute();
    if (state === before) continue;
    await turnRankingFigures(trx, id, { state, reports: reports(state) });
    counts.push(
      { plantId: id, kind: 'plant', state: before, amount: -1 },
      { plantId: id, kind: 'plant', state, amount: 1 },
    );
  }
  return counts;
}
