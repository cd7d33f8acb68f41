import type { Act } from '../../identity/accounts/audit.ts';
import type { Db } from '../../platform/storage/database.ts';
import { changeAlarms } from './alarm-rows.ts';

/** Ends the alarms of a device that has just been replaced in a plant, and makes all that it had there the history of the device that came. */
export async function handOnAlarms(
  trx: Db,
  act: Act,
  plantId: string,
  formerId: string,
  { id: deviceId, sn }: { readonly id: string; readonly sn: string },
): Promise<void> {
  await changeAlarms(trx, { now: act.at, newId: act.newId }, formerId, []);
  await trx
    .updateTable('alarm')
    .set({ deviceId, sn })
    .where('deviceId', '=', formerId)
    .where('plantId', '=', plantId)
    // Those that the device that came had at the same instant when it was in the plant before stay apart.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alarm as own')
            .select('own.id')
            .where('own.deviceId', '=', deviceId)
            .whereRef('own.code', '=', 'alarm.code')
            .whereRef('own.beginAt', '=', 'alarm.beginAt'),
        ),
      ),
    )
    .execute();
}
