import { recordAudit, type Act } from '../accounts/audit.ts';
import { invalidValue } from '../kernel/failure.ts';
import { isTimeZone } from '../kernel/time-zone.ts';
import type { Db, Instant } from '../storage/database.ts';
import { lockPlant } from './lock.ts';

/** From when on a plant's calendar follows a zone; the first one from the beginning of time. */
export interface ZoneSpan {
  readonly fromAt: Instant;
  readonly timeZone: string;
}

/** Throws invalidValue. */
export function checkTimeZone(name: string): string {
  if (!isTimeZone(name)) throw invalidValue('timeZone', 'an IANA time zone such as Europe/Berlin');
  return name;
}

/** A plant's zones, oldest first. */
export const listZones = (db: Db, plantId: string): Promise<ZoneSpan[]> =>
  db.selectFrom('plantZone').select(['fromAt', 'timeZone']).where('plantId', '=', plantId).orderBy('fromAt').execute();

/** Moves a plant to another zone from now on: days that are past keep theirs. Throws invalidValue, noPermission. */
export async function changeTimeZone(trx: Db, act: Act, plantId: string, name: string): Promise<void> {
  const timeZone = checkTimeZone(name);
  const plant = await lockPlant(trx, plantId);
  if (plant.timeZone === timeZone) return;
  await trx
    .insertInto('plantZone')
    .values({ plantId, fromAt: act.at, timeZone })
    .onConflict((conflict) => conflict.columns(['plantId', 'fromAt']).doUpdateSet({ timeZone }))
    .execute();
  await trx.updateTable('plant').set({ timeZone, updatedAt: act.at }).where('id', '=', plantId).execute();
  await recordAudit(trx, act, { kind: 'plant.changed', accountId: plant.ownerId, data: { plantId, timeZone } });
}
