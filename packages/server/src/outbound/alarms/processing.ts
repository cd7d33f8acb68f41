import { recordAudit, type Act, type Actor } from '../../identity/accounts/audit.ts';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { shiftCounts } from '../../fleet/plants/fleet/counters.ts';
import { lockVisible } from '../../fleet/plants/lock-visible.ts';
import { noteUnattended } from '../../fleet/plants/standings/standing.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { alarmStates } from './alarm-rows.ts';

/** An alarm whose plant is locked for a caller that may control it; only `lockAlarm` makes one. */
export interface LockedAlarm {
  readonly id: string;
  readonly plantId: string;
  readonly ownerId: string;
}

/** Locks the plant of an alarm that a caller may control, also by then. Throws noPermission, also if it is unknown or somebody else's. */
export async function lockAlarm(trx: Db, caller: Caller, id: string): Promise<LockedAlarm> {
  const alarm = await trx
    .selectFrom('alarm')
    .select('plantId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!alarm) throw new Failure('noPermission');
  const { id: plantId, ownerId } = await lockVisible(trx, caller, alarm.plantId, 'control');
  return { id, plantId, ownerId };
}

/**
 * Records that somebody has dealt with an alarm; it still ends only when its cause does. Throws noPermission with a reason if the alarm is not pending.
 */
export async function processAlarm(
  trx: Db,
  act: Act,
  { id: alarmId, plantId, ownerId }: LockedAlarm,
): Promise<void> {
  if (
    !(await turn(trx, {
      plantId,
      alarmId,
      from: alarmStates.pending,
      to: alarmStates.processed,
      processedAt: act.at,
      processedBy: act.actor,
    }))
  )
    throw new Failure('noPermission', {
      message: `the alarm is not pending: it has already ${await endOf(trx, alarmId)}`,
    });
  await recordAudit(trx, act, {
    kind: 'alarm.processed',
    accountId: ownerId,
    data: { plantId, alarmId },
  });
}

/**
 * Takes back that somebody has dealt with an alarm, as long as its cause lasts; nobody is notified of it again. Throws noPermission with a reason if the
 * alarm is not marked.
 */
export async function reopenAlarm(
  trx: Db,
  act: Act,
  { id: alarmId, plantId, ownerId }: LockedAlarm,
): Promise<void> {
  if (
    !(await turn(trx, {
      plantId,
      alarmId,
      from: alarmStates.processed,
      to: alarmStates.pending,
      processedAt: null,
      processedBy: null,
    }))
  )
    throw new Failure('noPermission', {
      message: 'the alarm is not marked as processed, or has ended',
    });
  await recordAudit(trx, act, {
    kind: 'alarm.reopened',
    accountId: ownerId,
    data: { plantId, alarmId },
  });
}

/**
 * Keeps the note of the person who took an alarm on; an empty text takes it back. Throws noPermission with a reason if somebody else took it on or nobody
 * did.
 */
export async function noteOnAlarm(
  trx: Db,
  act: Act,
  { id: alarmId, plantId, ownerId }: LockedAlarm,
  text: string,
): Promise<void> {
  const note = text.trim() || null;
  const { numUpdatedRows } = await trx
    .updateTable('alarm')
    .set({ note, notedAt: note === null ? null : act.at })
    .where('id', '=', alarmId)
    .where('processedBy', '=', act.actor)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Failure('noPermission', {
      message: 'only who took the alarm on may say something of it',
    });
  await recordAudit(trx, act, {
    kind: 'alarm.noted',
    accountId: ownerId,
    data: { plantId, alarmId },
  });
}

interface Turn {
  readonly plantId: string;
  readonly alarmId: string;
  readonly from: number;
  readonly to: number;
  readonly processedAt: Instant | null;
  readonly processedBy: Actor | null;
}

/** Changes an alarm's state, and the counters with it. Returns whether it was in the state `from`. */
async function turn(
  trx: Db,
  { plantId, alarmId, from, to, processedAt, processedBy }: Turn,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('alarm')
    .set({ state: to, processedAt, processedBy, note: null, notedAt: null })
    .where('id', '=', alarmId)
    .where('state', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await shiftCounts(trx, [
    { plantId, kind: 'alarm', state: from, amount: -1 },
    { plantId, kind: 'alarm', state: to, amount: 1 },
  ]);
  await noteUnattended(trx, [plantId]);
  return true;
}

async function endOf(db: Db, alarmId: string): Promise<string> {
  const alarm = await db
    .selectFrom('alarm')
    .select('state')
    .where('id', '=', alarmId)
    .executeTakeFirst();
  return alarm?.state === alarmStates.processed ? 'been processed' : 'ended';
}
