import { applyTransition, reportingState } from '../../fleet/devices/states.ts';
import { lockDevices, type LockedDevice } from '../../fleet/devices/device-lock.ts';
import { tellOfDevices, type DeviceEvent } from '../../platform/events/tell.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import { shiftCounts, type CountShift } from '../../fleet/plants/fleet/counters.ts';
import { presence, shiftDevices } from '../../fleet/plants/presence.ts';
import { noteUnattended } from '../../fleet/plants/ranking/ranking-figures.ts';
import { listZones } from '../../fleet/plants/zones.ts';
import { refusalOf, roomWithin } from '../../platform/storage/bounds/within.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { dayOf } from '../../platform/calendar/plant-calendar.ts';
import type { RuleLevel } from './rule.ts';
import { isOwnCode, offline } from './rules.ts';

/** States of alarms as they are stored and sent. */
export const alarmStateNumbers = { pending: 0, processed: 1, restored: 2 } as const;

/**
 * Open alarms of this level or above put a reporting device into the state alarm. A tip does not. Neither does an alarm about silence, since the
 * device reports again.
 */
const ALARMING_LEVEL: RuleLevel = 2;

/** More of them make no difference, and a device from before they were bounded may have very many. */
const COUNTED_AT_MOST = 1_000;

/** An alarm that has begun but not ended. */
export interface OpenAlarm {
  readonly id: string;
  readonly deviceId: string;
  readonly plantId: string;
  readonly code: string;
  readonly level: number;
  readonly beginAt: Instant;
  readonly state: number;
  readonly message: string;
}

/** An alarm to raise, to end or, if it ended since then only because the device had left its plant, to continue. */
export type AlarmChange =
  | {
      readonly raise: {
        readonly code: string;
        readonly level: RuleLevel;
        readonly message: string;
        readonly beginAt: Instant;
      };
    }
  | { readonly clear: { readonly code: string; readonly endAt: Instant } }
  | { readonly resume: { readonly code: string; readonly leftAt: Instant } };

export interface AlarmCircumstances {
  readonly now: Instant;
  readonly newId: IdSource;
}

const COLUMNS = [
  'alarm.id',
  'alarm.deviceId',
  'alarm.plantId',
  'alarm.code',
  'alarm.level',
  'alarm.beginAt',
  'alarm.state',
  'alarm.message',
] as const;

/** The open alarms of devices; of those in their present plants, only the ones with these codes, if any are named. */
export const listOpenAlarms = (
  db: Db,
  deviceIds: readonly string[],
  codes?: readonly string[],
): Promise<OpenAlarm[]> =>
  db
    .selectFrom('alarm')
    .innerJoin('device', 'device.id', 'alarm.deviceId')
    .select(COLUMNS)
    .where(anyOf(db, 'alarm.deviceId', listParameter(db, deviceIds)))
    .where('alarm.endAt', 'is', null)
    .$if(codes !== undefined, (alarms) =>
      alarms.where((eb) =>
        eb.or([
          anyOf(db, 'alarm.code', listParameter(db, codes!)),
          eb('device.plantId', 'is', null),
          eb('alarm.plantId', '<>', eb.ref('device.plantId')),
        ]),
      ),
    )
    .execute();

/** Whether a change had any effect; a failure if there is no room for what it would add. */
export type ChangeOutcome = boolean | Failure;

/** What may still be added for a device; counted when the first asks, and again once an alarm has ended. */
interface Room {
  left?: { readonly open: number; readonly new: number } | undefined;
}

/**
 * Raises, ends and continues alarms of a device, and updates its state, its plant and the counters. An open alarm is not
 * raised again, and one that has ended is not ended again. Returns the outcome of each change.
 */
