import { recordAudit, type Act } from '../accounts/audit.ts';
import type { Caller } from '../accounts/caller.ts';
import { Failure } from '../kernel/failure.ts';
import { getPlant } from '../plants/access.ts';
import { shiftCounts } from '../plants/fleet/counters.ts';
import { lockPlant } from '../plants/lock.ts';
import type { Db } from '../storage/database.ts';
import { alarmStates } from './alarm-rows.ts';

/**
 * Records that somebody has dealt with an alarm; it still ends only when its cause does. Throws noPermission: with a reason if the alarm is not
 * pending, without one if it is unknown or somebody else's.
 */
export async function processAlarm(trx: Db, act: Act, caller: Caller, alarmId: string): Promise<void> {
  const alarm = await trx.selectFrom('alarm').select('plantId').where('id', '=', alarmId).executeTakeFirst();
  if (!alarm) throw new Failure('noPermission');
  const { plantId } = alarm;
  const { ownerId } = await getPlant(trx, caller, plantId, 'control');
  await lockPlant(trx, plantId);
  const { numUpdatedRows } = await trx
    .updateTable('alarm')
    .set({ state: alarmStates.processed, processedAt: act.at })
    .where('id', '=', alarmId)
    .where('state', '=', alarmStates.pending)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Failure('noPermission', { message: `the alarm is not pending: it has already ${await endOf(trx, alarmId)}` });
  await shiftCounts(trx, [
    { plantId, kind: 'alarm', state: alarmStates.pending, amount: -1 },
    { plantId, kind: 'alarm', state: alarmStates.processed, amount: 1 },
  ]);
  await recordAudit(trx, act, { kind: 'alarm.processed', accountId: ownerId, data: { plantId, alarmId } });
}

async function endOf(db: Db, alarmId: string): Promise<string> {
  const alarm = await db.selectFrom('alarm').select('state').where('id', '=', alarmId).executeTakeFirst();
  return alarm?.state === alarmStates.processed ? 'been processed' : 'ended';
}