export async function changeAlarms(
  trx: Db,
  circumstances: AlarmCircumstances,
  deviceId: string,
  changes: readonly AlarmChange[],
): Promise<ChangeOutcome[]> {
  const before = await listOpenAlarms(trx, [deviceId], []);
  const [device] = await lockDevices(trx, [deviceId], {
    plantIds: before.map(({ plantId }) => plantId),
  });
  if (!device) return changes.map(() => false);
  const named = await listOpenAlarms(trx, [deviceId], changes.map(codeOf));
  const open = new Map(named.map((alarm) => [alarm.code, alarm]));
  const room: Room = {};
  const counts: CountShift[] = [];
  const done: ChangeOutcome[] = [];
  const cleared: DeviceEvent[] = [];
  const raised: DeviceEvent[] = [];
  // Alarms in a plant that the device has left end now; none continues in the new plant.
  for (const { code, plantId, beginAt } of open.values()) {
    if (plantId !== device.plantId)
      counts.push(
        ...(await clear(trx, open, { code, endAt: Math.max(circumstances.now, beginAt) }, cleared)),
      );
  }
  for (const change of changes) {
    const shifts = await make(change);
    if (shifts instanceof Failure) done.push(shifts);
    else {
      counts.push(...shifts);
      done.push(shifts.length > 0);
    }
  }
  await shiftCounts(trx, counts);
  await noteUnattended(trx, [...new Set(counts.map(({ plantId }) => plantId))]);
  await tellOfDevices(trx, 'alarm.raised', raised, circumstances.now);
  await tellOfDevices(trx, 'alarm.cleared', cleared, circumstances.now);
  await follow(trx, circumstances.now, device);
  return done;

  async function make(change: AlarmChange): Promise<CountShift[] | Failure> {
    if ('raise' in change)
      return raise(trx, circumstances, device!, { open, room, raised }, change.raise);
    if ('resume' in change) return resume(trx, device!, open, change.resume, raised);
    room.left = undefined;
    return clear(trx, open, change.clear, cleared);
  }
}

const codeOf = (change: AlarmChange): string =>
  ('raise' in change ? change.raise : 'clear' in change ? change.clear : change.resume).code;

/** An alarm as an event. `endAt`: when it ended, if it did. */
function alarmEvent(
  { id: alarmId, deviceId, plantId, code, level, message, beginAt }: OpenAlarm,
  endAt?: Instant,
): DeviceEvent {
  const data = { alarmId, code, level, message, beginAt, ...(endAt !== undefined && { endAt }) };
  return { deviceId, plantId, occurredAt: endAt ?? beginAt, data };
}

async function raise(
  trx: Db,
  { now, newId }: AlarmCircumstances,
  device: LockedDevice,
  { open, room, raised }: { open: Map<string, OpenAlarm>; room: Room; raised: DeviceEvent[] },
  { code, level, message, beginAt }: Extract<AlarmChange, { raise: unknown }>['raise'],
): Promise<CountShift[] | Failure> {
  const { id: deviceId, plantId, sn, kind } = device;
  if (
    plantId === null ||
    open.has(code) ||
    (await wasOpenAt(trx, { deviceId, plantId, code }, beginAt))
  )
    return [];
  const full = isOwnCode(code) ? undefined : await takeRoom(trx, device, room, now);
  if (full) return full;
  const beginDay = dayOf(await listZones(trx, plantId), beginAt);
  const alarm = {
    id: newId(),
    deviceId,
    plantId,
    code,
    level,
    beginAt,
    state: alarmStateNumbers.pending,
    message,
  };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('alarm')
    .values({ ...alarm, sn, kind, beginDay, endAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return [];
  open.set(code, alarm);
  raised.push(alarmEvent(alarm));
  return [{ plantId, kind: 'alarm', state: alarmStateNumbers.pending, amount: 1 }];
}

/** Takes a place for an alarm that a device reports; those of our own rules are as few as the rules. Returns the refusal if there is none. */
async function takeRoom(
  trx: Db,
  { id: deviceId, sn }: LockedDevice,
  room: Room,
  now: Instant,
): Promise<Failure | undefined> {
  room.left ??= {
    open: await roomWithin(trx, 'openAlarms', { deviceId }, now),
    new: await roomWithin(trx, 'newAlarms', { sn }, now),
  };
  if (room.left.open < 1) return refusalOf(trx, 'openAlarms');
  if (room.left.new < 1) return refusalOf(trx, 'newAlarms');
  room.left = { open: room.left.open - 1, new: room.left.new - 1 };
  return undefined;
}

// A report that is sent again must not reopen an alarm that has ended since.
async function wasOpenAt(
  trx: Db,
  { deviceId, plantId, code }: Pick<OpenAlarm, 'deviceId' | 'plantId' | 'code'>,
  at: Instant,
): Promise<boolean> {
  const alarm = await trx
    .selectFrom('alarm')
    .select('id')
    .where('deviceId', '=', deviceId)
    .where('code', '=', code)
    .where('plantId', '=', plantId)
    .where('beginAt', '<=', at)
    .where((eb) => eb.or([eb('endAt', '>', at), eb('beginAt', '=', at)]))
    .limit(1)
    .executeTakeFirst();
  return alarm !== undefined;
}

async function clear(
  trx: Db,
  open: Map<string, OpenAlarm>,
  { code, endAt }: { code: string; endAt: Instant },
  cleared: DeviceEvent[],
): Promise<CountShift[]> {
  const alarm = open.get(code);
  if (!alarm || endAt < alarm.beginAt) return [];
  const endDay = dayOf(await listZones(trx, alarm.plantId), endAt);
  await trx
    .updateTable('alarm')
    .set({ endAt, endDay, state: alarmStateNumbers.restored })
    .where('id', '=', alarm.id)
    .execute();
  open.delete(code);
  cleared.push(alarmEvent(alarm, endAt));
  return [
    { plantId: alarm.plantId, kind: 'alarm', state: alarm.state, amount: -1 },
    { plantId: alarm.plantId, kind: 'alarm', state: alarmStateNumbers.restored, amount: 1 },
  ];
}

async function resume(
  trx: Db,
  { id: deviceId, plantId }: LockedDevice,
  open: Map<string, OpenAlarm>,
  { code, leftAt }: Extract<AlarmChange, { resume: unknown }>['resume'],
  raised: DeviceEvent[],
): Promise<CountShift[]> {
  if (plantId === null || open.has(code)) return [];
  const ended = await trx
    .selectFrom('alarm')
    .select([...COLUMNS, 'processedAt'])
    .where('deviceId', '=', deviceId)
    .where('plantId', '=', plantId)
    .where('code', '=', code)
    .where('endAt', '>=', leftAt)
    .orderBy('beginAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!ended) return [];
  const state =
    ended.processedAt === null ? alarmStateNumbers.pending : alarmStateNumbers.processed;
  await trx
    .updateTable('alarm')
    .set({ endAt: null, endDay: null, state })
    .where('id', '=', ended.id)
    .execute();
  open.set(code, { ...ended, state });
  raised.push(alarmEvent(ended));
  return [
    { plantId, kind: 'alarm', state: alarmStateNumbers.restored, amount: -1 },
    { plantId, kind: 'alarm', state, amount: 1 },
  ];
}

/** Updates the device's state according to its open alarms. */
async function follow(trx: Db, now: Instant, device: LockedDevice): Promise<void> {
  const alarming = await trx
    .selectFrom('alarm')
    .select('id')
    .where('deviceId', '=', device.id)
    .where('endAt', 'is', null)
    .where('level', '>=', ALARMING_LEVEL)
    .where('code', '<>', offline.code)
    .limit(COUNTED_AT_MOST)
    .execute();
  const openAlarms = alarming.length;
  if (openAlarms === device.openAlarms) return;
  await trx.updateTable('device').set({ openAlarms }).where('id', '=', device.id).execute();
  const state = reportingState(openAlarms);
  if (device.state === presence.offline || device.state === state) return;
  const shift = await applyTransition(trx, device, { ...device, state }, now);
  if (shift) await shiftDevices(trx, [shift], now);
}
